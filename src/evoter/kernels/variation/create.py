"""Creation at random: antecedents drawn from the grammar, condition by condition (the paper's algorithm 1)."""

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.identity import sort_conditions
from evoter.kernels.layout import Floats, Grammar, Ints, Words
from evoter.kernels.random import below
from evoter.kernels.variation.constants import random_coefficient
from evoter.kernels.variation.pruning import acceptable
from evoter.kernels.variation.single_conditions import random_condition

ATTEMPTS = 8
"""How often a random condition is redrawn if it contradicts or repeats another condition of its rule."""


@kernel
def add_random_condition(state: Words, grammar: Grammar, codes: Ints, numbers: Floats, n: int) -> bool:
    """Draw condition `n` of a rule that has `n` already; return whether an acceptable one was found."""
    for _ in range(ATTEMPTS):
        random_condition(state, grammar, codes[n], numbers[n])
        if acceptable(grammar, codes, numbers, n, n):
            return True
    return False


@kernel
def random_antecedent(state: Words, grammar: Grammar, max_conditions: int, codes: Ints, numbers: Floats) -> int:
    """Draw an antecedent of 1 to `max_conditions` conditions; return their number."""
    n = 1 + below(state, max_conditions)
    for k in range(n):
        if not add_random_condition(state, grammar, codes, numbers, k):
            n = max(k, 1)  # If none is acceptable, the last one drawn is kept.
            break
    sort_conditions(codes, numbers, n)
    return n


@kernel
def random_certainty(state: Words, grammar: Grammar) -> float:
    """Draw a certainty, which is 1 where the task does not evolve it."""
    return random_coefficient(state) if grammar.evolve_certainty else 1.0
