"""Crossover: the three ways in which two rule sets make a third (the paper's algorithms 2 to 5)."""

from typing import Final

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions import copy_conditions, sort_conditions
from evoter.kernels.create import random_antecedent, random_certainty
from evoter.kernels.layout import CROSSOVERS, Antecedents, Floats, Grammar, Ints, Offspring, Population, Rates, Words
from evoter.kernels.random import below, choose, uniform
from evoter.kernels.relations import prune_conditions

SINGLE_POINT: Final = 0
UNIFORM: Final = 1
COMBINE_RULES: Final = 2


@kernel
def load(antecedents: Antecedents, offspring: Offspring, i: int, slot: int, codes: Ints, numbers: Floats, at: int) -> int:
    """Copy the conditions of a rule of child `i` to row `at` of the scratch arrays and on; return their number."""
    if slot >= 0:
        n = antecedents.n_conditions[slot]
        copy_conditions(antecedents.codes[slot], antecedents.numbers[slot], 0, n, codes, numbers, at)
        return int(n)
    k = -1 - slot
    n = offspring.new_n_conditions[i, k]
    copy_conditions(offspring.new_codes[i, k], offspring.new_numbers[i, k], 0, n, codes, numbers, at)
    return int(n)


@kernel
def has_room(offspring: Offspring, i: int) -> bool:
    """Tell whether child `i` may write another new antecedent."""
    return bool(offspring.n_new[i] < offspring.new_n_conditions.shape[1])


@kernel
def store(offspring: Offspring, i: int, codes: Ints, numbers: Floats, n: int) -> int:
    """Write `n` conditions as a new antecedent of child `i`, in their one order; return its provisional slot."""
    sort_conditions(codes, numbers, n)
    k = offspring.n_new[i]
    copy_conditions(codes, numbers, 0, n, offspring.new_codes[i, k], offspring.new_numbers[i, k], 0)
    offspring.new_n_conditions[i, k] = n
    offspring.n_new[i] = k + 1
    return -1 - int(k)


@kernel
def append_rule(offspring: Offspring, i: int, slot: int, action: int, certainty: float) -> None:
    """Add a rule at the end of child `i`, unless it is full."""
    n = offspring.n_rules[i]
    if n < offspring.slots.shape[1]:
        offspring.slots[i, n] = slot
        offspring.actions[i, n] = action
        offspring.certainties[i, n] = certainty
        offspring.n_rules[i] = n + 1


@kernel
def append_random_rule(
    state: Words, grammar: Grammar, rates: Rates, offspring: Offspring, i: int, codes: Ints, numbers: Floats
) -> None:
    """Add a random rule at the end of child `i`, unless it is full."""
    if not has_room(offspring, i) or offspring.n_rules[i] == offspring.slots.shape[1]:
        return
    n = random_antecedent(state, grammar, rates.max_initial_conditions, codes, numbers)
    slot = store(offspring, i, codes, numbers, n)
    append_rule(offspring, i, slot, below(state, grammar.n_actions), random_certainty(state, grammar))


@kernel
def random_ruleset(
    state: Words, grammar: Grammar, rates: Rates, offspring: Offspring, i: int, codes: Ints, numbers: Floats
) -> None:
    """Make child `i` a random rule set."""
    offspring.n_rules[i] = 0
    offspring.n_new[i] = 0
    for _ in range(1 + below(state, rates.max_initial_rules)):
        append_random_rule(state, grammar, rates, offspring, i, codes, numbers)
    offspring.defaults[i] = below(state, grammar.n_actions)
    offspring.default_certainties[i] = random_certainty(state, grammar)


@kernel
def _active_rules(population: Population, applied: Ints, parent: int, out: Ints) -> int:
    """List the rules of a parent that held on some row; return their number."""
    n = 0
    for r in range(population.n_rules[parent]):
        if applied[parent, r] > 0:
            out[n] = r
            n += 1
    return n


@kernel
def inherit(offspring: Offspring, i: int, population: Population, parent: int, r: int) -> None:
    """Append rule `r` of a parent to child `i`, certainty included."""
    append_rule(
        offspring, i, population.slots[parent, r], population.actions[parent, r], population.certainties[parent, r]
    )


@kernel
def clone(
    offspring: Offspring, i: int, population: Population, applied: Ints, parent: int, scratch: Ints
) -> None:
    """Make child `i` a copy of a parent without its inactive rules."""
    offspring.n_rules[i] = 0
    offspring.n_new[i] = 0
    for k in range(_active_rules(population, applied, parent, scratch)):
        inherit(offspring, i, population, parent, scratch[k])
    offspring.defaults[i] = population.defaults[parent]
    offspring.default_certainties[i] = population.default_certainties[parent]


@kernel
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
    offspring.n_rules[i] = 0
    offspring.n_new[i] = 0
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
    elif n_hers > 0:
        chosen = hers[below(state, n_hers)]
        for k in range(n_his):
            r = his[k]
            if population.actions[father, r] == population.actions[mother, chosen]:
                _combine(grammar, population, mother, chosen, father, r, offspring, i, codes, numbers)
            else:
                inherit(offspring, i, population, father, r)
    heir = mother if uniform(state) < 0.5 else father
    offspring.defaults[i] = population.defaults[heir]
    offspring.default_certainties[i] = population.default_certainties[heir]


@kernel
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
    n = load(antecedents, offspring, i, population.slots[father, r], codes, numbers, 0)
    n += load(antecedents, offspring, i, population.slots[mother, chosen], codes, numbers, n)
    n = prune_conditions(grammar, codes, numbers, n)
    if n < 0:
        return
    if n == 0 or n > offspring.new_codes.shape[2] or not has_room(offspring, i):
        inherit(offspring, i, population, father, r)
        return
    slot = store(offspring, i, codes, numbers, n)
    append_rule(offspring, i, slot, population.actions[father, r], population.certainties[father, r])
