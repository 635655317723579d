"""Secondary objectives: a rule set should not only be accurate, but also small, cheap, general, or novel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from evoter.evolution.mechanisms.novelty import N_NEIGHBOURS, nearest_behaviours
from evoter.evolution.problem import Evaluation, Objective
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.prices import measure_sizes, price_features
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours
from evoter.rules.schema import Schema

Score = Callable[[Population, Evaluation], Floats]
"""Scores for the individuals of a population, from its arrays and the counts of its evaluation."""


@dataclass(frozen=True, slots=True)
class Secondary:
    """An objective and how individuals are scored by it.

    `relative` says that a score depends on the rest of the population; `details` distinguish objectives of the same
    name, so that no checkpoint is resumed with another one.
    """

    objective: Objective
    score: Score
    relative: bool = False
    details: str = ""


def number_of_features(schema: Schema) -> Secondary:
    """Count the features that some condition reads."""
    return Secondary(Objective("features", maximise=False), partial(_cost, np.ones(len(schema.features))))


def feature_cost(schema: Schema, prices: Mapping[str, float], *, other: float = 0.0) -> Secondary:
    """Add up the prices of the features that some condition reads, each once; features not named cost `other`.

    >>> from evoter import Feature
    >>> cost = feature_cost(Schema([Feature("age"), Feature("biopsy")], ["well", "ill"]), {"biopsy": 900})
    >>> cost.objective
    Objective(name='feature_cost', maximise=False)
    """
    for name, price in {**prices, "other": other}.items():
        if not 0.0 <= price < np.inf:
            raise ValueError(f"the price of {name!r} must be a finite number, 0 or more, got {price!r}")
    for name in prices:
        schema.feature(name)  # which names the nearest ones where there is no such feature
    each = np.array([float(prices.get(name, other)) for name in schema.names])
    objective = Objective("feature_cost", maximise=False)
    return Secondary(objective, partial(_cost, each), details=repr(each.tolist()))


def rare_rules(least: int = 5) -> Secondary:
    """Return the share of rules that decide fewer than `least` rows: they may have memorised single cases.

    Rules that decide no row at all are left out, since they will be pruned.
    """
    if least < 1:
        raise ValueError(f"least must be 1 or more rows, got {least}")
    return Secondary(Objective("rare_rules", maximise=False), partial(_rare_share, least), details=str(least))


def novelty(behaviours: Behaviours, *, n_neighbours: int = N_NEIGHBOURS, threads: Threads | None = None) -> Secondary:
    """Return the mean share of rows on which the nearest individuals of the population decide differently."""
    if n_neighbours < 1:
        raise ValueError(f"n_neighbours must be 1 or more, got {n_neighbours}")
    score = partial(_mean_distance, behaviours, n_neighbours, threads or Threads(1))
    details = f"{n_neighbours} neighbours on {behaviours.n_rows} rows"
    return Secondary(Objective("novelty"), score, relative=True, details=details)


def _sizes(population: Population, evaluation: Evaluation) -> tuple[Floats, Floats]:
    n_rules, n_conditions = np.empty(population.size), np.empty(population.size)
    measure_sizes(population, evaluation.times_applied, n_rules, n_conditions)
    return n_rules, n_conditions


def _n_conditions(population: Population, evaluation: Evaluation) -> Floats:
    return _sizes(population, evaluation)[1]


def _n_rules(population: Population, evaluation: Evaluation) -> Floats:
    return _sizes(population, evaluation)[0]


def _cost(prices: Floats, population: Population, evaluation: Evaluation) -> Floats:
    costs = np.empty(population.size)
    price_features(population, evaluation.times_applied, prices, costs)
    return costs


def _rare_share(least: int, population: Population, evaluation: Evaluation) -> Floats:
    decided: Ints = evaluation.times_decided
    n_deciding = np.count_nonzero(decided > 0, axis=1)
    n_rare = np.count_nonzero((decided > 0) & (decided < least), axis=1)
    shares: Floats = n_rare / np.maximum(n_deciding, 1)
    return shares


def _mean_distance(
    behaviours: Behaviours, k: int, threads: Threads, population: Population, evaluation: Evaluation
) -> Floats:
    return nearest_behaviours(behaviours.planes(population, threads), behaviours.n_rows, k, threads)


COMPLEXITY = Secondary(Objective("complexity", maximise=False), _n_conditions)
"""The number of conditions. As in all sizes, rules that held on no row do not count, since they will be pruned."""

RULES = Secondary(Objective("rules", maximise=False), _n_rules)
"""The number of rules."""
