"""Masks: one bit per row saying whether an antecedent holds there."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.layout import (
    CONSTANT,
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
    NE,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    WORD,
    Antecedents,
    Floats,
    Ints,
    Rows,
    Words,
)

BLOCK = 64
"""Words handled at a time, so that a block of data stays in the cache while many antecedents read it."""

_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_H01 = np.uint64(0x0101010101010101)


@kernel
def popcount(word: np.uint64) -> np.int64:
    """Count the bits of a word; the compiler knows this idiom and emits one instruction."""
    word = word - ((word >> np.uint64(1)) & _M1)
    word = (word & _M2) + ((word >> np.uint64(2)) & _M2)
    word = (word + (word >> np.uint64(4))) & _M4
    return np.int64((word * _H01) >> np.uint64(56))


@kernel
def _and_constant(operator: int, values: Floats, constant: float, mask: Words) -> None:
    """Clear the bits of `mask` where `value operator constant` is false, for the four comparisons of order.

    One loop per operator, over a word at a time: the form that the compiler turns into vector comparisons.
    """
    if operator == LE:
        for w in range(len(mask)):
            word = values[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(word[j] <= constant) << np.uint64(j)
            mask[w] &= bits
    elif operator == GT:
        for w in range(len(mask)):
            word = values[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(word[j] > constant) << np.uint64(j)
            mask[w] &= bits
    elif operator == LT:
        for w in range(len(mask)):
            word = values[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(word[j] < constant) << np.uint64(j)
            mask[w] &= bits
    else:
        for w in range(len(mask)):
            word = values[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(word[j] >= constant) << np.uint64(j)
            mask[w] &= bits


@kernel
def _and_less(left: Floats, right: Floats, or_equal: bool, mask: Words) -> None:
    """Clear the bits of `mask` where `left < right` (or `<=`) is false."""
    if or_equal:
        for w in range(len(mask)):
            a = left[w * WORD : w * WORD + WORD]
            b = right[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(a[j] <= b[j]) << np.uint64(j)
            mask[w] &= bits
    else:
        for w in range(len(mask)):
            a = left[w * WORD : w * WORD + WORD]
            b = right[w * WORD : w * WORD + WORD]
            bits = np.uint64(0)
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(a[j] < b[j]) << np.uint64(j)
            mask[w] &= bits


@kernel
def _and_equal(left: Floats, right: Floats, negated: bool, mask: Words) -> None:
    """Clear the bits of `mask` where `left = right` (or `!=`) is false; NaN is neither equal nor unequal."""
    for w in range(len(mask)):
        a = left[w * WORD : w * WORD + WORD]
        b = right[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        if negated:
            for j in range(np.uint64(WORD)):
                bits |= np.uint64((a[j] < b[j]) | (a[j] > b[j])) << np.uint64(j)
        else:
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(a[j] == b[j]) << np.uint64(j)
        mask[w] &= bits


@kernel
def _and_presence(values: Floats, missing: bool, mask: Words) -> None:
    """Clear the bits of `mask` where a value is missing, or with `missing`, where it is present."""
    for w in range(len(mask)):
        word = values[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(word[j] == word[j]) << np.uint64(j)
        mask[w] &= ~bits if missing else bits


@kernel
def _and_history(history: Ints, lag: int, mask: Words) -> None:
    """Clear the bits of `mask` where fewer than `lag` steps of history exist."""
    for w in range(len(mask)):
        bits = np.uint64(0)
        for j in range(WORD):
            bits |= np.uint64(history[w * WORD + j] >= lag) << np.uint64(j)
        mask[w] &= bits


@kernel
def _term(values: Floats, coefficient: float, power: int, out: Floats) -> None:
    """Evaluate `coefficient * value ^ power`, in exactly the interpreter's order of operations."""
    if power == 1:
        for j in range(len(values)):
            out[j] = coefficient * values[j]
    elif power == 2:
        for j in range(len(values)):
            out[j] = coefficient * (values[j] * values[j])
    else:
        for j in range(len(values)):
            out[j] = coefficient * (values[j] * values[j] * values[j])


@kernel
def _gather(rows: Rows, offset: int, lag: int, start: int, out: Floats) -> None:
    """Collect the values at an offset of the rows from `start` that share them with others."""
    for j in range(len(out)):
        known = rows.history[start + j] >= lag
        out[j] = rows.values[offset + rows.steps[start + j]] if known else np.nan


@kernel
def comparable(rows: Rows, feature: int, lag: int, coefficient: float, power: int, start: int, out: Floats) -> None:
    """Evaluate a term of a comparison between features for the rows from `start`, scaled where the schema says so."""
    offset = rows.starts[feature] - lag * rows.lag_stride
    values = out
    if len(rows.steps) == 0:
        values = rows.values[offset + start : offset + start + len(out)]
    else:
        _gather(rows, offset, lag, start, out)
    if not rows.scaled[feature]:
        _term(values, coefficient, power, out)
        return
    low, span = rows.lows[feature], rows.spans[feature]
    if span > 0.0:
        for j in range(len(values)):
            out[j] = (values[j] - low) / span
    else:  # A feature without a span reads 0.
        for j in range(len(values)):
            out[j] = values[j] if values[j] != values[j] else 0.0
    _term(out, coefficient, power, out)


@kernel
def and_condition(
    rows: Rows, codes: Ints, numbers: Floats, start: int, left: Floats, right: Floats, mask: Words
) -> None:
    """Clear the bits of `mask` where the condition is false on the rows from `start`; `left`, `right` are scratch."""
    operator = codes[OPERATOR]
    lag = codes[LEFT_LAG]
    n = len(mask) * WORD
    left, right = left[:n], right[:n]
    if rows.lag_stride == 0 and (lag > 0 or codes[RIGHT_LAG] > 0):
        for w in range(len(mask)):
            mask[w] = np.uint64(0)
        return
    if codes[RIGHT] == CONSTANT:
        offset = rows.starts[codes[LEFT]] - lag * rows.lag_stride
        values = left
        if len(rows.steps) == 0:
            values = rows.values[offset + start : offset + start + n]
        else:
            _gather(rows, offset, lag, start, left)
        if operator >= IS_MISSING:
            _and_presence(values, operator == IS_MISSING, mask)
            if lag > 0 and len(rows.history) > 0:
                _and_history(rows.history[start : start + n], lag, mask)
            return
        if numbers[LEFT_COEFFICIENT] != 1.0 or codes[LEFT_POWER] != 1:
            _term(values, numbers[LEFT_COEFFICIENT], codes[LEFT_POWER], left)
            values = left
        if operator <= NE:
            for j in range(n):
                right[j] = numbers[RIGHT_NUMBER]
            _and_equal(values, right, operator == NE, mask)
        else:
            _and_constant(operator, values, numbers[RIGHT_NUMBER], mask)
        return
    comparable(rows, codes[LEFT], lag, numbers[LEFT_COEFFICIENT], codes[LEFT_POWER], start, left)
    comparable(rows, codes[RIGHT], codes[RIGHT_LAG], numbers[RIGHT_NUMBER], codes[RIGHT_POWER], start, right)
    if operator <= NE:
        _and_equal(left, right, operator == NE, mask)
    elif operator <= LE:
        _and_less(left, right, operator == LE, mask)
    else:
        _and_less(right, left, operator == GE, mask)


@allocating_kernel
def fill_masks(
    first: int, last: int, rows: Rows, antecedents: Antecedents, slots: Ints, places: Ints, masks: Words, applied: Ints
) -> None:
    """Compute the masks of the antecedents `slots[first:last]` into the rows `places` of `masks`, and their counts.

    The outer loop goes over blocks of rows: a block of the data is read by all antecedents while it is in the cache.
    """
    n_words = len(rows.valid)
    left = np.empty(BLOCK * WORD)
    right = np.empty(BLOCK * WORD)
    for k in range(first, last):
        applied[places[k]] = 0
    for start in range(0, n_words, BLOCK):
        stop = min(start + BLOCK, n_words)
        for k in range(first, last):
            slot = slots[k]
            mask = masks[places[k], start:stop]
            for w in range(start, stop):
                mask[w - start] = rows.valid[w]
            for c in range(antecedents.facts[slot, N_CONDITIONS]):
                and_condition(
                    rows, antecedents.codes[slot, c], antecedents.numbers[slot, c], start * WORD, left, right, mask
                )
            count = np.int64(0)
            for word in mask:
                count += popcount(word)
            applied[places[k]] += count
