"""Pruning: conditions of a rule that say nothing new, and new ones that would contradict or repeat another."""

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.identity import copy_condition
from evoter.kernels.conditions.logic import (
    ALWAYS,
    CONTRADICTION,
    DEPENDS,
    FIRST_IMPLIES,
    NEVER,
    SECOND_IMPLIES,
    UNRELATED,
    cannot_be_related,
    may_be_absent,
    relation,
    truth,
)
from evoter.kernels.layout import Floats, Grammar, Ints


@kernel
def prune_conditions(grammar: Grammar, codes: Ints, numbers: Floats, n_pruned: int, n: int) -> int:
    """Drop tautologies and redundant conditions in place; return how many are left, or -1 for a rule that never holds.

    The first `n_pruned` conditions have been pruned already. A tautology on a feature that may be missing, or on a lag,
    still asks for the value to be there: it is kept.
    """
    kept = n_pruned
    for k in range(n_pruned, n):
        certain = truth(grammar, codes[k], numbers[k])
        if certain == NEVER:
            return -1
        if certain == ALWAYS and not may_be_absent(grammar, codes[k]):
            continue
        wanted = True
        j = 0
        while j < kept:
            if cannot_be_related(codes[j], codes[k]):
                j += 1
                continue
            related = relation(grammar, codes[j], numbers[j], codes[k], numbers[k])
            if related == CONTRADICTION:
                return -1
            if related == FIRST_IMPLIES:
                wanted = False
                break
            if related == SECOND_IMPLIES:
                kept -= 1
                for m in range(j, kept):
                    copy_condition(codes[m + 1], numbers[m + 1], codes[m], numbers[m])
            else:
                j += 1
        if wanted:
            copy_condition(codes[k], numbers[k], codes[kept], numbers[kept])
            kept += 1
    return kept


@kernel
def acceptable(grammar: Grammar, codes: Ints, numbers: Floats, n: int, candidate: int) -> bool:
    """Tell whether condition `candidate` is informative and neither contradicts nor repeats any other of the rule."""
    if truth(grammar, codes[candidate], numbers[candidate]) != DEPENDS:
        return False
    for k in range(n):
        if (
            k != candidate
            and relation(grammar, codes[k], numbers[k], codes[candidate], numbers[candidate]) != UNRELATED
        ):
            return False
    return True
