"""Conditions as rows of codes and numbers: copied, turned round, and brought into one order."""

import math

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.layout import (
    CONSTANT,
    GE,
    GT,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    N_CODES,
    N_NUMBERS,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    Floats,
    Ints,
)
from evoter.kernels.random import mix

_FACTOR = np.uint64(1_000_003)
_MANTISSA = 2.0**53
"""Makes a whole number of the mantissa of any double."""


@kernel
def copy_condition(codes: Ints, numbers: Floats, to_codes: Ints, to_numbers: Floats) -> None:
    """Copy one condition."""
    for k in range(N_CODES):
        to_codes[k] = codes[k]
    for k in range(N_NUMBERS):
        to_numbers[k] = numbers[k]


@kernel
def hash_condition(codes: Ints, numbers: Floats) -> np.uint64:
    """Return a hash of a condition; equal numbers, also 0 and -0, hash alike, whatever their size."""
    word = np.uint64(0)
    for k in range(N_CODES):
        word = word * _FACTOR + np.uint64(codes[k])
    for k in range(N_NUMBERS):
        mantissa, exponent = math.frexp(numbers[k])
        word = mix(word ^ np.uint64(np.int64(mantissa * _MANTISSA) + exponent))
    return word


@kernel
def mirrored(operator: int) -> int:
    """Return the operator that says the same with its sides exchanged."""
    if operator == LT:
        return GT
    if operator == LE:
        return GE
    if operator == GT:
        return LT
    if operator == GE:
        return LE
    return operator


@kernel
def orient(codes: Ints, numbers: Floats) -> None:
    """Exchange the sides of a comparison between features where the later feature stands on the left."""
    if codes[RIGHT] == CONSTANT:
        return
    in_order = codes[LEFT] < codes[RIGHT] or (codes[LEFT] == codes[RIGHT] and codes[LEFT_LAG] <= codes[RIGHT_LAG])
    if in_order:
        return
    codes[LEFT], codes[RIGHT] = codes[RIGHT], codes[LEFT]
    codes[LEFT_POWER], codes[RIGHT_POWER] = codes[RIGHT_POWER], codes[LEFT_POWER]
    codes[LEFT_LAG], codes[RIGHT_LAG] = codes[RIGHT_LAG], codes[LEFT_LAG]
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
    """Bring conditions into one order, so that equal antecedents are equal arrays."""
    for k in range(1, n):
        j = k
        while j > 0 and _before(codes[j], numbers[j], codes[j - 1], numbers[j - 1]):
            for m in range(N_CODES):
                codes[j, m], codes[j - 1, m] = codes[j - 1, m], codes[j, m]
            for m in range(N_NUMBERS):
                numbers[j, m], numbers[j - 1, m] = numbers[j - 1, m], numbers[j, m]
            j -= 1
