"""Confidence intervals: of means over several runs, and of proportions counted on some rows."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
"""The confidence level of all intervals, unless another one is given."""

NORMAL_QUANTILE = 1.959963984540054
"""The quantile of the normal distribution that intervals of this level have."""


class Interval(NamedTuple):
    """Means and the half widths of their intervals; the half width is 0 where there is only one run."""

    mean: NDArray[np.float64]
    half: NDArray[np.float64]


def mean_interval(values: ArrayLike, level: float = LEVEL, *, test_per_train: float = 0.0) -> Interval:
    """Return the mean over the first axis with its confidence interval from Student's t distribution.

    Runs on random splits of the same rows overlap, so their mean varies more than it seems to. `test_per_train`, the
    number of test rows per training row, widens the interval to that of the corrected resampled t-test (Nadeau and
    Bengio, 2003).

    >>> interval = mean_interval([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    >>> interval.mean, interval.half.round(4)
    (array([2., 5.]), array([2.4841, 0.    ]))
    """
    from scipy.stats import t as student

    runs = np.asarray(values, np.float64)
    n = len(runs)
    mean = np.asarray(runs.mean(axis=0))
    if n < 2:
        return Interval(mean, np.zeros_like(mean))
    spread = np.asarray(runs.std(axis=0, ddof=1)) * math.sqrt(1 / n + test_per_train)
    return Interval(mean, student.ppf((1 + level) / 2, n - 1) * spread)


def proportion_interval(n_hits: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for the proportion of hits among independently drawn rows.

    It stays between 0 and 1, and is accurate for few rows and for proportions near 0 or 1.

    >>> [round(end, 3) for end in proportion_interval(95, 100)]
    [0.888, 0.978]
    >>> proportion_interval(3, 3)[1]
    1.0
    """
    from scipy.stats import binomtest

    if not 0 <= n_hits <= n_rows or n_rows == 0:
        raise ValueError(f"n_rows must be positive and n_hits at most n_rows, not {n_hits} of {n_rows}")
    low, high = binomtest(n_hits, n_rows).proportion_ci(LEVEL, method="wilson")
    return float(low), float(high)


def proportion_intervals(n_hits: ArrayLike, n_rows: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of Wilson's 95 % intervals for many proportions at once; NaN where there are no rows.

    >>> low, high = proportion_intervals([95, 0], [100, 0])
    >>> low.round(3), high.round(3)
    (array([0.888,   nan]), array([0.978,   nan]))
    """
    hits, rows = np.broadcast_arrays(np.asarray(n_hits, np.float64), np.asarray(n_rows, np.float64))
    known = np.where(rows > 0, rows, np.nan)
    share, penalty = hits / known, NORMAL_QUANTILE**2 / known
    centre = (share + penalty / 2) / (1 + penalty)
    half = np.sqrt(penalty * (share * (1 - share) + penalty / 4)) / (1 + penalty)
    # Rounding must not exclude the proportions 0 and 1 themselves.
    return np.where(hits == 0, 0.0 * centre, centre - half), np.where(hits == rows, 1.0 + 0.0 * centre, centre + half)


def difference_interval(one: tuple[float, float, float], other: tuple[float, float, float]) -> tuple[float, float]:
    """Return Newcombe's 95 % interval for the difference of two proportions, each given with its own interval.

    >>> low, high = proportion_intervals([56, 48], [70, 80])
    >>> [round(end, 4) for end in difference_interval((56 / 70, low[0], high[0]), (48 / 80, low[1], high[1]))]
    [0.0524, 0.3339]
    """
    (p, low, high), (q, its_low, its_high) = one, other
    return float(p - q - math.hypot(p - low, its_high - q)), float(p - q + math.hypot(high - p, q - its_low))
