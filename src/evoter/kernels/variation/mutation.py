"""Mutation: single random changes of conditions, rules and rule sets (the paper's algorithms 6 to 8)."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import inlined_kernel, kernel
from evoter.kernels.conditions import copy_condition, orient
from evoter.kernels.layout import (
    ACTION,
    CONDITION_MUTATIONS,
    CONDITION_STRATEGIES,
    CONSTANT,
    DEFAULT,
    IS_MISSING,
    IS_PRESENT,
    KIND,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    MUTATION_LEVELS,
    N_CATEGORIES,
    N_NEW,
    N_RULES,
    NE,
    NUMERIC,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    RULE_MUTATIONS,
    RULESET_MUTATIONS,
    SLOT,
    Antecedents,
    Floats,
    Grammar,
    Ints,
    Offspring,
    Rates,
    Words,
)
from evoter.kernels.random import below, choose, uniform
from evoter.kernels.variation.create import (
    add_random_condition,
    constant_table,
    nearest,
    random_certainty,
    random_condition,
    random_constant,
    random_operator,
    random_partner,
)
from evoter.kernels.variation.crossover import append_random_rule, load, store
from evoter.kernels.variation.relations import acceptable

RULESET_LEVEL: Final = 0
RULE_LEVEL: Final = 1

ADD_RULE: Final = 0
REMOVE_RULE: Final = 1
CHANGE_DEFAULT: Final = 2
REORDER: Final = 3

CHANGE_ACTION: Final = 0
CHANGE_CERTAINTY: Final = 1
CHANGE_CONDITIONS: Final = 2

IN_PLACE: Final = 0
REMOVAL: Final = 1
ADDITION: Final = 2

PERTURBATION: Final = 0
CHANGE_OPERATOR: Final = 1
CHANGE_LAG: Final = 2
CHANGE_FEATURE: Final = 3

WIDEST_STEP: Final = 0.1
"""A perturbation moves a constant, coefficient or lag by at most this part of its table, grid or range."""


@kernel
def _step(state: Words, n: float) -> int:
    """Draw a step up or down for something with `n` places."""
    size = 1 + int(uniform(state) * max(1.0, WIDEST_STEP * n))
    return size if uniform(state) < 0.5 else -size


@kernel
def _perturbed_coefficient(state: Words, coefficient: float) -> float:
    """Move a coefficient along its grid of 0.01 ... 1.00."""
    hundredths = int(np.rint(coefficient * 100.0)) + _step(state, 100.0)
    return float(min(max(hundredths, 1), 100)) / 100.0


@kernel
def _perturbed_constant(state: Words, grammar: Grammar, feature: int, operator: int, constant: float) -> float:
    """Move a constant along the feature's table, or pick another category."""
    if grammar.features[feature, KIND] != NUMERIC:
        n = grammar.features[feature, N_CATEGORIES]
        return float((int(constant) + 1 + below(state, max(1, n - 1))) % n)
    first, last = constant_table(grammar, feature, operator)
    if first == last:
        return constant
    place = first + nearest(grammar.constants[first:last], constant) + _step(state, float(last - first))
    return grammar.constants[min(max(place, first), last - 1)]


@kernel
def _perturb(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Change the constant of a condition, or a coefficient or power of a comparison between features."""
    if codes[OPERATOR] >= IS_MISSING:
        codes[OPERATOR] = IS_MISSING + IS_PRESENT - codes[OPERATOR]
    elif codes[RIGHT] == CONSTANT:
        numbers[RIGHT_NUMBER] = _perturbed_constant(
            state, grammar, codes[LEFT], codes[OPERATOR], numbers[RIGHT_NUMBER] / numbers[LEFT_COEFFICIENT]
        )
        numbers[LEFT_COEFFICIENT] = 1.0
    elif grammar.max_power > 1 and uniform(state) < 0.25:
        codes[LEFT_POWER if uniform(state) < 0.5 else RIGHT_POWER] = 1 + below(state, grammar.max_power)
    else:
        side = LEFT_COEFFICIENT if uniform(state) < 0.5 else RIGHT_NUMBER
        numbers[side] = _perturbed_coefficient(state, numbers[side])


@kernel
def _change_operator(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Draw another operator; a constant moves to the table that the operator reads."""
    operator = codes[OPERATOR]
    if operator >= IS_MISSING:
        codes[OPERATOR] = IS_MISSING + IS_PRESENT - operator
    elif grammar.features[codes[LEFT], KIND] != NUMERIC:
        codes[OPERATOR] = 1 - operator
    else:
        codes[OPERATOR] = random_operator(state, grammar, codes[LEFT])
        if codes[RIGHT] == CONSTANT and (operator <= NE) != (codes[OPERATOR] <= NE):
            numbers[RIGHT_NUMBER] = random_constant(state, grammar, codes[LEFT], codes[OPERATOR])


@kernel
def _change_feature(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Read another feature: on either side of a comparison between features, with a new constant otherwise."""
    if codes[RIGHT] == CONSTANT or uniform(state) < 0.5:
        random_condition(state, grammar, codes, numbers)
        return
    partner = random_partner(state, grammar, codes[LEFT])
    if partner != CONSTANT:
        codes[RIGHT] = partner


@kernel
def _changed_lag(state: Words, grammar: Grammar, lag: int) -> int:
    """Draw a new lag, as often near the old one as anywhere: neighbouring times tell similar things."""
    if uniform(state) < 0.5:
        return below(state, grammar.max_lag + 1)
    return min(max(lag + _step(state, float(grammar.max_lag + 1)), 0), grammar.max_lag)


@inlined_kernel
def mutate_condition(state: Words, grammar: Grammar, rates: Rates, codes: Ints, numbers: Floats) -> None:
    """Change one thing about a condition."""
    mutation = choose(state, rates.frequencies[CONDITION_MUTATIONS])
    if mutation == CHANGE_LAG and grammar.max_lag > 0:
        side = RIGHT_LAG if codes[RIGHT] != CONSTANT and uniform(state) < 0.5 else LEFT_LAG
        codes[side] = _changed_lag(state, grammar, codes[side])
    elif mutation == CHANGE_OPERATOR:
        _change_operator(state, grammar, codes, numbers)
    elif mutation == CHANGE_FEATURE:
        _change_feature(state, grammar, codes, numbers)
    else:
        _perturb(state, grammar, codes, numbers)
    orient(codes, numbers)


@inlined_kernel
def _mutate_conditions(
    state: Words,
    grammar: Grammar,
    rates: Rates,
    antecedents: Antecedents,
    offspring: Offspring,
    i: int,
    r: int,
    codes: Ints,
    numbers: Floats,
) -> None:
    """Change, remove or add a condition of rule `r`; reject what contradicts or repeats another condition."""
    if offspring.header[i, N_NEW] == offspring.rules.shape[1]:
        return
    n = load(antecedents, offspring, offspring.rules[i, r, SLOT], codes, numbers)
    strategy = choose(state, rates.frequencies[CONDITION_STRATEGIES])
    if strategy == IN_PLACE:
        k = below(state, n)
        mutate_condition(state, grammar, rates, codes[k], numbers[k])
        if not acceptable(grammar, codes, numbers, n, k):
            return
    elif strategy == REMOVAL and n > 1:
        k = below(state, n)
        n -= 1
        copy_condition(codes[n], numbers[n], codes[k], numbers[k])
    else:
        if n == offspring.new_codes.shape[1] or not add_random_condition(state, grammar, codes, numbers, n):
            return
        n += 1
    offspring.rules[i, r, SLOT] = store(offspring, i, codes, numbers, n)


@inlined_kernel
def _mutate_rule(
    state: Words,
    grammar: Grammar,
    rates: Rates,
    antecedents: Antecedents,
    offspring: Offspring,
    i: int,
    codes: Ints,
    numbers: Floats,
) -> None:
    """Change the action, the certainty or the conditions of a random rule."""
    r = below(state, offspring.header[i, N_RULES])
    mutation = choose(state, rates.frequencies[RULE_MUTATIONS])
    if mutation == CHANGE_ACTION:
        offspring.rules[i, r, ACTION] = below(state, grammar.n_actions)
    elif mutation == CHANGE_CERTAINTY and grammar.evolve_certainty:
        offspring.certainties[i, r] = random_certainty(state, grammar)
    else:
        _mutate_conditions(state, grammar, rates, antecedents, offspring, i, r, codes, numbers)


@inlined_kernel
def _move_rule(offspring: Offspring, i: int, source: int, target: int) -> None:
    """Copy rule `source` of child `i` over rule `target`."""
    offspring.rules[i, target, SLOT] = offspring.rules[i, source, SLOT]
    offspring.rules[i, target, ACTION] = offspring.rules[i, source, ACTION]
    offspring.certainties[i, target] = offspring.certainties[i, source]


@inlined_kernel
def _reorder(state: Words, offspring: Offspring, i: int) -> None:
    """Shuffle the rules of child `i`."""
    for r in range(offspring.header[i, N_RULES] - 1, 0, -1):
        k = below(state, r + 1)
        slot, action = offspring.rules[i, r, SLOT], offspring.rules[i, r, ACTION]
        certainty = offspring.certainties[i, r]
        _move_rule(offspring, i, k, r)
        offspring.rules[i, k, SLOT] = slot
        offspring.rules[i, k, ACTION] = action
        offspring.certainties[i, k] = certainty


@inlined_kernel
def mutate(
    state: Words,
    grammar: Grammar,
    rates: Rates,
    antecedents: Antecedents,
    offspring: Offspring,
    i: int,
    codes: Ints,
    numbers: Floats,
) -> None:
    """Make one random change to child `i`."""
    if choose(state, rates.frequencies[MUTATION_LEVELS]) == RULE_LEVEL and offspring.header[i, N_RULES] > 0:
        _mutate_rule(state, grammar, rates, antecedents, offspring, i, codes, numbers)
        return
    mutation = choose(state, rates.frequencies[RULESET_MUTATIONS])
    if mutation == ADD_RULE:
        append_random_rule(state, grammar, rates, offspring, i, codes, numbers)
    elif mutation == REMOVE_RULE:
        if offspring.header[i, N_RULES] > 1:
            removed = below(state, offspring.header[i, N_RULES])
            for r in range(removed, offspring.header[i, N_RULES] - 1):
                _move_rule(offspring, i, r + 1, r)
            offspring.header[i, N_RULES] -= 1
    elif mutation == CHANGE_DEFAULT:
        offspring.header[i, DEFAULT] = below(state, grammar.n_actions)
        offspring.default_certainties[i] = random_certainty(state, grammar)
    else:
        _reorder(state, offspring, i)
