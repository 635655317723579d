"""NSGA-II: the rank of each individual among the others when there are several objectives."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evoter.evolution.problem import Objective
from evoter.kernels.fronts.pareto import crowding_distances, rank_fronts, survival_order
from evoter.kernels.layout import Floats, Ints

_UNCONSTRAINED: Floats = np.empty(0)


class Standing(NamedTuple):
    """The front of each individual (0 is best), its crowding distance, earlier equals, and the order of survival."""

    ranks: Ints
    crowding: Floats
    copies: Ints
    order: Ints


def as_costs(scores: Floats, objectives: Sequence[Objective]) -> Floats:
    """Turn scores in the user's directions into costs, NaN being infinitely bad.

    >>> as_costs(np.array([[0.9, 3.0], [np.nan, 1.0]]), [Objective("accuracy"), Objective("rules", maximise=False)])
    array([[-0.9,  3. ],
           [ inf,  1. ]])
    """
    signs = np.array([-1.0 if objective.maximise else 1.0 for objective in objectives])
    costs: Floats = np.ascontiguousarray(scores * signs)
    costs[np.isnan(costs)] = np.inf
    return costs


def stand(costs: Floats, violations: Floats = _UNCONSTRAINED, *, copies_last: bool = False) -> Standing:
    """Rank individuals by constraint domination, and those of one front by crowding.

    With `copies_last`, the second of several equal individuals ranks behind all first ones, the third behind all
    second ones: where scores are few and discrete, a population would otherwise fill with copies of its front.

    >>> stand(np.array([[0.0, 2.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])).order.tolist()
    [0, 1, 3, 2]
    >>> stand(np.array([[0.0, 2.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]), copies_last=True).order.tolist()
    [0, 1, 2, 3]
    """
    n = len(costs)
    ranks, copies, order = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    crowding = np.empty(n)
    n_fronts = rank_fronts(costs, violations, ranks, copies)
    if copies_last:
        ranks += n_fronts * copies
        ranks = (np.cumsum(np.bincount(ranks) > 0) - 1)[ranks]  # numbered without gaps
    crowding_distances(costs, ranks, crowding)
    survival_order(ranks, crowding, order)
    return Standing(ranks, crowding, copies, order)
