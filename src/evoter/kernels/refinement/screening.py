"""Screening: how well a line of numbers separates rows of different rewards, within parts of the rows at once.

The measure is that of regression trees: how much of the variance of the rewards the best cut explains. It is smoother
than the gain of an exact move, and does not depend on which rules there are already.
"""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.layout import Floats, Ints


@kernel
def _explained(below: Floats, n_below: float, total: Floats, n: float) -> float:
    """Return the sum of squares that two parts explain, given the sums of the rewards in one of them and in all."""
    gain = 0.0
    for a in range(len(total)):
        above = total[a] - below[a]
        gain += below[a] * below[a] / n_below + above * above / (n - n_below) - total[a] * total[a] / n
    return gain


@kernel
def _best_cuts(
    line: Floats, order: Ints, rewards: Floats, parts: Ints, totals: Floats, counts: Floats, below: Floats,
    n_below: Floats, last: Floats, gains: Floats, cuts: Floats,
) -> None:  # fmt: skip
    """Write for each part the best gain of a cut, and the value that it comes after; missing values go to neither side.

    `totals` and `counts` are overwritten with the sums of the rewards and the numbers of the rows of each part.
    """
    n_parts, n_actions = below.shape
    for p in range(n_parts):
        gains[p] = n_below[p] = counts[p] = 0.0
        last[p] = cuts[p] = np.nan
        for a in range(n_actions):
            below[p, a] = totals[p, a] = 0.0
    for row in order:
        if line[row] == line[row]:
            p = parts[row]
            counts[p] += 1.0
            for a in range(n_actions):
                totals[p, a] += rewards[row, a]
    for row in order:
        value, p = line[row], parts[row]
        if value != value:
            continue
        if n_below[p] > 0.0 and value > last[p]:
            gain = _explained(below[p], n_below[p], totals[p], counts[p])
            if gain > gains[p]:
                gains[p], cuts[p] = gain, last[p]
        last[p] = value
        n_below[p] += 1.0
        for a in range(n_actions):
            below[p, a] += rewards[row, a]


@allocating_kernel
def cut_lines(lines: Floats, rewards: Floats, parts: Ints, n_parts: int, gains: Floats, cuts: Floats) -> None:
    """Write the best gain of every line in every part, and the value that the best cut comes after."""
    n_actions = rewards.shape[1]
    totals, below = np.zeros((n_parts, n_actions)), np.zeros((n_parts, n_actions))
    counts, n_below, last = np.zeros(n_parts), np.zeros(n_parts), np.zeros(n_parts)
    for k in range(len(lines)):
        order = np.argsort(lines[k])
        _best_cuts(lines[k], order, rewards, parts, totals, counts, below, n_below, last, gains[k], cuts[k])


@allocating_kernel
def cut_sums(
    lines: Floats, pairs: Ints, coefficients: Floats, rewards: Floats, levels: Ints, n_parts: int, gains: Floats
) -> None:
    """Write the best gain of every sum of two lines in every part of every level."""
    n_actions, n_rows = rewards.shape[1], lines.shape[1]
    totals, below = np.zeros((n_parts, n_actions)), np.zeros((n_parts, n_actions))
    counts, n_below, last, cuts = np.zeros(n_parts), np.zeros(n_parts), np.zeros(n_parts), np.zeros(n_parts)
    line = np.zeros(n_rows)
    for k in range(len(pairs)):
        left, right = pairs[k, 0], pairs[k, 1]
        for row in range(n_rows):
            line[row] = lines[left, row] + coefficients[k] * lines[right, row]
        order = np.argsort(line)
        for level in range(len(levels)):
            _best_cuts(
                line, order, rewards, levels[level], totals, counts, below, n_below, last, gains[k, level], cuts
            )  # fmt: skip
