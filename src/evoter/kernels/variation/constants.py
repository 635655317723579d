"""Constants and coefficients: how they are drawn from the tables of the grammar, and moved at random."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.meaning import is_equality
from evoter.kernels.layout import (
    FIRST_CUT,
    FIRST_LEVEL,
    HIGH,
    KIND,
    LAST_CUT,
    LAST_LEVEL,
    LOW,
    N_CATEGORIES,
    NUMERIC,
    Floats,
    Grammar,
    Words,
)
from evoter.kernels.random import below, search, uniform

WIDEST_STEP: Final = 0.1
"""A perturbation moves a constant, coefficient or lag by at most this part of its table, grid or range."""


@kernel
def random_constant(state: Words, grammar: Grammar, feature: int, operator: int) -> float:
    """Draw a constant for a comparison of a feature with `operator`."""
    if grammar.features[feature, KIND] != NUMERIC:
        return float(below(state, grammar.features[feature, N_CATEGORIES]))
    first, last = constant_table(grammar, feature, operator)
    if first == last:
        return min(max(0.0, grammar.ranges[feature, LOW]), grammar.ranges[feature, HIGH])
    if grammar.uniform_constants:
        low, high = grammar.constants[first], grammar.constants[last - 1]
        return grammar.constants[first + nearest(grammar.constants[first:last], low + uniform(state) * (high - low))]
    return grammar.constants[first + below(state, last - first)]


@kernel
def random_coefficient(state: Words) -> float:
    """Draw a number from the grid 0.01, 0.02 ... 1.00."""
    return float(1 + int(uniform(state) * 100.0)) / 100.0


@kernel
def constant_table(grammar: Grammar, feature: int, operator: int) -> tuple[int, int]:
    """Return where the constants for a numeric feature begin and end: its levels for = and !=, else its cuts."""
    facts = grammar.features[feature]
    if is_equality(operator):
        return facts[FIRST_LEVEL], facts[LAST_LEVEL]
    return facts[FIRST_CUT], facts[LAST_CUT]


@kernel
def nearest(table: Floats, value: float) -> int:
    """Return the index of the entry of a sorted table that is nearest to a value."""
    k = search(table, value)
    if k == len(table) or (k > 0 and value - table[k - 1] < table[k] - value):
        k -= 1
    return k


@kernel
def perturbed_constant(state: Words, grammar: Grammar, feature: int, operator: int, constant: float) -> float:
    """Move a constant along the feature's table, or pick another category."""
    if grammar.features[feature, KIND] != NUMERIC:
        n = grammar.features[feature, N_CATEGORIES]
        return float((int(constant) + 1 + below(state, max(1, n - 1))) % n)
    first, last = constant_table(grammar, feature, operator)
    if first == last:
        return constant
    index = first + nearest(grammar.constants[first:last], constant) + random_step(state, float(last - first))
    return grammar.constants[min(max(index, first), last - 1)]


@kernel
def perturbed_coefficient(state: Words, coefficient: float) -> float:
    """Move a coefficient along its grid of 0.01 ... 1.00."""
    hundredths = int(np.rint(coefficient * 100.0)) + random_step(state, 100.0)
    return float(min(max(hundredths, 1), 100)) / 100.0


@kernel
def random_step(state: Words, n: float) -> int:
    """Draw a step up or down in a table of length `n`."""
    size = 1 + int(uniform(state) * max(1.0, WIDEST_STEP * n))
    return size if uniform(state) < 0.5 else -size
