"""Constants for conditions: the shortest decimal numbers that lie between neighbouring values of a feature."""

import math

import numpy as np

from evoter.kernels.layout import Floats

MAX_CUTS = 1_024
"""More constants per feature than this would not be told apart by any search; quantiles stand in."""

MAX_LEVELS = 32
"""A numeric feature with at most this many different values is also compared with = and !=."""


def short_number_between(low: float, high: float) -> float:
    """Return the number with the fewest decimals in the middle half of (low, high), nearest to its centre.

    >>> short_number_between(1.9, 3.0), short_number_between(1.7, 1.8), short_number_between(4_900, 5_200)
    (2.5, 1.75, 5000.0)
    """
    centre = low + (high - low) / 2
    if not low < centre < high:
        return low
    margin = (high - low) / 4
    for decimals in range(-math.floor(math.log10(high - low)) - 1, 18):
        candidate = round(centre, decimals)
        if low + margin <= candidate <= high - margin:
            return float(candidate)
    return centre


def cuts_and_levels(values: Floats, max_cuts: int = MAX_CUTS) -> tuple[Floats, Floats]:
    """Return the cuts between neighbouring values of a feature, and the values themselves if they are few.

    A cut that cannot lie strictly between two values (neighbouring doubles) is left out. Infinite values
    have no cut beside them.
    """
    present = np.unique(values[np.isfinite(values)])
    levels = present if len(present) <= MAX_LEVELS else present[:0]
    if len(present) > max_cuts + 1:
        # Evenly spaced among the rows, not among the values: where the data are dense, so are the cuts.
        ordered = np.sort(values[np.isfinite(values)])
        picked = ordered[np.linspace(0, len(ordered) - 1, max_cuts + 2).astype(np.int64)[1:-1]]
        upper = np.searchsorted(present, np.unique(picked), side="right")
        upper = upper[upper < len(present)]
        pairs = zip(present[upper - 1], present[upper], strict=True)
    else:
        pairs = zip(present[:-1], present[1:], strict=True)
    cuts = [short_number_between(float(low), float(high)) for low, high in pairs]
    return np.unique(np.array(cuts, dtype=np.float64)), levels
