"""Tables as the models behind soft targets read them: by the order of the values alone.

A column that is replaced by a strictly increasing function of itself gives the same designs, and so the same targets.
"""

from typing import Final, NamedTuple

import numpy as np
from scipy.special import ndtri

from evoter.kernels.layout import Floats, Ints

MAX_CATEGORIES: Final = 30
"""The number of categories of a feature that get a column of their own, the most frequent ones."""


def rank_lines(lines: Floats, is_number: list[bool]) -> Floats:
    """Replace the numbers of each line by their ranks among its distinct values; missing values stay missing.

    Categories and truth values are codes already and stay as they are.
    """
    ranked = np.array(lines, dtype=np.float64)
    for line, numeric in zip(ranked, is_number, strict=True):
        if numeric:
            present = ~np.isnan(line)
            line[present] = np.unique(line[present], return_inverse=True)[1]
    return ranked


class TreeDesign(NamedTuple):
    """A matrix for trees, and the line that each of its columns was made of."""

    matrix: Floats
    lines: Ints


def tree_design(ranked: Floats, is_number: list[bool]) -> TreeDesign:
    """Return a matrix for trees: ranks, -1 where missing, and an indicator for each frequent category."""
    columns: list[Floats] = [np.zeros(ranked.shape[1])]
    lines = [0]
    for number, (line, numeric) in enumerate(zip(ranked, is_number, strict=True)):
        made = [np.where(np.isnan(line), -1.0, line)] if numeric else _indicators(line)
        columns += made
        lines += [number] * len(made)
    return TreeDesign(np.column_stack(columns), np.array(lines, np.int64))


def score_design(ranked: Floats, is_number: list[bool]) -> Floats:
    """Return a matrix for distances: normal scores of the ranks, and centred indicators of categories and gaps."""
    columns: list[Floats] = []
    for line, numeric in zip(ranked, is_number, strict=True):
        missing = np.isnan(line)
        if numeric:
            columns.append(_normal_scores(line, ~missing))
        else:
            columns += _indicators(line)
        if missing.any() and not missing.all():
            columns.append(missing.astype(np.float64))
    return np.column_stack([np.zeros(ranked.shape[1]), *(column - column.mean() for column in columns)])


def _indicators(line: Floats) -> list[Floats]:
    values, counts = np.unique(line[~np.isnan(line)], return_counts=True)
    frequent = values[np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]]
    return [(line == value).astype(np.float64) for value in frequent]


def _normal_scores(line: Floats, present: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    """Return what the ranks would be in a normal distribution of variance 1; 0, the middle, where missing."""
    scores = np.zeros(len(line))
    if not present.any():
        return scores
    _, inverse, counts = np.unique(line[present], return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - counts / 2.0
    scores[present] = ndtri(middles / present.sum())[inverse]
    deviation = scores.std()
    return scores / deviation if deviation > 0.0 else scores
