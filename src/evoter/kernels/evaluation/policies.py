"""Policies at work: every rule set of a population decides on its own observations, one step at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.compilation import entry_kernel, inlined_kernel
from evoter.kernels.layout import (
    ACTION,
    CONSTANT,
    DEFAULT,
    EQ,
    GE,
    GT,
    IS_MISSING,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    N_CONDITIONS,
    N_RULES,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SLOT,
    Floats,
    Ints,
    Population,
)


class Past(NamedTuple):
    """The last observations of many episodes that began together, and how comparisons scale their features.

    `ring[step % depth, row]` is what was observed in an episode at a step; a lag reaches back as far as `depth` allows.
    """

    ring: Floats
    lows: Floats
    spans: Floats
    scaled: NDArray[np.bool_]


@inlined_kernel
def _power(value: float, power: int) -> float:
    """Raise to a power in exactly the interpreter's order of operations."""
    if power == 1:
        return value
    return value * value if power == 2 else value * value * value


@inlined_kernel
def _read(past: Past, now: int, row: int, feature: int, lag: int) -> float:
    """Read a feature of an earlier observation; `now` is the present one's place in the ring."""
    place = now - lag
    return past.ring[place if place >= 0 else place + len(past.ring), row, feature]


@inlined_kernel
def _comparable(past: Past, now: int, row: int, feature: int, lag: int) -> float:
    """Read a feature for a comparison with another, scaled where the schema says so."""
    value = _read(past, now, row, feature, lag)
    if not past.scaled[feature]:
        return value
    span = past.spans[feature]
    if span > 0.0:
        return (value - past.lows[feature]) / span
    return value if value != value else 0.0  # A feature without a span reads 0.


@inlined_kernel
def _compare(operator: int, left: float, right: float) -> bool:
    """Compare two numbers; NaN makes every comparison false."""
    if operator == LE:
        return left <= right
    if operator == GT:
        return left > right
    if operator == LT:
        return left < right
    if operator == GE:
        return left >= right
    if operator == EQ:
        return left == right
    return left < right or left > right


@inlined_kernel
def _holds(past: Past, step: int, now: int, row: int, codes: Ints, numbers: Floats) -> bool:
    """Tell whether a condition holds in an episode; a lag that reaches before its beginning makes it false."""
    operator, feature, lag = codes[OPERATOR], codes[LEFT], codes[LEFT_LAG]
    if lag > step or codes[RIGHT_LAG] > step:
        return False
    if codes[RIGHT] != CONSTANT:
        left = numbers[LEFT_COEFFICIENT] * _power(_comparable(past, now, row, feature, lag), codes[LEFT_POWER])
        value = _comparable(past, now, row, codes[RIGHT], codes[RIGHT_LAG])
        return _compare(operator, left, numbers[RIGHT_NUMBER] * _power(value, codes[RIGHT_POWER]))
    value = _read(past, now, row, feature, lag)
    if operator >= IS_MISSING:
        return (value != value) == (operator == IS_MISSING)
    return _compare(operator, numbers[LEFT_COEFFICIENT] * _power(value, codes[LEFT_POWER]), numbers[RIGHT_NUMBER])


@inlined_kernel
def decide(population: Population, i: int, past: Past, step: int, row: int, applied: Ints, decided: Ints) -> int:
    """Return the action of an individual in an episode, and count what its rules do; the first active rule decides.

    The last column of `decided` is the default's.
    """
    pool = population.antecedents
    now = step % len(past.ring)
    decider = -1
    for r in range(population.header[i, N_RULES]):
        slot = population.rules[i, r, SLOT]
        active = True
        for c in range(pool.facts[slot, N_CONDITIONS]):
            if not _holds(past, step, now, row, pool.codes[slot, c], pool.numbers[slot, c]):
                active = False
                break
        if active:
            applied[i, r] += 1
            if decider < 0:
                decider = r
    if decider < 0:
        decided[i, decided.shape[1] - 1] += 1
        return population.header[i, DEFAULT]
    decided[i, decider] += 1
    return population.rules[i, decider, ACTION]


@entry_kernel
def decide_each(
    first: int,
    last: int,
    population: Population,
    begins: Ints,
    past: Past,
    step: int,
    actions: Ints,
    applied: Ints,
    decided: Ints,
) -> None:
    """Write the actions of individuals `first` to `last`, each in its episodes, and count what their rules do.

    The episodes of individual `i` are the rows from `begins[i]` to `begins[i + 1]`.
    """
    for i in range(first, last):
        for row in range(begins[i], begins[i + 1]):
            actions[row] = decide(population, i, past, step, row, applied, decided)
