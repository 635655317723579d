"""Pruning of rule sets: later rules that are logically equivalent to an earlier one are dropped (algorithm 9)."""

from evoter.kernels.compilation import entry_kernel, kernel
from evoter.kernels.conditions.logic import FIRST_IMPLIES, cannot_be_related, relation
from evoter.kernels.layout import (
    ACTION,
    COMPLEXITY,
    N_CONDITIONS,
    N_RULES,
    SIZE,
    SLOT,
    Antecedents,
    Grammar,
    Population,
)


@kernel
def _follows(grammar: Grammar, antecedents: Antecedents, slot: int, other: int) -> bool:
    """Tell whether each condition of the antecedent `other` follows from a single condition of the one in `slot`."""
    codes, numbers = antecedents.codes, antecedents.numbers
    for c in range(antecedents.facts[other, N_CONDITIONS]):
        implied = False
        for k in range(antecedents.facts[slot, N_CONDITIONS]):
            if cannot_be_related(codes[slot, k], codes[other, c]):
                continue
            related = relation(grammar, codes[slot, k], numbers[slot, k], codes[other, c], numbers[other, c])
            implied |= related == FIRST_IMPLIES
        if not implied:
            return False
    return True


@kernel
def are_equivalent(grammar: Grammar, antecedents: Antecedents, slot: int, other: int) -> bool:
    """Tell whether two antecedents hold at the same points, as far as the quick logic can tell.

    Antecedents are pruned: where one follows from the other, each of its conditions mostly follows from one of the
    other's, so that pairs of conditions tell.
    """
    if slot == other:
        return True
    return _follows(grammar, antecedents, slot, other) and _follows(grammar, antecedents, other, slot)


@entry_kernel
def drop_equivalent_rules(first: int, last: int, grammar: Grammar, population: Population) -> None:
    """Drop the later one of two rules with the same action and certainty and equivalent antecedents, in place.

    Only individuals `first` to `last` are pruned.
    """
    antecedents = population.antecedents
    for i in range(first, last):
        n = 0
        for r in range(population.header[i, N_RULES]):
            slot = population.rules[i, r, SLOT]
            action, certainty = population.rules[i, r, ACTION], population.certainties[i, r]
            repeated = False
            for j in range(n):
                if population.rules[i, j, ACTION] == action and population.certainties[i, j] == certainty:
                    repeated |= are_equivalent(grammar, antecedents, population.rules[i, j, SLOT], slot)
            if repeated:
                population.header[i, COMPLEXITY] -= antecedents.facts[slot, SIZE]
                continue
            population.rules[i, n, SLOT] = slot
            population.rules[i, n, ACTION] = action
            population.certainties[i, n] = certainty
            n += 1
        population.header[i, N_RULES] = n
