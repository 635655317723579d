"""Composite objectives: unwanted trade-offs are excluded by mixing objectives before they are ranked.

After Shahrzad, Fink and Miikkulainen, Enhanced Optimization with Composite Objectives and Novelty Selection (2018).
"""

import numpy as np

from evoter.kernels.layout import Floats


def composed(costs: Floats, share: float) -> Floats:
    """Add to each cost `share` of all others, every one scaled to its range among the finite ones.

    With a share of 0 nothing is mixed, with 1 all columns are the same sum. In between, one objective cannot be bought
    at any price: giving up the whole range of another must gain more than `share` of its own.

    >>> composed(np.array([[0.0, 10.0], [1.0, 0.0], [0.9, 9.0]]), 0.5)
    array([[0.5 , 1.  ],
           [1.  , 0.5 ],
           [1.35, 1.35]])
    """
    if share == 0.0:
        return costs
    scaled = np.zeros_like(costs)
    for column, cost in zip(scaled.T, costs.T, strict=True):
        finite = np.isfinite(cost)
        low, high = (cost[finite].min(), cost[finite].max()) if finite.any() else (0.0, 0.0)
        # Halves, because the range may be larger than the largest number.
        span = (high / 2 - low / 2) or 1.0
        column[finite] = (cost[finite] / 2 - low / 2) / span
        column[~finite] = np.where(cost[~finite] > 0.0, np.inf, -np.inf)
    with np.errstate(invalid="ignore"):  # infinitely good in one and bad in another is as bad as can be
        mixed = (1.0 - share) * scaled + share * scaled.sum(axis=1, keepdims=True)
    mixed[np.isnan(mixed)] = np.inf
    return np.ascontiguousarray(mixed)
