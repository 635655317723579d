"""Policies at work: every rule set of a population decides on its own observations, one step at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.compilation import entry_kernel, inlined_kernel
from evoter.kernels.conditions.codes import LEFT, LEFT_LAG, RIGHT, RIGHT_LAG, THRESHOLD
from evoter.kernels.conditions.meaning import (
    form_of,
    holds,
    longest_lag,
    reads_scaled_values,
    reads_second_feature,
    scaled,
)
from evoter.kernels.layout import ACTION, DEFAULT, N_CONDITIONS, N_RULES, SLOT, Floats, Ints, Population


class Past(NamedTuple):
    """The last observations of many episodes that began together, and how comparisons scale their features.

    `ring[step % depth, row]` is what was observed in an episode at a step; a lag reaches back as far as `depth` allows.
    """

    ring: Floats
    lows: Floats
    spans: Floats
    scaled: NDArray[np.bool_]


@inlined_kernel
def _read(past: Past, now: int, row: int, feature: int, lag: int, to_scale: bool) -> float:
    """Read a feature of an earlier observation; `now` is the present one's index in the ring.

    With `to_scale`, it is scaled if the schema says so.
    """
    index = now - lag
    value = past.ring[index if index >= 0 else index + len(past.ring), row, feature]
    if to_scale and past.scaled[feature]:
        return scaled(value, past.lows[feature], past.spans[feature])
    return value


@inlined_kernel
def _holds(past: Past, step: int, now: int, row: int, codes: Ints, numbers: Floats) -> bool:
    """Tell whether a condition holds in an episode; a lag that reaches before its beginning makes it false."""
    if longest_lag(codes) > step:
        return False
    form = form_of(codes)
    if form == THRESHOLD:  # The most frequent form gets code without branches on the form.
        value = _read(past, now, row, codes[LEFT], codes[LEFT_LAG], reads_scaled_values(THRESHOLD))
        return holds(THRESHOLD, codes, numbers, value, value)
    to_scale = reads_scaled_values(form)
    first = _read(past, now, row, codes[LEFT], codes[LEFT_LAG], to_scale)
    second = first
    if reads_second_feature(codes):
        second = _read(past, now, row, codes[RIGHT], codes[RIGHT_LAG], to_scale)
    return holds(form, codes, numbers, first, second)


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
