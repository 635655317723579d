"""Masks: one bit per row saying whether an antecedent holds there.

What a condition means is said in `conditions.meaning`. The loops here call it with a constant operator or power, one
loop for each, because the compiler turns loops without branches over a word at a time into vector instructions.
"""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, inlined_kernel, kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    EQ,
    GE,
    GT,
    IS_MISSING,
    IS_PRESENT,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    MEMBERSHIP,
    NE,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM,
    SUM_CONSTANT,
    THRESHOLD,
    UNKNOWN,
)
from evoter.kernels.conditions.meaning import (
    added,
    compare,
    form_of,
    holds,
    longest_lag,
    membership_holds,
    mirrored,
    presence_holds,
    raised,
    reads_scaled_values,
    reads_second_feature,
    scaled,
    term,
)
from evoter.kernels.layout import N_CONDITIONS, WORD, Antecedents, Floats, Ints, Rows, Words

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


@inlined_kernel
def _and_compared_with_constant(operator: int, values: Floats, constant: float, mask: Words) -> None:
    for w in range(len(mask)):
        word = values[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(compare(operator, word[j], constant)) << np.uint64(j)
        mask[w] &= bits


@kernel
def _and_constant(operator: int, values: Floats, constant: float, mask: Words) -> None:
    """Clear the bits of `mask` where `value operator constant` is false."""
    if operator == LE:
        _and_compared_with_constant(LE, values, constant, mask)
    elif operator == GT:
        _and_compared_with_constant(GT, values, constant, mask)
    elif operator == LT:
        _and_compared_with_constant(LT, values, constant, mask)
    elif operator == GE:
        _and_compared_with_constant(GE, values, constant, mask)
    elif operator == EQ:
        _and_compared_with_constant(EQ, values, constant, mask)
    elif operator == NE:
        _and_compared_with_constant(NE, values, constant, mask)
    else:
        _clear(mask)


@inlined_kernel
def _and_compared_products(operator: int, p: float, left: Floats, q: float, right: Floats, mask: Words) -> None:
    for w in range(len(mask)):
        a = left[w * WORD : w * WORD + WORD]
        b = right[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(compare(operator, term(a[j], p, 1), term(b[j], q, 1))) << np.uint64(j)
        mask[w] &= bits


@kernel
def and_products(operator: int, p: float, left: Floats, q: float, right: Floats, mask: Words) -> None:
    """Clear the bits of `mask` where `p * left operator q * right` is false."""
    if operator == GE or operator == GT:
        operator, p, left, q, right = mirrored(operator), q, right, p, left
    if operator == LE:
        _and_compared_products(LE, p, left, q, right, mask)
    elif operator == LT:
        _and_compared_products(LT, p, left, q, right, mask)
    elif operator == EQ:
        _and_compared_products(EQ, p, left, q, right, mask)
    elif operator == NE:
        _and_compared_products(NE, p, left, q, right, mask)
    else:
        _clear(mask)


@inlined_kernel
def _and_compared_sums(
    operator: int, p: float, left: Floats, q: float, right: Floats, constant: float, mask: Words
) -> None:
    for w in range(len(mask)):
        a = left[w * WORD : w * WORD + WORD]
        b = right[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(compare(operator, added(a[j], p, b[j], q), constant)) << np.uint64(j)
        mask[w] &= bits


@kernel
def and_sums(operator: int, p: float, left: Floats, q: float, right: Floats, constant: float, mask: Words) -> None:
    """Clear the bits of `mask` where `p * left + q * right operator constant` is false."""
    if operator == LE:
        _and_compared_sums(LE, p, left, q, right, constant, mask)
    elif operator == GT:
        _and_compared_sums(GT, p, left, q, right, constant, mask)
    elif operator == LT:
        _and_compared_sums(LT, p, left, q, right, constant, mask)
    elif operator == GE:
        _and_compared_sums(GE, p, left, q, right, constant, mask)
    else:
        _clear(mask)


@inlined_kernel
def _and_tested(operator: int, values: Floats, mask: Words) -> None:
    for w in range(len(mask)):
        word = values[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(presence_holds(operator, word[j])) << np.uint64(j)
        mask[w] &= bits


@kernel
def _and_presence(operator: int, values: Floats, mask: Words) -> None:
    """Clear the bits of `mask` where a test for missing is false."""
    if operator == IS_MISSING:
        _and_tested(IS_MISSING, values, mask)
    elif operator == IS_PRESENT:
        _and_tested(IS_PRESENT, values, mask)
    else:
        _clear(mask)


@kernel
def _and_membership(operator: int, numbers: Floats, values: Floats, mask: Words) -> None:
    """Clear the bits of `mask` where a category is not in a set, or with `NOT_IN` where it is."""
    for w in range(len(mask)):
        word = values[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(membership_holds(operator, numbers, word[j])) << np.uint64(j)
        mask[w] &= bits


@kernel
def _and_each(form: int, codes: Ints, numbers: Floats, first: Floats, second: Floats, mask: Words) -> None:
    """Clear the bits of `mask` where a condition of any form is false, row by row."""
    for w in range(len(mask)):
        a = first[w * WORD : w * WORD + WORD]
        b = second[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        for j in range(np.uint64(WORD)):
            bits |= np.uint64(holds(form, codes, numbers, a[j], b[j])) << np.uint64(j)
        mask[w] &= bits


@kernel
def _clear(mask: Words) -> None:
    for w in range(len(mask)):
        mask[w] = np.uint64(0)


@kernel
def _and_history(history: Ints, lag: int, mask: Words) -> None:
    """Clear the bits of `mask` where fewer than `lag` steps of history exist."""
    for w in range(len(mask)):
        bits = np.uint64(0)
        for j in range(WORD):
            bits |= np.uint64(history[w * WORD + j] >= lag) << np.uint64(j)
        mask[w] &= bits


@inlined_kernel
def value_index(rows: Rows, feature: int, lag: int, row: int) -> int:
    """Return the index of a feature's value `lag` steps before a row, or -1 if a row that shares values has none."""
    offset = rows.starts[feature] - lag * rows.lag_stride
    if len(rows.steps) == 0:
        return offset + row
    return offset + rows.steps[row] if rows.history[row] >= lag else -1


@inlined_kernel
def value_at(rows: Rows, feature: int, lag: int, row: int) -> float:
    """Return a feature's value `lag` steps before a row, or NaN if a row that shares values has none."""
    index = value_index(rows, feature, lag, row)
    return rows.values[index] if index >= 0 else np.nan


@kernel
def _read_values(rows: Rows, feature: int, lag: int, to_scale: bool, start: int, out: Floats) -> None:
    """Write a feature's values for the rows from `start`; with `to_scale`, scaled if the schema says so."""
    values = out
    if len(rows.steps) == 0:
        index = value_index(rows, feature, lag, start)
        values = rows.values[index : index + len(out)]
    else:
        for j in range(len(out)):
            out[j] = value_at(rows, feature, lag, start + j)
    if to_scale and rows.scaled[feature]:
        low, span = rows.lows[feature], rows.spans[feature]
        for j in range(len(out)):
            out[j] = scaled(values[j], low, span)
    elif len(rows.steps) == 0:
        for j in range(len(out)):
            out[j] = values[j]


@inlined_kernel
def _raise_to(power: int, values: Floats) -> None:
    for j in range(len(values)):
        values[j] = raised(values[j], power)


@kernel
def read_raised(rows: Rows, feature: int, lag: int, power: int, start: int, out: Floats) -> None:
    """Write a term of a comparison before its coefficient, for the rows from `start`."""
    _read_values(rows, feature, lag, True, start, out)
    if power == 2:
        _raise_to(2, out)
    elif power != 1:
        _raise_to(power, out)


@kernel
def _and_sum(rows: Rows, codes: Ints, numbers: Floats, start: int, left: Floats, right: Floats, mask: Words) -> None:
    """Clear the bits of `mask` where a sum is false on the rows from `start`; `left`, `right` are scratch."""
    first, second = left, right
    if len(rows.steps) == 0:
        index = value_index(rows, codes[LEFT], codes[LEFT_LAG], start)
        other = value_index(rows, codes[RIGHT], codes[RIGHT_LAG], start)
        first, second = rows.values[index : index + len(left)], rows.values[other : other + len(right)]
    else:
        _read_values(rows, codes[LEFT], codes[LEFT_LAG], False, start, left)
        _read_values(rows, codes[RIGHT], codes[RIGHT_LAG], False, start, right)
    p, q = numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER]
    and_sums(codes[OPERATOR], p, first, q, second, numbers[SUM_CONSTANT], mask)


@inlined_kernel
def and_condition(
    rows: Rows, codes: Ints, numbers: Floats, start: int, left: Floats, right: Floats, mask: Words
) -> None:
    """Clear the bits of `mask` where the condition is false on the rows from `start`; `left`, `right` are scratch."""
    form, operator = form_of(codes), codes[OPERATOR]
    lag = longest_lag(codes)
    if form == UNKNOWN or (lag > 0 and rows.lag_stride == 0):
        _clear(mask)
        return
    n = len(mask) * WORD
    left, right = left[:n], right[:n]
    if form == COMPARISON:
        read_raised(rows, codes[LEFT], codes[LEFT_LAG], codes[LEFT_POWER], start, left)
        read_raised(rows, codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER], start, right)
        and_products(operator, numbers[LEFT_COEFFICIENT], left, numbers[RIGHT_NUMBER], right, mask)
        return
    if form == SUM:
        _and_sum(rows, codes, numbers, start, left, right, mask)
        return
    is_linear = form == THRESHOLD and codes[LEFT_POWER] == 1
    if is_linear or form == PRESENCE or form == MEMBERSHIP:
        values = left
        if len(rows.steps) == 0:
            index = value_index(rows, codes[LEFT], codes[LEFT_LAG], start)
            values = rows.values[index : index + n]
        else:
            _read_values(rows, codes[LEFT], codes[LEFT_LAG], False, start, left)
        if form == PRESENCE:
            _and_presence(operator, values, mask)
        elif form == MEMBERSHIP:
            _and_membership(operator, numbers, values, mask)
            return
        else:
            coefficient, constant = numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER]
            if coefficient != 1.0:
                for j in range(n):
                    left[j] = term(values[j], coefficient, 1)
                values = left
            _and_constant(operator, values, constant, mask)
            return
    else:
        to_scale = reads_scaled_values(form)
        _read_values(rows, codes[LEFT], codes[LEFT_LAG], to_scale, start, left)
        if reads_second_feature(codes):
            _read_values(rows, codes[RIGHT], codes[RIGHT_LAG], to_scale, start, right)
        _and_each(form, codes, numbers, left, right, mask)
    # Only a condition that holds for a missing value could hold where the history is too short.
    if lag > 0 and len(rows.history) > 0:
        _and_history(rows.history[start : start + n], lag, mask)


@allocating_kernel
def fill_masks(
    first: int, last: int, rows: Rows, antecedents: Antecedents, slots: Ints, indices: Ints, masks: Words, applied: Ints
) -> None:
    """Compute the masks of the antecedents `slots[first:last]` into rows `indices` of `masks`, and count their rows.

    The outer loop goes over blocks of rows: a block of the data is read by all antecedents while it is in the cache.
    """
    n_words = len(rows.valid)
    left = np.empty(BLOCK * WORD)
    right = np.empty(BLOCK * WORD)
    for k in range(first, last):
        applied[indices[k]] = 0
    for start in range(0, n_words, BLOCK):
        stop = min(start + BLOCK, n_words)
        for k in range(first, last):
            slot = slots[k]
            mask = masks[indices[k], start:stop]
            for w in range(start, stop):
                mask[w - start] = rows.valid[w]
            for c in range(antecedents.facts[slot, N_CONDITIONS]):
                and_condition(
                    rows, antecedents.codes[slot, c], antecedents.numbers[slot, c], start * WORD, left, right, mask
                )
            count = np.int64(0)
            for word in mask:
                count += popcount(word)
            applied[indices[k]] += count
