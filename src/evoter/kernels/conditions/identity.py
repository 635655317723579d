"""Copying, hashing, comparing and ordering conditions, whatever their form."""

import math

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    N_CODES,
    N_NUMBERS,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM,
    SUM_CONSTANT,
)
from evoter.kernels.conditions.meaning import form_of, mirrored
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.random import mix

_FACTOR = np.uint64(1_000_003)
_MANTISSA = 2.0**53
"""Turns the mantissa of any double into a whole number."""


@kernel
def copy_condition(codes: Ints, numbers: Floats, to_codes: Ints, to_numbers: Floats) -> None:
    """Copy one condition."""
    for k in range(N_CODES):
        to_codes[k] = codes[k]
    for k in range(N_NUMBERS):
        to_numbers[k] = numbers[k]


@kernel
def hash_condition(codes: Ints, numbers: Floats) -> np.uint64:
    """Return a hash of a condition; equal numbers have equal hashes, 0 and -0 included."""
    word = np.uint64(0)
    for k in range(N_CODES):
        word = word * _FACTOR + np.uint64(codes[k])
    for k in range(N_NUMBERS):
        mantissa, exponent = math.frexp(numbers[k])
        word = mix(word ^ np.uint64(np.int64(mantissa * _MANTISSA) + exponent))
    return word


@kernel
def same_condition(codes: Ints, numbers: Floats, other_codes: Ints, other_numbers: Floats) -> bool:
    """Tell whether two conditions are equal."""
    same = True
    for k in range(N_CODES):
        same &= codes[k] == other_codes[k]
    for k in range(N_NUMBERS):
        same &= numbers[k] == other_numbers[k]
    return same


@kernel
def orient(codes: Ints, numbers: Floats) -> None:
    """Exchange the features of a comparison or of a plain sum or difference if the later one comes first.

    A sum with another coefficient stays as it is: its other order has the inverse coefficient, which is seldom short.
    """
    form = form_of(codes)
    if form != SUM:
        numbers[SUM_CONSTANT] = 0.0
    is_plain_sum = form == SUM and numbers[LEFT_COEFFICIENT] == 1.0 and abs(numbers[RIGHT_NUMBER]) == 1.0
    if form != COMPARISON and not is_plain_sum:
        return
    in_order = codes[LEFT] < codes[RIGHT] or (codes[LEFT] == codes[RIGHT] and codes[LEFT_LAG] <= codes[RIGHT_LAG])
    if in_order:
        return
    codes[LEFT], codes[RIGHT] = codes[RIGHT], codes[LEFT]
    codes[LEFT_LAG], codes[RIGHT_LAG] = codes[RIGHT_LAG], codes[LEFT_LAG]
    if form == SUM:
        if numbers[RIGHT_NUMBER] < 0.0:  # a - b <= c is b - a >= -c; subtracting from 0 gives no -0
            numbers[SUM_CONSTANT] = 0.0 - numbers[SUM_CONSTANT]
            codes[OPERATOR] = mirrored(codes[OPERATOR])
        return
    codes[LEFT_POWER], codes[RIGHT_POWER] = codes[RIGHT_POWER], codes[LEFT_POWER]
    numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER] = numbers[RIGHT_NUMBER], numbers[LEFT_COEFFICIENT]
    codes[OPERATOR] = mirrored(codes[OPERATOR])


@kernel
def _before(a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> bool:
    """Order conditions by feature, then by everything else."""
    for k in range(N_CODES):
        if a[k] != b[k]:
            return bool(a[k] < b[k])
    for k in range(N_NUMBERS):
        if a_numbers[k] != b_numbers[k]:
            return bool(a_numbers[k] < b_numbers[k])
    return False


@kernel
def sort_conditions(codes: Ints, numbers: Floats, n: int) -> None:
    """Sort conditions, so that equal antecedents are equal arrays."""
    for k in range(1, n):
        j = k
        while j > 0 and _before(codes[j], numbers[j], codes[j - 1], numbers[j - 1]):
            for m in range(N_CODES):
                codes[j, m], codes[j - 1, m] = codes[j - 1, m], codes[j, m]
            for m in range(N_NUMBERS):
                numbers[j, m], numbers[j - 1, m] = numbers[j - 1, m], numbers[j, m]
            j -= 1
