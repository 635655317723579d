"""Choosing one candidate of a front: by an objective, at the knee, by weights, by validation, by its neighbours."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats, Ints
from evoter.rules.errors import did_you_mean
from evoter.rules.model import RuleSet

if TYPE_CHECKING:
    from evoter.evolution.fronts.front import Front

Bounds = Mapping[str, float]
"""Limits by the name of an objective or of a size."""

Validation = Callable[[RuleSet], float] | Sequence[float] | NDArray[np.float64]
"""A score for each candidate that evolution did not see, or how to get it; more is better."""

METHODS = ("best", "knee", "weights", "validation", "neighbours")


def choose(
    front: "Front",
    by: str | None,
    objective: str | None,
    weights: Mapping[str, float] | None,
    validation: Validation | None,
    n_neighbours: int,
    at_most: Bounds | None,
    at_least: Bounds | None,
) -> int:
    """Return the number of the candidate that `Front.select` describes."""
    if len(front) == 0:
        raise ValueError("the front has no candidates to select from")
    method = _method(by, weights is not None, validation is not None)
    allowed = _allowed(front, at_most or {}, at_least or {})
    if method == "knee":
        costs = _knee_costs(front.costs, allowed)
    elif method == "weights":
        costs = _weighted_costs(front, weights or {})
    elif method == "validation":
        assert validation is not None
        costs = -_validation_scores(front, validation, allowed)
    elif method == "neighbours":
        costs = _costs_of(front, objective) if weights is None else _weighted_costs(front, weights)
        costs = _neighbourhood_means(front, costs, n_neighbours)
    else:
        costs = _costs_of(front, objective)
    costs = np.where(np.isnan(costs), np.inf, costs)
    sizes = [front[i].n_conditions for i in allowed]
    return int(allowed[np.lexsort((sizes, costs[allowed]))[0]])


def _method(by: str | None, has_weights: bool, has_validation: bool) -> str:
    if by is not None and by not in METHODS:
        raise ValueError(f"unknown way to select {by!r}{did_you_mean(by, METHODS)}")
    if has_weights and has_validation:
        raise ValueError("select takes weights or validation, not both")
    for name, given in (("weights", has_weights), ("validation", has_validation)):
        if given and name == "weights" and by == "neighbours":
            return by
        if given and by not in (None, name):
            raise ValueError(f"select(by={by!r}) does not use {name}: leave out one of the two")
        if by == name and not given:
            raise ValueError(f"select(by={name!r}) needs {name}=...")
        if given:
            return name
    return by or "best"


def _allowed(front: "Front", at_most: Bounds, at_least: Bounds) -> Ints:
    """Return the numbers of the candidates within all bounds."""
    allowed = np.arange(len(front))
    for bounds, sign, words in ((at_most, 1.0, ("at most", "least")), (at_least, -1.0, ("at least", "most"))):
        for name, bound in bounds.items():
            values = np.array([front.candidates[i].value(name) for i in allowed])
            within = sign * values <= sign * bound
            if not within.any():
                nearest = sign * np.nanmin(sign * values) if not np.isnan(values).all() else np.nan
                raise ValueError(
                    f"no candidate has {name} {words[0]} {bound:g} within the other bounds: the {words[1]} is "
                    f"{nearest:g}; loosen a bound"
                )
            allowed = allowed[within]
    return allowed


def _knee_costs(costs: Floats, allowed: Ints) -> Floats:
    """Return the sum of costs, each scaled so that its best is 0 and its worst 1 among the finite allowed ones.

    Where it is least, the distance to the plane through the ends of the front is largest.
    """
    total = np.zeros(len(costs))
    for column in costs.T:
        finite = column[allowed][np.isfinite(column[allowed])]
        low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
        # Halves, because the range may be larger than the largest number.
        total += (column / 2 - low / 2) / (high / 2 - low / 2) if high > low else np.where(np.isinf(column), column, 0)
    return total


def _weighted_costs(front: "Front", weights: Mapping[str, float]) -> Floats:
    for name, weight in weights.items():
        front.objective(name)
        if not 0.0 <= weight < np.inf:
            raise ValueError(f"the weight of {name!r} must be a finite number, 0 or more, got {weight!r}")
    if not any(weights.values()):
        raise ValueError("at least one weight must be above 0")
    weighted = (weights[each.name] * _costs_of(front, each.name) for each in front.objectives if weights.get(each.name))
    total: Floats = np.sum(list(weighted), axis=0)
    return total


def _validation_scores(front: "Front", validation: Validation, allowed: Ints) -> Floats:
    if not callable(validation):
        scores = np.asarray(validation, np.float64)
        if scores.shape != (len(front),):
            raise ValueError(f"validation needs a score for each of {len(front)} candidates, got shape {scores.shape}")
        return scores
    scores = np.full(len(front), -np.inf)
    scores[allowed] = [float(validation(front[i].ruleset)) for i in allowed]
    return scores


def _costs_of(front: "Front", objective: str | None) -> Floats:
    costs: Floats = front.costs[:, front.objectives.index(front.objective(objective))]
    return costs


def _neighbourhood_means(front: "Front", costs: Floats, n_neighbours: int) -> Floats:
    """Return the mean cost of each candidate and its nearest neighbours; of equally near ones, the earlier count."""
    if n_neighbours < 1:
        raise ValueError(f"n_neighbours must be 1 or more, got {n_neighbours}")
    behaviours = [candidate.behaviour for candidate in front]
    known = [behaviour for behaviour in behaviours if behaviour is not None]
    if len(known) < len(front) or len({behaviour.shape for behaviour in known}) > 1:
        raise ValueError(
            "select(by='neighbours') needs what every candidate decides on the same rows, which this front does not "
            "know: give each Candidate its behaviour"
        )
    means = np.empty(len(front))
    for i, mine in enumerate(known):
        distances = np.array([np.count_nonzero(mine != other) for other in known])
        distances[i] = -1  # itself before its copies
        nearest = costs[np.argsort(distances, kind="stable")[: n_neighbours + 1]]
        means[i] = np.sort(nearest).mean()  # sorted, so that equal neighbourhoods have equal means to the last digit
    return means
