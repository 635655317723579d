"""The pool of antecedents: equal ones are found by hash and stored once, slots of forgotten ones are used again."""

import numpy as np

from evoter.kernels.compilation import entry_kernel, kernel
from evoter.kernels.conditions import copy_conditions
from evoter.kernels.layout import N_CODES, N_NUMBERS, Antecedents, Floats, Ints, Offspring, Population
from evoter.kernels.random import mix

_EMPTY = -1


@kernel
def _hash(codes: Ints, numbers: Floats, n: int) -> np.uint64:
    """Return a hash of `n` conditions."""
    word = np.uint64(n)
    bits = numbers.view(np.uint64)
    for c in range(n):
        for k in range(N_CODES):
            word = mix(word ^ np.uint64(codes[c, k]))
        for k in range(N_NUMBERS):
            word = mix(word ^ bits[c, k])
    return word


@kernel
def _equal(antecedents: Antecedents, slot: int, codes: Ints, numbers: Floats, n: int) -> bool:
    """Tell whether a slot holds exactly these conditions."""
    if antecedents.n_conditions[slot] != n:
        return False
    for c in range(n):
        for k in range(N_CODES):
            if antecedents.codes[slot, c, k] != codes[c, k]:
                return False
        for k in range(N_NUMBERS):
            if antecedents.numbers[slot, c, k] != numbers[c, k]:
                return False
    return True


@kernel
def _index_living(population: Population, table: Ints, serials: Ints) -> None:
    """Rebuild the hash table from the antecedents that the population uses, and free all other slots."""
    antecedents = population.antecedents
    table[:] = _EMPTY
    mask = np.uint64(len(table) - 1)
    serials[:] = 0
    for i in range(len(population.n_rules)):
        for r in range(population.n_rules[i]):
            slot = population.slots[i, r]
            if serials[slot] != 0:
                continue
            serials[slot] = antecedents.serials[slot]
            position = antecedents.hashes[slot] & mask
            while table[position] != _EMPTY:
                position = (position + np.uint64(1)) & mask
            table[position] = slot
    for slot in range(len(serials)):
        antecedents.serials[slot] = serials[slot]


@kernel
def _adopt(antecedents: Antecedents, codes: Ints, numbers: Floats, n: int, table: Ints, clock: Ints) -> int:
    """Return the slot of an antecedent, written to a free one if it is new; `clock` is (next serial, next slot)."""
    digest = _hash(codes, numbers, n)
    mask = np.uint64(len(table) - 1)
    position = digest & mask
    while table[position] != _EMPTY:
        known = table[position]
        if antecedents.hashes[known] == digest and _equal(antecedents, known, codes, numbers, n):
            return int(known)
        position = (position + np.uint64(1)) & mask
    slot = clock[1]
    while antecedents.serials[slot] != 0:
        slot += 1
    clock[1] = slot + 1
    antecedents.n_conditions[slot] = n
    copy_conditions(codes, numbers, 0, n, antecedents.codes[slot], antecedents.numbers[slot], 0)
    antecedents.hashes[slot] = digest
    antecedents.serials[slot] = clock[0]
    clock[0] += 1
    table[position] = slot
    return int(slot)


@entry_kernel
def resolve(
    population: Population, offspring: Offspring, children: Population, table: Ints, serials: Ints, clock: Ints
) -> None:
    """Turn offspring into a population: new antecedents find their slots, repeated rules go (algorithm 9).

    `population` is the living one, whose antecedents keep their slots; `table` and `serials` are scratch space.
    Runs on one thread, in the order of the children, so slots do not depend on how the children were made.
    """
    _index_living(population, table, serials)
    clock[1] = 0
    antecedents = population.antecedents
    for i in range(len(offspring.n_rules)):
        n = 0
        for r in range(offspring.n_rules[i]):
            slot = int(offspring.slots[i, r])
            if slot < 0:
                k = -1 - slot
                slot = _adopt(
                    antecedents,
                    offspring.new_codes[i, k],
                    offspring.new_numbers[i, k],
                    offspring.new_n_conditions[i, k],
                    table,
                    clock,
                )
            action, certainty = offspring.actions[i, r], offspring.certainties[i, r]
            repeated = False
            for j in range(n):
                repeated |= (
                    children.slots[i, j] == slot
                    and children.actions[i, j] == action
                    and children.certainties[i, j] == certainty
                )
            if not repeated:
                children.slots[i, n] = slot
                children.actions[i, n] = action
                children.certainties[i, n] = certainty
                n += 1
        children.n_rules[i] = n
        children.defaults[i] = offspring.defaults[i]
        children.default_certainties[i] = offspring.default_certainties[i]


@entry_kernel
def count_conditions(population: Population, out: Ints) -> None:
    """Write the number of conditions of each individual."""
    for i in range(len(population.n_rules)):
        out[i] = 0
        for r in range(population.n_rules[i]):
            out[i] += population.antecedents.n_conditions[population.slots[i, r]]


@entry_kernel
def claim_places(
    population: Population,
    places: Ints,
    serials: Ints,
    last_used: Ints,
    now: int,
    new_slots: Ints,
    new_places: Ints,
) -> int:
    """Give every antecedent that the population uses a row of the mask cache; return how many must be computed.

    `serials[place]` tells which antecedent a row of the cache belongs to, `last_used[place]` when it was last asked
    for: rows asked for longest ago are given away first. Returns -1 where the cache is too small for
    the population; its contents are then undefined.
    """
    antecedents = population.antecedents
    queued = -2 - now
    n_new = 0
    for i in range(len(population.n_rules)):
        for r in range(population.n_rules[i]):
            slot = population.slots[i, r]
            place = places[slot]
            if place >= 0 and serials[place] == antecedents.serials[slot]:
                last_used[place] = now
            elif place != queued:
                places[slot] = queued
                new_slots[n_new] = slot
                n_new += 1
    found = 0
    for age in (2, 1, 0):
        for place in range(len(serials)):
            if found == n_new:
                return n_new
            if last_used[place] < now - age:
                slot = new_slots[found]
                places[slot] = place
                serials[place] = antecedents.serials[slot]
                last_used[place] = now
                new_places[found] = place
                found += 1
    return n_new if found == n_new else -1
