"""Constants for conditions: the shortest decimal numbers that lie between neighbouring values of a feature."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats

_T = TypeVar("_T", np.float64, np.int64)

MAX_CUTS = 1_024
"""More constants per feature than this cannot be told apart by any search; quantiles are used instead."""

MAX_LEVELS = 32
"""A numeric feature with at most this many different values is also compared with = and !=."""

_MOST_DECIMALS = 22
"""Beyond this, a power of ten is no exact double, and rounding to it gives no short number."""

_ROUNDING = 1e-12
"""Numbers nearer than this, in relation to their size, are one number that was computed in two ways."""


@np.errstate(over="ignore")  # of gaps and roundings beyond the largest number, which are then not chosen
def short_numbers_between(lows: Floats, highs: Floats) -> Floats:
    """Return for each pair the number with the fewest decimals in the middle half of (low, high), nearest its centre.

    Pairs of neighbouring doubles have no number between them and give NaN.

    >>> short_numbers_between(np.array([1.9, 1.7, 4_900]), np.array([3.0, 1.8, 5_200])).tolist()
    [2.4, 1.75, 5000.0]
    """
    gaps = highs - lows
    centres = np.where(np.isfinite(gaps), lows + gaps / 2, lows / 2 + highs / 2)
    chosen = np.where((lows < centres) & (centres < highs), centres, np.nan)
    undone = np.isfinite(chosen) & np.isfinite(gaps)
    if not undone.any():
        return chosen
    fewest = int(-np.floor(np.log10(gaps[undone].max()))) - 1
    for decimals in range(max(fewest, -_MOST_DECIMALS), _MOST_DECIMALS + 1):
        candidates = np.round(centres, decimals)
        fits = undone & (lows + gaps / 4 <= candidates) & (candidates <= highs - gaps / 4)
        chosen[fits] = candidates[fits]
        undone &= ~fits
        if not undone.any():
            break
    return chosen


def cuts_and_levels(values: Floats, max_cuts: int = MAX_CUTS) -> tuple[Floats, Floats]:
    """Return the cuts between neighbouring values of a feature, and the values themselves if they are few.

    Infinite values have no cut beside them, and values that differ by rounding alone have none between them.
    """
    finite = np.sort(values[np.isfinite(values)])
    present = _distinct(finite)
    levels = present if len(present) <= MAX_LEVELS else present[:0]
    with np.errstate(over="ignore"):
        apart = np.diff(present) > _ROUNDING * np.maximum(np.abs(present[1:]), np.abs(present[:-1]))
    upper = np.flatnonzero(apart) + 1
    if len(upper) > max_cuts:
        # Evenly spaced among the rows, not among the values: where the data are dense, so are the cuts.
        ranks = np.linspace(0, len(finite) - 1, max_cuts + 2).astype(np.int64)[1:-1]
        wanted = _distinct(np.searchsorted(present, finite[ranks], side="right"))
        nearest = np.searchsorted(upper, wanted)
        upper = _distinct(upper[nearest[nearest < len(upper)]])
    cuts = short_numbers_between(present[upper - 1], present[upper])
    return _distinct(np.sort(cuts[np.isfinite(cuts)])), levels


def _distinct(ascending: NDArray[_T]) -> NDArray[_T]:
    """Return sorted numbers without repetitions: `np.unique` would sort them again."""
    if len(ascending) < 2:
        return ascending
    first: NDArray[_T] = ascending[np.concatenate([[True], ascending[1:] != ascending[:-1]])]
    return first
