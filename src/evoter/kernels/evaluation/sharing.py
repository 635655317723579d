"""Conditions shared by antecedents: each mask is computed once, and antecedents' masks are put together from them."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, entry_kernel, kernel
from evoter.kernels.conditions import copy_condition, hash_condition
from evoter.kernels.evaluation.masks import BLOCK, and_condition, comparable, popcount
from evoter.kernels.layout import (
    CONSTANT,
    GE,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    N_CODES,
    N_CONDITIONS,
    N_NUMBERS,
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


@kernel
def _same(codes: Ints, numbers: Floats, other: Ints, other_numbers: Floats) -> bool:
    """Tell whether two conditions are equal."""
    same = True
    for k in range(N_CODES):
        same &= codes[k] == other[k]
    for k in range(N_NUMBERS):
        same &= numbers[k] == other_numbers[k]
    return same


@entry_kernel
def find_conditions(
    antecedents: Antecedents, slots: Ints, n: int, n_known: int, codes: Ints, numbers: Floats, table: Ints, parts: Ints
) -> int:
    """Write the places of the conditions of `n` antecedents to `parts`; new conditions get the next free places.

    `codes` and `numbers` hold the conditions by place, `table` is a hash table of places, -1 where it is empty. Returns
    how many conditions are known then, or -1 where there is no room for all; the table is then to be emptied.
    """
    mask = len(table) - 1
    for k in range(n):
        slot = slots[k]
        for c in range(antecedents.facts[slot, N_CONDITIONS]):
            code, number = antecedents.codes[slot, c], antecedents.numbers[slot, c]
            position = np.int64(hash_condition(code, number)) & mask
            while table[position] >= 0 and not _same(codes[table[position]], numbers[table[position]], code, number):
                position = (position + 1) & mask
            if table[position] < 0:
                if n_known == len(codes):
                    return -1
                copy_condition(code, number, codes[n_known], numbers[n_known])
                table[position] = n_known
                n_known += 1
            parts[k, c] = table[position]
    return n_known


@kernel
def _and_products(a: Floats, p: float, b: Floats, q: float, or_equal: bool, mask: Words) -> None:
    """Clear the bits of `mask` where `p * a < q * b` (or `<=`) is false."""
    for w in range(len(mask)):
        x = a[w * WORD : w * WORD + WORD]
        y = b[w * WORD : w * WORD + WORD]
        bits = np.uint64(0)
        if or_equal:
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(p * x[j] <= q * y[j]) << np.uint64(j)
        else:
            for j in range(np.uint64(WORD)):
                bits |= np.uint64(p * x[j] < q * y[j]) << np.uint64(j)
        mask[w] &= bits


@kernel
def _scale_once(rows: Rows, feature: int, start: int, n: int, scaled: Floats, blocks: Ints) -> None:
    """Scale a feature for a block of rows, unless another comparison has needed it already: divisions are slow."""
    if blocks[feature] != start:
        blocks[feature] = start
        comparable(rows, feature, 0, 1.0, 1, start, scaled[feature, :n])


@kernel
def _is_plain_comparison(codes: Ints) -> bool:
    """Tell whether a condition orders two features without powers and lags."""
    if codes[RIGHT] == CONSTANT or codes[OPERATOR] <= NE:
        return False
    return codes[LEFT_LAG] + codes[RIGHT_LAG] == 0 and codes[LEFT_POWER] + codes[RIGHT_POWER] == 2


@kernel
def _fill_conditions(
    first: int,
    last: int,
    order: Ints,
    rows: Rows,
    codes: Ints,
    numbers: Floats,
    words: Words,
    left: Floats,
    right: Floats,
    scaled: Floats,
    blocks: Ints,
) -> None:
    """Do the work of `fill_conditions`, with scratch space and without reference counting."""
    n_words = len(rows.valid)
    for begin in range(0, n_words, BLOCK):
        end = min(begin + BLOCK, n_words)
        start, n = begin * WORD, (end - begin) * WORD
        for k in range(first, last):
            code, number, mask = codes[order[k]], numbers[order[k]], words[order[k], begin:end]
            for w in range(begin, end):
                mask[w - begin] = rows.valid[w]
            if not _is_plain_comparison(code):
                and_condition(rows, code, number, start, left, right, mask)
                continue
            _scale_once(rows, code[LEFT], start, n, scaled, blocks)
            _scale_once(rows, code[RIGHT], start, n, scaled, blocks)
            a, b = scaled[code[LEFT], :n], scaled[code[RIGHT], :n]
            p, q = number[LEFT_COEFFICIENT], number[RIGHT_NUMBER]
            if code[OPERATOR] <= LE:
                _and_products(a, p, b, q, code[OPERATOR] == LE, mask)
            else:
                _and_products(b, q, a, p, code[OPERATOR] == GE, mask)


@allocating_kernel
def fill_conditions(first: int, last: int, order: Ints, rows: Rows, codes: Ints, numbers: Floats, words: Words) -> None:
    """Compute the masks of the conditions at the places `order[first:last]`.

    Block by block, and best in the order of features: then a block of a column is read from the nearest cache.
    """
    left = np.empty(BLOCK * WORD)
    right = np.empty(BLOCK * WORD)
    scaled = np.empty((len(rows.starts), BLOCK * WORD))
    blocks = np.empty(len(rows.starts), np.int64)
    for feature in range(len(blocks)):
        blocks[feature] = -1
    _fill_conditions(first, last, order, rows, codes, numbers, words, left, right, scaled, blocks)


@kernel
def _and(a: Words, b: Words, out: Words) -> int:
    """Write what two masks have in common; return how many rows that are."""
    count = np.int64(0)
    for w in range(len(out)):
        word = a[w] & b[w]
        out[w] = word
        count += popcount(word)
    return int(count)


@entry_kernel
def combine(
    first: int,
    last: int,
    antecedents: Antecedents,
    slots: Ints,
    parts: Ints,
    words: Words,
    places: Ints,
    masks: Words,
    applied: Ints,
) -> None:
    """Put the masks of the antecedents `slots[first:last]` together from those of their conditions, and count them."""
    for k in range(first, last):
        n = antecedents.facts[slots[k], N_CONDITIONS]
        mask = masks[places[k]]
        count = _and(words[parts[k, 0]], words[parts[k, n - 1]], mask)
        for c in range(1, n - 1):
            count = _and(words[parts[k, c]], mask, mask)
        applied[places[k]] = count
