"""Conditions shared by antecedents: each mask is computed once, and masks of antecedents are combined from them."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, entry_kernel, kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_POWER,
    OPERATOR,
    RIGHT,
    RIGHT_NUMBER,
    RIGHT_POWER,
)
from evoter.kernels.conditions.identity import copy_condition, hash_condition, same_condition
from evoter.kernels.conditions.meaning import form_of, longest_lag
from evoter.kernels.evaluation.masks import BLOCK, and_condition, and_products, popcount, read_raised
from evoter.kernels.layout import N_CONDITIONS, WORD, Antecedents, Floats, Ints, Rows, Words


@entry_kernel
def find_conditions(
    antecedents: Antecedents, slots: Ints, n: int, n_known: int, codes: Ints, numbers: Floats, table: Ints, parts: Ints
) -> int:
    """Write the numbers of the conditions of `n` antecedents to `parts`; new conditions get the next numbers.

    Row k of `codes` and `numbers` is condition number k; `table` is a hash table of these, -1 where it is empty.
    Returns the number of conditions known afterwards, or -1 if there is no room for all: empty the table then.
    """
    mask = len(table) - 1
    for k in range(n):
        slot = slots[k]
        for c in range(antecedents.facts[slot, N_CONDITIONS]):
            code, number = antecedents.codes[slot, c], antecedents.numbers[slot, c]
            position = np.int64(hash_condition(code, number)) & mask
            while table[position] >= 0:
                if same_condition(codes[table[position]], numbers[table[position]], code, number):
                    break
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
def _scale_once(rows: Rows, feature: int, start: int, n: int, scaled: Floats, blocks: Ints) -> None:
    """Scale a feature for a block of rows, unless an earlier comparison has done so: divisions are slow."""
    if blocks[feature] != start:
        blocks[feature] = start
        read_raised(rows, feature, 0, 1, start, scaled[feature, :n])


@kernel
def _is_plain_comparison(codes: Ints) -> bool:
    """Tell whether a condition compares two features without powers and lags."""
    if form_of(codes) != COMPARISON or longest_lag(codes) > 0:
        return False
    return codes[LEFT_POWER] == 1 and codes[RIGHT_POWER] == 1


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
            and_products(code[OPERATOR], number[LEFT_COEFFICIENT], a, number[RIGHT_NUMBER], b, mask)


@allocating_kernel
def fill_conditions(first: int, last: int, order: Ints, rows: Rows, codes: Ints, numbers: Floats, words: Words) -> None:
    """Compute the masks of the conditions with the numbers `order[first:last]`.

    Works block by block; with conditions sorted by feature, a block of a column is read from the nearest cache.
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
    """Write the intersection of two masks; return its number of rows."""
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
    indices: Ints,
    masks: Words,
    applied: Ints,
) -> None:
    """Combine the masks of the antecedents `slots[first:last]` from those of their conditions, and count their rows."""
    for k in range(first, last):
        n = antecedents.facts[slots[k], N_CONDITIONS]
        mask = masks[indices[k]]
        count = _and(words[parts[k, 0]], words[parts[k, n - 1]], mask)
        for c in range(1, n - 1):
            count = _and(words[parts[k, c]], mask, mask)
        applied[indices[k]] = count
