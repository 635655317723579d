"""How good probabilities of two classes are: how well they rank rows (ROC) and how far they can be believed."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.intervals import proportion_interval

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

MAX_BINS = 10
"""Rows with more different probabilities are put into this number of bins of about the same size."""

_Z = 1.959963984540054
"""The normal quantile of a 95 % interval."""


class Curve(NamedTuple):
    """The ROC curve: (false positive rate, true positive rate) from the strictest threshold to the loosest.

    `interval` is DeLong's 95 % interval of the area, None where the rows do not determine one.
    """

    points: tuple[tuple[float, float], ...]
    area: float
    interval: tuple[float, float] | None


class Bin(NamedTuple):
    """Rows with about the same probability: its mean, the share of rows that have the label, and its 95 % interval."""

    probability: float
    n_rows: int
    n_hits: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of rows that have the label."""
        return self.n_hits / self.n_rows


def roc_curve(scores: Floats, hits: Booleans) -> Curve:
    """Return the ROC curve of scores for rows that are hits or not, of which there must be both.

    >>> curve = roc_curve(np.array([0.9, 0.9, 0.2, 0.2]), np.array([True, True, True, False]))
    >>> curve.points, round(curve.area, 4)
    (((0.0, 0.0), (0.0, 0.6666666666666666), (1.0, 1.0)), 0.8333)
    """
    n_hits, n_others = int(hits.sum()), int((~hits).sum())
    if n_hits == 0 or n_others == 0:
        raise ValueError("a ROC curve needs rows of both labels")
    levels, codes = np.unique(-scores, return_inverse=True)
    found = np.cumsum(np.bincount(codes[hits], minlength=len(levels))) / n_hits
    wrong = np.cumsum(np.bincount(codes[~hits], minlength=len(levels))) / n_others
    points = [(0.0, 0.0), *zip(wrong.tolist(), found.tolist(), strict=True)]
    placed = _placements(scores[hits], scores[~hits])
    area = float(placed.mean())
    if min(n_hits, n_others) < 2:
        return Curve(tuple(points), area, None)
    outranked = 1.0 - _placements(scores[~hits], scores[hits])
    error = math.sqrt(placed.var(ddof=1) / n_hits + outranked.var(ddof=1) / n_others)
    interval = (max(0.0, area - _Z * error), min(1.0, area + _Z * error)) if error > 0 else None
    return Curve(tuple(points), area, interval)


def _placements(ones: Floats, others: Floats) -> Floats:
    """Return, for each of some scores, the share of other scores that it outranks; a tie counts half."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, ones, side="left")
    up_to = np.searchsorted(ordered, ones, side="right")
    shares: Floats = (below + up_to) / (2 * len(others))
    return shares


def calibration_bins(scores: Floats, hits: Booleans) -> list[Bin]:
    """Return how often rows are hits where their probability says so, one bin for each probability if they are few.

    >>> [
    ...     (each.probability, each.n_rows, each.share)
    ...     for each in calibration_bins(np.array([0.2, 0.2, 0.8, 0.8]), np.array([False, True, True, True]))
    ... ]
    [(0.2, 2, 0.5), (0.8, 2, 1.0)]
    """
    levels = np.unique(scores)
    if len(levels) > MAX_BINS:
        cuts = np.unique(np.quantile(scores, np.linspace(0, 1, MAX_BINS + 1)[1:-1]))
        codes = np.searchsorted(cuts, scores, side="left")
    else:
        codes = np.searchsorted(levels, scores)
    bins = []
    for code in np.unique(codes).tolist():
        inside = codes == code
        n_rows, n_hits = int(inside.sum()), int((inside & hits).sum())
        bins.append(Bin(float(scores[inside].mean()), n_rows, n_hits, *proportion_interval(n_hits, n_rows)))
    return bins


def brier_score(scores: Floats, hits: Booleans) -> float:
    """Return the mean squared difference between probabilities and what happened; 0 is best."""
    return float(((scores - hits) ** 2).mean())
