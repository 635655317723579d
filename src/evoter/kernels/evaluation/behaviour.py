"""Behaviour: what rule sets decide on every row as planes of bits, and how far apart their decisions are."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.evaluation.masks import popcount
from evoter.kernels.evaluation.modes import decide_row
from evoter.kernels.layout import ACTION, DEFAULT, IN_ORDER, N_RULES, SLOT, WORD, Floats, Ints, Population, Words

_ONE = np.uint64(1)

_FAR = 2**62
"""More rows than there are."""

_BLOCK = 8
"""Words compared before looking whether they are too different already."""


@kernel
def _paint(action: int, rows: np.uint64, planes: Words, w: int) -> None:
    """Write an action, digit by binary digit, for some rows of a word."""
    for p in range(len(planes)):
        if (action >> p) & 1:
            planes[p, w] |= rows


@allocating_kernel
def decide_planes(
    first: int,
    last: int,
    population: Population,
    procedure: int,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    n_actions: int,
    planes: Words,
) -> None:
    """Write what individuals `first` to `last` decide: bit `p` of the action in plane `p` of `planes` [i, p, word].

    Rows that are not valid keep zeros. `order` is that in which rules take rows, `mask_rows` maps slots to rows of
    `masks`.
    """
    totals = np.empty(n_actions)
    counts = np.empty(n_actions, np.int64)
    everywhere = np.empty((0, 0), np.uint64)
    for i in range(first, last):
        mine = planes[i]
        for w in range(len(valid)):
            for p in range(len(mine)):
                mine[p, w] = np.uint64(0)
            if procedure != IN_ORDER:  # row by row
                for j in range(WORD):
                    bit = _ONE << np.uint64(j)
                    if valid[w] & bit != 0:
                        _, action, _ = decide_row(
                            procedure, population, i, order, mask_rows, masks, everywhere, w, bit, totals, counts
                        )
                        _paint(action, bit, mine, w)
                continue
            undecided = valid[w]
            for k in range(population.header[i, N_RULES]):
                r = order[i, k]
                taken = masks[mask_rows[population.rules[i, r, SLOT]], w] & undecided
                undecided ^= taken
                _paint(population.rules[i, r, ACTION], taken, mine, w)
            _paint(population.header[i, DEFAULT], undecided, mine, w)


@kernel
def _distance(a: Words, b: Words, limit: int) -> int:
    """Count the rows with different actions; where there are `limit` or more, counting may end early."""
    count = np.int64(0)
    n_words = a.shape[1]
    for start in range(0, n_words, _BLOCK):
        for w in range(start, min(start + _BLOCK, n_words)):
            different = np.uint64(0)
            for p in range(len(a)):
                different |= a[p, w] ^ b[p, w]
            count += popcount(different)
        if count >= limit:
            break
    return int(count)


@kernel
def _meet(mine: Words, others: Words, skipped: int, n_found: int, nearest: Ints) -> int:
    """Enter the distances to some others, but for one, into the sorted list of the nearest; return its length."""
    k = len(nearest)
    for j in range(len(others)):
        if j == skipped:
            continue
        limit = int(nearest[k - 1]) if n_found == k else _FAR
        distance = _distance(mine, others[j], limit)
        if distance >= limit:
            continue
        n_found = min(n_found + 1, k)
        place = n_found - 1
        while place > 0 and nearest[place - 1] > distance:
            nearest[place] = nearest[place - 1]
            place -= 1
        nearest[place] = distance
        if nearest[k - 1] == 0 and n_found == k:
            break
    return n_found


@allocating_kernel
def nearest_distances(first: int, last: int, planes: Words, others: Words, k: int, n_rows: int, means: Floats) -> None:
    """Write for individuals `first` to `last` the mean share of rows decided otherwise by their `k` nearest.

    `others` are compared with too, beside the individuals themselves. Where there are fewer than `k`, all count.
    """
    nearest = np.empty(k, np.int64)
    for i in range(first, last):
        n_found = _meet(planes[i], planes, i, 0, nearest)
        n_found = _meet(planes[i], others, -1, n_found, nearest)
        total = 0
        for place in range(n_found):
            total += nearest[place]
        means[i] = total / (n_found * n_rows) if n_found > 0 and n_rows > 0 else 0.0
