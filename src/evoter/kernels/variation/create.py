"""Creation at random: antecedents drawn from the grammar, condition by condition (the paper's algorithm 1)."""

from typing import Final

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.identity import copy_condition, sort_conditions
from evoter.kernels.conditions.trends import make_permitted
from evoter.kernels.layout import Floats, Grammar, Ints, Words
from evoter.kernels.random import below
from evoter.kernels.variation.constants import random_coefficient
from evoter.kernels.variation.pruning import acceptable, prune_conditions
from evoter.kernels.variation.single_conditions import random_condition

ATTEMPTS = 8
"""How often a random condition is redrawn if it contradicts or repeats another condition of its rule."""

NO_ACTION: Final = -1
"""Instead of an action that is not drawn yet."""


@kernel
def add_random_condition(state: Words, grammar: Grammar, codes: Ints, numbers: Floats, n: int, action: int) -> bool:
    """Draw condition `n` of a rule that has `n` already; return whether an acceptable one was found.

    It is one that rules for `action` may have; with NO_ACTION, any.
    """
    for _ in range(ATTEMPTS):
        random_condition(state, grammar, codes[n], numbers[n])
        if action != NO_ACTION and not make_permitted(grammar, action, codes[n], numbers[n]):
            continue
        if acceptable(grammar, codes, numbers, n, n):
            return True
    return False


@kernel
def random_antecedent(state: Words, grammar: Grammar, max_conditions: int, codes: Ints, numbers: Floats) -> int:
    """Draw an antecedent of 1 to `max_conditions` conditions; return their number."""
    n = 1 + below(state, max_conditions)
    for k in range(n):
        if not add_random_condition(state, grammar, codes, numbers, k, NO_ACTION):
            n = max(k, 1)  # If none is acceptable, the last one drawn is kept.
            break
    sort_conditions(codes, numbers, n)
    return n


@kernel
def keep_permitted(grammar: Grammar, action: int, codes: Ints, numbers: Floats, n: int) -> int:
    """Make conditions fit for a rule for an action, or drop them; return their number, -1 if they contradict."""
    if len(grammar.trends) == 0:
        return n
    kept = 0
    for k in range(n):
        if make_permitted(grammar, action, codes[k], numbers[k]):
            copy_condition(codes[k], numbers[k], codes[kept], numbers[kept])
            kept += 1
    return prune_conditions(grammar, codes, numbers, 0, kept)


@kernel
def random_certainty(state: Words, grammar: Grammar) -> float:
    """Draw a certainty, which is 1 where the task does not evolve it."""
    return random_coefficient(state) if grammar.evolve_certainty else 1.0
