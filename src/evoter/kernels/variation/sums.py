"""Weighted sums of two features: how they are drawn and changed at random, with short coefficients and constants.

A coefficient is drawn from the grid m * 10^e, near the ratio of what the two features vary by; a constant is what the
sum is for a cut of each feature, rounded to a step that suits its spread.
"""

from typing import Final

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.codes import (
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM_CONSTANT,
    SUMMED,
)
from evoter.kernels.conditions.meaning import added
from evoter.kernels.layout import FIRST_CUT, HIGH, LAST_CUT, LOW, Floats, Grammar, Ints, Words
from evoter.kernels.random import below, uniform
from evoter.kernels.variation.constants import random_constant, random_step

TENTHS: Final = (10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90)
"""The first digits of coefficients, in tenths: about evenly spaced in proportion, and at most two digits long."""

PER_DECADE: Final = len(TENTHS)
LEAST_DECADE: Final = -12
MOST_DECADE: Final = 12
N_COEFFICIENTS: Final = (MOST_DECADE - LEAST_DECADE) * PER_DECADE
"""Coefficients on the grid, from 1e-12 up to 9e11."""

STEPS_PER_SPREAD: Final = 20
"""A constant is rounded to a power of ten, of which the spread of the sum is at least this many."""

_MOST_DECIMALS: Final = 22
"""Powers of ten up to this one are exact doubles, so that rounding to them gives short numbers."""


@kernel
def coefficient_at(position: int) -> float:
    """Return a coefficient of the grid: position 0 is the least, and PER_DECADE further it is ten times as much."""
    exponent = LEAST_DECADE + position // PER_DECADE - 1
    tenths = float(TENTHS[position % PER_DECADE])
    return tenths * 10.0**exponent if exponent >= 0 else tenths / 10.0**-exponent


@kernel
def nearest_coefficient(coefficient: float) -> int:
    """Return the position on the grid that is nearest, in proportion, to a coefficient above 0."""
    first, last = 0, N_COEFFICIENTS - 1
    while first < last:
        middle = (first + last) // 2
        if coefficient_at(middle) * coefficient_at(middle + 1) < coefficient * coefficient:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def spread(grammar: Grammar, feature: int) -> float:
    """Return what a feature varies by: the distance of the quartiles of its cuts, or of its ends if it has few."""
    first, last = grammar.features[feature, FIRST_CUT], grammar.features[feature, LAST_CUT]
    n = last - first
    width = 0.0
    if n > 0:
        width = grammar.constants[last - 1 - n // 4] - grammar.constants[first + n // 4]
    if not 0.0 < width < np.inf:
        width = grammar.ranges[feature, HIGH] - grammar.ranges[feature, LOW]
    return width if 0.0 < width < np.inf else 1.0


@kernel
def rounded_sum(grammar: Grammar, codes: Ints, numbers: Floats, value: float) -> float:
    """Round a constant for a sum to a power of ten that suits the spread of the sum."""
    if not abs(value) < np.inf:
        return 0.0
    decimals = _decimals(grammar, codes, numbers)
    power = 10.0 ** abs(decimals)
    result = np.rint(value * power) / power if decimals >= 0 else np.rint(value / power) * power
    return result + 0.0 if abs(result) < np.inf else value  # adding 0 turns -0 into 0


@kernel
def _spread_of_sum(grammar: Grammar, codes: Ints, numbers: Floats) -> float:
    first = abs(numbers[LEFT_COEFFICIENT]) * spread(grammar, codes[LEFT])
    return first + abs(numbers[RIGHT_NUMBER]) * spread(grammar, codes[RIGHT])


@kernel
def _decimals(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    """Return to how many decimals constants of a sum are rounded, below 0 where they end in zeros."""
    width = _spread_of_sum(grammar, codes, numbers)
    if not 0.0 < width < np.inf:
        return 0
    return int(min(max(np.ceil(np.log10(STEPS_PER_SPREAD / width)), -_MOST_DECIMALS), _MOST_DECIMALS))


@kernel
def random_addend(state: Words, grammar: Grammar, feature: int) -> int:
    """Draw a feature to add, of any unit, which is the feature itself only if there are lags; -1 if there is none.

    All numeric features that vary are partners of some feature, each of them once.
    """
    n = len(grammar.partners)
    if n < 1 or (grammar.max_lag == 0 and n < 2):
        return -1
    k = below(state, n)
    if grammar.partners[k] == feature and grammar.max_lag == 0:
        k = k + 1 if k + 1 < n else 0
    return int(grammar.partners[k])


@kernel
def make_sum(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> bool:
    """Add another feature to the left one, whose lag stays, and draw coefficient and constant; False if there is none.

    The operator is left to the caller.
    """
    addend = random_addend(state, grammar, codes[LEFT])
    if addend < 0:
        return False
    codes[LEFT_POWER], codes[RIGHT], codes[RIGHT_POWER] = 1, addend, SUMMED
    codes[RIGHT_LAG] = below(state, grammar.max_lag + 1)
    separate_lags(grammar, codes)
    # Up to ten times more or less than what makes both vary alike, which is the most probable.
    away = below(state, PER_DECADE + 1) - below(state, PER_DECADE + 1)
    position = nearest_coefficient(spread(grammar, codes[LEFT]) / spread(grammar, addend)) + away
    numbers[LEFT_COEFFICIENT] = 1.0
    numbers[RIGHT_NUMBER] = coefficient_at(min(max(position, 0), N_COEFFICIENTS - 1))
    if uniform(state) < 0.5:
        numbers[RIGHT_NUMBER] = -numbers[RIGHT_NUMBER]
    first = random_constant(state, grammar, codes[LEFT], LT)
    second = random_constant(state, grammar, addend, LT)
    value = added(first, 1.0, second, numbers[RIGHT_NUMBER])
    numbers[SUM_CONSTANT] = rounded_sum(grammar, codes, numbers, value)
    return True


@kernel
def separate_lags(grammar: Grammar, codes: Ints) -> None:
    """Move the second lag of a sum by one if it reads one feature twice at the same time."""
    if codes[LEFT] == codes[RIGHT] and codes[LEFT_LAG] == codes[RIGHT_LAG]:
        codes[RIGHT_LAG] += 1 if codes[RIGHT_LAG] < grammar.max_lag else -1


@kernel
def perturb_sum(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Move the constant of a sum, or change its second coefficient or the sign of that.

    With another coefficient, the line where the sum equals its constant turns about one of its points, at a cut of the
    second feature.
    """
    constant, coefficient = numbers[SUM_CONSTANT], numbers[RIGHT_NUMBER]
    choice = uniform(state)
    if choice < 0.5:
        width = _spread_of_sum(grammar, codes, numbers)
        step = 10.0 ** float(-_decimals(grammar, codes, numbers))
        constant += step * random_step(state, min(2.0 * width / step, 2.0**31))
    else:
        if choice < 0.9:
            position = nearest_coefficient(abs(coefficient)) + random_step(state, 2.0 * PER_DECADE)
            changed = coefficient_at(min(max(position, 0), N_COEFFICIENTS - 1))
            changed = changed if coefficient > 0.0 else -changed
        else:
            changed = -coefficient
        constant += (changed - coefficient) * random_constant(state, grammar, codes[RIGHT], LT)
        numbers[RIGHT_NUMBER] = changed
    numbers[SUM_CONSTANT] = rounded_sum(grammar, codes, numbers, constant)
