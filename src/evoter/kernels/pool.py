"""The pool of antecedents: equal ones are found by hash and stored once, and unused slots are reused."""

import numpy as np

from evoter.kernels.compilation import entry_kernel, kernel
from evoter.kernels.conditions.identity import copy_condition, hash_condition, same_condition
from evoter.kernels.conditions.meaning import n_counted
from evoter.kernels.layout import (
    ACTION,
    COMPLEXITY,
    DEFAULT,
    HASH,
    LAST_USED,
    N_CONDITIONS,
    N_RULES,
    SERIAL,
    SIZE,
    SLOT,
    Antecedents,
    Floats,
    Ints,
    Offspring,
    Population,
)
from evoter.kernels.random import mix

# What the clock of a pool counts.
NEXT_SERIAL = 0
NEXT_SLOT = 1
NOW = 2
N_CLOCK = 3

# An entry of the hash table is a time and a slot in one number: entries of earlier times count as empty, so that the
# table is never cleared.
_TIME_SHIFT = 32
_SLOT_MASK = (1 << _TIME_SHIFT) - 1


@kernel
def _hash(codes: Ints, numbers: Floats, n: int) -> np.uint64:
    """Return a hash of `n` conditions."""
    word = np.uint64(n)
    for c in range(n):
        word = mix(word ^ hash_condition(codes[c], numbers[c]))
    return word


@kernel
def _equal(antecedents: Antecedents, slot: int, codes: Ints, numbers: Floats, n: int) -> bool:
    """Tell whether a slot holds exactly these conditions."""
    if antecedents.facts[slot, N_CONDITIONS] != n:
        return False
    for c in range(n):
        if not same_condition(antecedents.codes[slot, c], antecedents.numbers[slot, c], codes[c], numbers[c]):
            return False
    return True


@kernel
def _index_living(population: Population, table: Ints, clock: Ints) -> None:
    """Enter the antecedents that the population uses into the hash table; all other slots become free."""
    facts = population.antecedents.facts
    now = clock[NOW]
    mask = len(table) - 1
    for i in range(len(population.header)):
        for r in range(population.header[i, N_RULES]):
            slot = population.rules[i, r, SLOT]
            if facts[slot, LAST_USED] == now:
                continue
            facts[slot, LAST_USED] = now
            position = facts[slot, HASH] & mask
            while table[position] >> _TIME_SHIFT == now:
                position = (position + 1) & mask
            table[position] = (now << _TIME_SHIFT) | slot


@kernel
def _adopt(antecedents: Antecedents, codes: Ints, numbers: Floats, n: int, table: Ints, clock: Ints) -> int:
    """Return the slot of an antecedent, written to a free one if it is new."""
    facts = antecedents.facts
    now = clock[NOW]
    digest = np.int64(_hash(codes, numbers, n))
    mask = len(table) - 1
    position = digest & mask
    while table[position] >> _TIME_SHIFT == now:
        known = table[position] & _SLOT_MASK
        if facts[known, HASH] == digest and _equal(antecedents, known, codes, numbers, n):
            return int(known)
        position = (position + 1) & mask
    slot = clock[NEXT_SLOT]
    while facts[slot, LAST_USED] == now:
        slot += 1
    clock[NEXT_SLOT] = slot + 1
    size = 0
    for c in range(n):
        copy_condition(codes[c], numbers[c], antecedents.codes[slot, c], antecedents.numbers[slot, c])
        size += n_counted(codes[c])
    facts[slot, N_CONDITIONS] = n
    facts[slot, SIZE] = size
    facts[slot, HASH] = digest
    facts[slot, LAST_USED] = now
    facts[slot, SERIAL] = clock[NEXT_SERIAL]
    clock[NEXT_SERIAL] += 1
    table[position] = (now << _TIME_SHIFT) | slot
    return int(slot)


@entry_kernel
def resolve(population: Population, offspring: Offspring, children: Population, table: Ints, clock: Ints) -> None:
    """Turn offspring into a population: new antecedents get slots, repeated rules are dropped (algorithm 9).

    `population` is the living one, whose antecedents keep their slots; `table` is a hash table of zeros at first, its
    length a power of 2. Runs on one thread, in the order of the children, so slots do not depend on how the children
    were made.
    """
    clock[NOW] += 1
    clock[NEXT_SLOT] = 0
    _index_living(population, table, clock)
    antecedents = population.antecedents
    for i in range(len(offspring.header)):
        n = 0
        complexity = 0
        for r in range(offspring.header[i, N_RULES]):
            slot = int(offspring.rules[i, r, SLOT])
            if slot < 0:
                k = -1 - slot
                slot = _adopt(
                    antecedents,
                    offspring.new_codes[k],
                    offspring.new_numbers[k],
                    offspring.new_n_conditions[k],
                    table,
                    clock,
                )
            action, certainty = offspring.rules[i, r, ACTION], offspring.certainties[i, r]
            repeated = False
            for j in range(n):
                repeated |= (
                    children.rules[i, j, SLOT] == slot
                    and children.rules[i, j, ACTION] == action
                    and children.certainties[i, j] == certainty
                )
            if not repeated:
                children.rules[i, n, SLOT] = slot
                children.rules[i, n, ACTION] = action
                children.certainties[i, n] = certainty
                complexity += antecedents.facts[slot, SIZE]
                n += 1
        children.header[i, N_RULES] = n
        children.header[i, COMPLEXITY] = complexity
        children.header[i, DEFAULT] = offspring.header[i, DEFAULT]
        children.default_certainties[i] = offspring.default_certainties[i]


@entry_kernel
def claim_mask_rows(
    population: Population,
    mask_rows: Ints,
    serials: Ints,
    last_used: Ints,
    now: int,
    new_slots: Ints,
    new_mask_rows: Ints,
) -> int:
    """Give every antecedent that the population uses a row of the mask cache; return how many must be computed.

    `mask_rows[slot]` is the row of an antecedent, `serials[row]` the antecedent that a row belongs to, `last_used[row]`
    when it was last asked for: the rows unused for longest are reused first. Returns -1 if the cache is too small for
    the population; its contents are then undefined.
    """
    antecedents = population.antecedents
    queued = -2 - now
    n_new = 0
    for i in range(len(population.header)):
        for r in range(population.header[i, N_RULES]):
            slot = population.rules[i, r, SLOT]
            mask_row = mask_rows[slot]
            if mask_row >= 0 and serials[mask_row] == antecedents.facts[slot, SERIAL]:
                last_used[mask_row] = now
            elif mask_row != queued:
                mask_rows[slot] = queued
                new_slots[n_new] = slot
                n_new += 1
    found = 0
    for age in (2, 1, 0):
        for mask_row in range(len(serials)):
            if found == n_new:
                return n_new
            if last_used[mask_row] < now - age:
                slot = new_slots[found]
                mask_rows[slot] = mask_row
                serials[mask_row] = antecedents.facts[slot, SERIAL]
                last_used[mask_row] = now
                new_mask_rows[found] = mask_row
                found += 1
    return n_new if found == n_new else -1
