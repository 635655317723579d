"""Mutation: single random changes of conditions, rules and rule sets (the paper's algorithms 6 to 8)."""

from typing import Final

from evoter.kernels.compilation import inlined_kernel
from evoter.kernels.conditions.identity import copy_condition
from evoter.kernels.conditions.trends import are_permitted, make_permitted
from evoter.kernels.layout import (
    ACTION,
    CONDITION_STRATEGIES,
    DEFAULT,
    MUTATION_LEVELS,
    N_NEW,
    N_RULES,
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
from evoter.kernels.random import below, choose
from evoter.kernels.variation.create import add_random_condition, random_certainty
from evoter.kernels.variation.crossover import append_random_rule, load, store
from evoter.kernels.variation.pruning import acceptable
from evoter.kernels.variation.single_conditions import mutate_condition

# What is drawn at each level, in the order of the frequencies.
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
    """Change, remove or add a condition of rule `r`; reject what contradicts or repeats another condition.

    What rules for its action may not have is rejected, too.
    """
    if offspring.header[i, N_NEW] == offspring.rules.shape[1]:
        return
    action = offspring.rules[i, r, ACTION]
    n = load(antecedents, offspring, offspring.rules[i, r, SLOT], codes, numbers)
    strategy = choose(state, rates.frequencies[CONDITION_STRATEGIES])
    if strategy == REMOVAL and n == 1:
        strategy = ADDITION
    if strategy == IN_PLACE:
        k = below(state, n)
        mutate_condition(state, grammar, rates, codes[k], numbers[k])
        if not make_permitted(grammar, action, codes[k], numbers[k]) or not acceptable(grammar, codes, numbers, n, k):
            return
    elif strategy == REMOVAL:
        k = below(state, n)
        n -= 1
        copy_condition(codes[n], numbers[n], codes[k], numbers[k])
    elif strategy == ADDITION:
        if n == offspring.new_codes.shape[1] or not add_random_condition(state, grammar, codes, numbers, n, action):
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
    """Change the action, the certainty or the conditions of a random rule; its conditions must suit a new action."""
    r = below(state, offspring.header[i, N_RULES])
    mutation = choose(state, rates.frequencies[RULE_MUTATIONS])
    if mutation == CHANGE_CERTAINTY and not grammar.evolve_certainty:
        mutation = CHANGE_CONDITIONS
    if mutation == CHANGE_ACTION:
        action = below(state, grammar.n_actions)
        n = load(antecedents, offspring, offspring.rules[i, r, SLOT], codes, numbers)
        if are_permitted(grammar, action, codes, numbers, n):
            offspring.rules[i, r, ACTION] = action
    elif mutation == CHANGE_CERTAINTY:
        offspring.certainties[i, r] = random_certainty(state, grammar)
    elif mutation == CHANGE_CONDITIONS:
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
    level = choose(state, rates.frequencies[MUTATION_LEVELS])
    if offspring.header[i, N_RULES] == 0:
        level = RULESET_LEVEL
    if level == RULE_LEVEL:
        _mutate_rule(state, grammar, rates, antecedents, offspring, i, codes, numbers)
    elif level == RULESET_LEVEL:
        _mutate_ruleset(state, grammar, rates, offspring, i, codes, numbers)


@inlined_kernel
def _mutate_ruleset(
    state: Words, grammar: Grammar, rates: Rates, offspring: Offspring, i: int, codes: Ints, numbers: Floats
) -> None:
    """Add or remove a rule, change the default, or shuffle the rules."""
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
    elif mutation == REORDER:
        _reorder(state, offspring, i)
