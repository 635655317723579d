"""Means over runs, with the intervals that they are known to."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t as student

LEVEL = 0.95


class Interval(NamedTuple):
    """Means and the half widths of their intervals; a width of 0 where there is one run only."""

    mean: NDArray[np.float64]
    half: NDArray[np.float64]


def mean_interval(values: ArrayLike, level: float = LEVEL, *, test_per_train: float = 0.0) -> Interval:
    """Return the mean over the first axis with its confidence interval by Student's t distribution.

    Runs on random splits of the same rows overlap, so that their mean varies more than it seems: with so many test rows
    per training row, the interval is that of the corrected resampled t-test (Nadeau and Bengio, 2003).

    >>> interval = mean_interval([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    >>> interval.mean, interval.half.round(4)
    (array([2., 5.]), array([2.4841, 0.    ]))
    """
    runs = np.asarray(values, np.float64)
    n = len(runs)
    mean = np.asarray(runs.mean(axis=0))
    if n < 2:
        return Interval(mean, np.zeros_like(mean))
    spread = np.asarray(runs.std(axis=0, ddof=1)) * math.sqrt(1 / n + test_per_train)
    return Interval(mean, student.ppf((1 + level) / 2, n - 1) * spread)
