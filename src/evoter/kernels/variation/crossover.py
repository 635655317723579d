"""Crossover: the three ways in which two rule sets make a third (the paper's algorithms 2 to 5)."""

from typing import Final

from evoter.kernels.compilation import inlined_kernel, kernel
from evoter.kernels.conditions.identity import copy_condition, sort_conditions
from evoter.kernels.layout import (
    ACTION,
    CROSSOVERS,
    DEFAULT,
    FIRST_NEW,
    N_CONDITIONS,
    N_NEW,
    N_RULES,
    SLOT,
    Antecedents,
    Floats,
    Grammar,
    Ints,
    Offspring,
    Population,
    Rates,
    Words,
)
from evoter.kernels.random import below, choose, uniform
from evoter.kernels.variation.create import keep_permitted, random_antecedent, random_certainty
from evoter.kernels.variation.pruning import prune_conditions

# Crossovers, in the order of their frequencies.
SINGLE_POINT: Final = 0
UNIFORM: Final = 1
COMBINE_RULES: Final = 2


@inlined_kernel
def load(antecedents: Antecedents, offspring: Offspring, slot: int, codes: Ints, numbers: Floats) -> int:
    """Copy the conditions of a rule to the scratch arrays; return their number."""
    if slot >= 0:
        n = antecedents.facts[slot, N_CONDITIONS]
        for c in range(n):
            copy_condition(antecedents.codes[slot, c], antecedents.numbers[slot, c], codes[c], numbers[c])
        return int(n)
    k = -1 - slot
    n = offspring.new_n_conditions[k]
    for c in range(n):
        copy_condition(offspring.new_codes[k, c], offspring.new_numbers[k, c], codes[c], numbers[c])
    return int(n)


@inlined_kernel
def store(offspring: Offspring, i: int, codes: Ints, numbers: Floats, n: int) -> int:
    """Write `n` conditions as a new antecedent of child `i`, in their one order; return its provisional slot."""
    sort_conditions(codes, numbers, n)
    k = offspring.header[i, FIRST_NEW] + offspring.header[i, N_NEW]
    for c in range(n):
        copy_condition(codes[c], numbers[c], offspring.new_codes[k, c], offspring.new_numbers[k, c])
    offspring.new_n_conditions[k] = n
    offspring.header[i, N_NEW] += 1
    return -1 - int(k)


@inlined_kernel
def append_rule(offspring: Offspring, i: int, slot: int, action: int, certainty: float) -> None:
    """Add a rule at the end of child `i`, unless it is full."""
    n = offspring.header[i, N_RULES]
    if n < offspring.rules.shape[1]:
        offspring.rules[i, n, SLOT] = slot
        offspring.rules[i, n, ACTION] = action
        offspring.certainties[i, n] = certainty
        offspring.header[i, N_RULES] = n + 1


@kernel
def append_random_rule(
    state: Words, grammar: Grammar, rates: Rates, offspring: Offspring, i: int, codes: Ints, numbers: Floats
) -> None:
    """Add a random rule at the end of child `i`, unless it is full or no condition drawn suits the action."""
    most = offspring.rules.shape[1]
    if offspring.header[i, N_NEW] == most or offspring.header[i, N_RULES] == most:
        return
    n = random_antecedent(state, grammar, rates.max_initial_conditions, codes, numbers)
    action = below(state, grammar.n_actions)
    certainty = random_certainty(state, grammar)
    n = keep_permitted(grammar, action, codes, numbers, n)
    if n > 0:
        append_rule(offspring, i, store(offspring, i, codes, numbers, n), action, certainty)


@kernel
def random_ruleset(
    state: Words, grammar: Grammar, rates: Rates, offspring: Offspring, i: int, codes: Ints, numbers: Floats
) -> None:
    """Make child `i` a random rule set."""
    offspring.header[i, N_RULES] = 0
    offspring.header[i, N_NEW] = 0
    for _ in range(1 + below(state, rates.max_initial_rules)):
        append_random_rule(state, grammar, rates, offspring, i, codes, numbers)
    offspring.header[i, DEFAULT] = below(state, grammar.n_actions)
    offspring.default_certainties[i] = random_certainty(state, grammar)


@inlined_kernel
def _active_rules(population: Population, applied: Ints, parent: int, out: Ints) -> int:
    """List the rules of a parent that held on some row; return their number."""
    n = 0
    for r in range(population.header[parent, N_RULES]):
        if applied[parent, r] > 0:
            out[n] = r
            n += 1
    return n


@inlined_kernel
def inherit(offspring: Offspring, i: int, population: Population, parent: int, r: int) -> None:
    """Append rule `r` of a parent to child `i`, certainty included."""
    append_rule(
        offspring,
        i,
        population.rules[parent, r, SLOT],
        population.rules[parent, r, ACTION],
        population.certainties[parent, r],
    )


@inlined_kernel
def clone(offspring: Offspring, i: int, population: Population, applied: Ints, parent: int, scratch: Ints) -> None:
    """Make child `i` a copy of a parent without its inactive rules."""
    offspring.header[i, N_RULES] = 0
    offspring.header[i, N_NEW] = 0
    for k in range(_active_rules(population, applied, parent, scratch)):
        inherit(offspring, i, population, parent, scratch[k])
    offspring.header[i, DEFAULT] = population.header[parent, DEFAULT]
    offspring.default_certainties[i] = population.default_certainties[parent]


@inlined_kernel
def cross(
    state: Words,
    grammar: Grammar,
    rates: Rates,
    population: Population,
    applied: Ints,
    mother: int,
    father: int,
    offspring: Offspring,
    i: int,
    codes: Ints,
    numbers: Floats,
    active: Ints,
) -> None:
    """Make child `i` of two parents by a strategy drawn at random; inactive rules do not take part."""
    offspring.header[i, N_RULES] = 0
    offspring.header[i, N_NEW] = 0
    hers, his = active[0], active[1]
    n_hers = _active_rules(population, applied, mother, hers)
    n_his = _active_rules(population, applied, father, his)
    strategy = choose(state, rates.frequencies[CROSSOVERS])
    if strategy == SINGLE_POINT:
        for k in range(below(state, n_hers + 1)):
            inherit(offspring, i, population, mother, hers[k])
        for k in range(below(state, n_his + 1), n_his):
            inherit(offspring, i, population, father, his[k])
    elif strategy == UNIFORM:
        for k in range(max(n_hers, n_his)):
            if k < n_hers and (k >= n_his or uniform(state) < 0.5):
                inherit(offspring, i, population, mother, hers[k])
            else:
                inherit(offspring, i, population, father, his[k])
    elif strategy == COMBINE_RULES and n_hers > 0:
        chosen = hers[below(state, n_hers)]
        for k in range(n_his):
            r = his[k]
            if population.rules[father, r, ACTION] == population.rules[mother, chosen, ACTION]:
                _combine(grammar, population, mother, chosen, father, r, offspring, i, codes, numbers)
            else:
                inherit(offspring, i, population, father, r)
    heir = mother if uniform(state) < 0.5 else father
    offspring.header[i, DEFAULT] = population.header[heir, DEFAULT]
    offspring.default_certainties[i] = population.default_certainties[heir]


@inlined_kernel
def _combine(
    grammar: Grammar,
    population: Population,
    mother: int,
    chosen: int,
    father: int,
    r: int,
    offspring: Offspring,
    i: int,
    codes: Ints,
    numbers: Floats,
) -> None:
    """Append a parent's rule with the chosen rule's conditions added; drop it where they contradict.

    A rule that would outgrow the limit of conditions stays as it was.
    """
    antecedents = population.antecedents
    n = load(antecedents, offspring, population.rules[father, r, SLOT], codes, numbers)
    n_both = n + load(antecedents, offspring, population.rules[mother, chosen, SLOT], codes[n:], numbers[n:])
    n = prune_conditions(grammar, codes, numbers, n, n_both)
    if n < 0:
        return
    if n == 0 or n > offspring.new_codes.shape[1] or offspring.header[i, N_NEW] == offspring.rules.shape[1]:
        inherit(offspring, i, population, father, r)
        return
    slot = store(offspring, i, codes, numbers, n)
    append_rule(offspring, i, slot, population.rules[father, r, ACTION], population.certainties[father, r])
