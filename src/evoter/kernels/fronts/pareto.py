"""Pareto ranks, crowding distances and the order of survival of NSGA-II, all objectives minimised."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.fronts.sorting import Sorting, equal_points, room_for_sorting, sort_by_column, sort_by_columns
from evoter.kernels.layout import WORD, Floats, Ints, Words

_ONE = np.uint64(1)

_BLOCK_WORDS = 1 << 16
"""Words of domination sets held at a time, so that they stay in the cache and memory does not grow with the square."""


@kernel
def _rank_by_sweep(table: Floats, order: Ints, tails: Floats, first_rank: int, ranks: Ints) -> int:
    """Rank sorted points of one or two objectives; return the number of fronts.

    Points are sorted by their first objective. A front dominates a point if its least second objective so far is not
    above the point's; these grow from front to front, so that the first front without is found by bisection.
    """
    n_fronts = 0
    last = table.shape[1] - 1
    for i in range(len(order)):
        point = order[i]
        if i > 0 and equal_points(table, point, order[i - 1]):
            ranks[point] = ranks[order[i - 1]]
            continue
        value = table[point, last]
        low, high = 0, n_fronts
        while low < high:
            middle = (low + high) // 2
            if tails[middle] <= value:
                low = middle + 1
            else:
                high = middle
        n_fronts = max(n_fronts, low + 1)
        tails[low] = value
        ranks[point] = first_rank + low
    return n_fronts


@kernel
def _keep_not_above(
    table: Floats, m: int, by_value: Ints, positions: Ints, start: int, stop: int, seen: Words, below: Words
) -> None:
    """Remove from the sets of the points at positions `start` to `stop` all points that are above them in column `m`.

    `by_value` has the points sorted by that column; the set of points seen so far grows along it.
    """
    for w in range(len(seen)):
        seen[w] = np.uint64(0)
    i = 0
    while i < len(by_value):
        after = i
        while after < len(by_value) and table[by_value[after], m] == table[by_value[i], m]:
            position = positions[by_value[after]]
            seen[position // WORD] |= _ONE << np.uint64(position % WORD)
            after += 1
        for k in range(i, after):
            position = positions[by_value[k]]
            if start <= position < stop:
                mine = below[position - start]
                for w in range(position // WORD + 1):
                    mine[w] &= seen[w]
        i = after


@kernel
def _meets(a: Words, b: Words, n_words: int) -> bool:
    """Tell whether two sets have a member in common."""
    w = 0
    while w < n_words and a[w] & b[w] == 0:
        w += 1
    return w < n_words


@kernel
def _first_free_front(dominators: Words, fronts: Words, n_fronts: int, n_words: int) -> int:
    """Return the first front without a dominator, by bisection: what a front dominates, all fronts before it do too."""
    low, high = 0, n_fronts
    while low < high:
        middle = (low + high) // 2
        if _meets(dominators, fronts[middle], n_words):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _fill_earlier(start: int, stop: int, below: Words) -> None:
    """Make the set of all earlier positions for each of the positions `start` to `stop`."""
    for position in range(start, stop):
        mine = below[position - start]
        for w in range(position // WORD):
            mine[w] = ~np.uint64(0)
        mine[position // WORD] = (_ONE << np.uint64(position % WORD)) - _ONE


@allocating_kernel
def _rank_by_sets(table: Floats, order: Ints, sorting: Sorting, first_rank: int, ranks: Ints) -> int:
    """Rank sorted points of three objectives or more; return the number of fronts.

    Only earlier points can dominate a point. Its dominators are a set of bits: the points not above it in the second
    objective, and in the third, and so on; 64 points are compared at once.
    """
    n = len(order)
    n_words = -(-n // WORD)
    positions = np.empty(len(table), np.int64)
    for i in range(n):
        positions[order[i]] = i
    by_value = np.empty((table.shape[1], n), np.int64)
    for m in range(2, table.shape[1]):
        by_value[m] = order
        sort_by_column(table, m, by_value[m], sorting)
    seen = np.empty(n_words, np.uint64)
    block = max(WORD, _BLOCK_WORDS // n_words)
    below = np.empty((min(block, n), n_words), np.uint64)
    fronts = np.zeros((8, n_words), np.uint64)
    n_fronts = 0
    for start in range(0, n, block):
        stop = min(start + block, n)
        _fill_earlier(start, stop, below)
        for m in range(2, table.shape[1]):
            _keep_not_above(table, m, by_value[m], positions, start, stop, seen, below)
        for i in range(start, stop):
            if i > 0 and equal_points(table, order[i], order[i - 1]):
                front = ranks[order[i - 1]] - first_rank
            else:
                front = _first_free_front(below[i - start], fronts, n_fronts, i // WORD + 1)
            if front == n_fronts:
                n_fronts += 1
                if n_fronts > len(fronts):
                    grown = np.zeros((2 * len(fronts), n_words), np.uint64)
                    grown[: len(fronts)] = fronts
                    fronts = grown
            fronts[front, i // WORD] |= _ONE << np.uint64(i % WORD)
            ranks[order[i]] = first_rank + front
    return n_fronts


@kernel
def _write_table(points: Floats, violations: Floats, table: Floats) -> None:
    """Put the violation before the objectives of each point; what is NaN is infinitely bad."""
    for i in range(len(points)):
        violation = violations[i] if len(violations) > 0 else 0.0
        table[i, 0] = np.inf if np.isnan(violation) else max(violation, 0.0)
        for m in range(points.shape[1]):
            table[i, m + 1] = np.inf if np.isnan(points[i, m]) else points[i, m]


@allocating_kernel
def rank_fronts(points: Floats, violations: Floats, ranks: Ints, copies: Ints) -> int:
    """Write the number of the front that each point belongs to, the best being 0; return the number of fronts.

    `points` [individual, objective] are minimised, NaN being worst. A total violation of constraints above 0 makes a
    point infeasible: less violation dominates more, whatever the objectives, which decide where violations are equal.
    Without constraints, `violations` is empty. Equal points do not dominate each other and share a front; `copies`
    counts for each point how many equal ones come before it.
    """
    n = len(points)
    table = np.empty((n, points.shape[1] + 1))
    _write_table(points, violations, table)
    order = np.arange(n)
    sorting = room_for_sorting(n)
    sort_by_columns(table, order, sorting)
    for i in range(n):
        again = i > 0 and equal_points(table, order[i], order[i - 1])
        copies[order[i]] = copies[order[i - 1]] + 1 if again else 0
    tails = np.empty(n)
    n_fronts = 0
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and table[order[stop], 0] == table[order[start], 0]:
            stop += 1
        if table.shape[1] <= 3:
            n_fronts += _rank_by_sweep(table, order[start:stop], tails, n_fronts, ranks)
        else:
            n_fronts += _rank_by_sets(table, order[start:stop], sorting, n_fronts, ranks)
        start = stop
    return n_fronts


@kernel
def _find_ranges(points: Floats, m: int, ranks: Ints, lows: Floats, highs: Floats) -> None:
    """Write the least and the largest finite value of objective `m` in each front."""
    for front in range(len(lows)):
        lows[front], highs[front] = np.inf, -np.inf
    for i in range(len(points)):
        value = points[i, m]
        if np.isfinite(value):
            lows[ranks[i]] = min(lows[ranks[i]], value)
            highs[ranks[i]] = max(highs[ranks[i]], value)


@kernel
def _add_gaps(
    points: Floats, m: int, ranks: Ints, order: Ints, lows: Floats, highs: Floats, last: Ints, crowding: Floats
) -> None:
    """Add to each point the gap between its neighbours in objective `m`; the ends of a front become infinite.

    One pass over the sorted points serves all fronts: `last` holds the last two points seen of each.
    """
    for front in range(len(lows)):
        last[front, 0] = -1
        last[front, 1] = -1
    for i in order:
        front = ranks[i]
        if not np.isfinite(points[i, m]) or not lows[front] < highs[front]:
            continue
        before, previous = last[front]
        if previous < 0:
            crowding[i] = np.inf
        elif before >= 0:
            # Halves, because the range may be larger than the largest number.
            gap = 0.5 * points[i, m] - 0.5 * points[before, m]
            crowding[previous] += gap / (0.5 * highs[front] - 0.5 * lows[front])
        last[front, 0] = previous
        last[front, 1] = i
    for front in range(len(lows)):
        if last[front, 1] >= 0:
            crowding[last[front, 1]] = np.inf


@allocating_kernel
def crowding_distances(points: Floats, ranks: Ints, crowding: Floats) -> None:
    """Write how far the neighbours of each point in its front are apart, relative to the front, over all objectives.

    The distance is the mean over objectives; the ends of a front, and fronts of one or two points, are infinite. Equal
    values follow each other by number, so that of many equal points most have distance 0. An objective that is the
    same in the whole front adds nothing, nor do values that are NaN or infinite, which are not counted as neighbours.
    """
    n, n_objectives = points.shape
    n_fronts = ranks.max() + 1 if n > 0 else 0
    counts = np.zeros(n_fronts, np.int64)
    for i in range(n):
        counts[ranks[i]] += 1
        crowding[i] = 0.0
    clean = np.where(np.isnan(points), np.inf, points)
    order = np.empty(n, np.int64)
    sorting = room_for_sorting(n)
    lows, highs = np.empty(n_fronts), np.empty(n_fronts)
    last = np.empty((n_fronts, 2), np.int64)
    for m in range(n_objectives):
        for i in range(n):
            order[i] = i
        sort_by_column(clean, m, order, sorting)
        _find_ranges(clean, m, ranks, lows, highs)
        _add_gaps(clean, m, ranks, order, lows, highs, last, crowding)
    for i in range(n):
        crowding[i] = np.inf if counts[ranks[i]] <= 2 else crowding[i] / n_objectives


@allocating_kernel
def survival_order(ranks: Ints, crowding: Floats, order: Ints) -> None:
    """Write the individuals front by front, the least crowded of each first; ties go to the lower number.

    The first `n` are the survivors of NSGA-II: whole fronts, the last of them cut by crowding.
    """
    n = len(ranks)
    keys = np.empty((n, 2))
    for i in range(n):
        keys[i, 0] = ranks[i]
        keys[i, 1] = -crowding[i]
        order[i] = i
    sort_by_columns(keys, order, room_for_sorting(n))
