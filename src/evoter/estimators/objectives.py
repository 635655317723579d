"""Objectives and constraints that users name, and the candidate of a front that they want."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from evoter.estimators.classification.scoring import Metric
from evoter.estimators.group_measures import GROUP_MEASURES, is_group_measure, read_group_measure
from evoter.estimators.run_parameters import METRIC
from evoter.evolution.fronts.front import Candidate, Front
from evoter.kernels.layout import Floats
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.group_counts import GroupMeasure
from evoter.problems.secondary import (
    COMPLEXITY,
    RULES,
    Secondary,
    feature_cost,
    novelty,
    number_of_features,
    rare_rules,
)
from evoter.rules.errors import did_you_mean
from evoter.rules.model import Mode
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel

SECONDARY = ("complexity", "rules", "features", "feature_cost", "rare_rules", "novelty")
"""What can be an objective beside a measure."""

LIMITED = tuple(name for name in SECONDARY if name != "novelty")
"""What can be limited by a constraint, beside measures of groups."""

Select = str | Mapping[str, Any] | Callable[[Front], Candidate | int] | None
"""How a candidate is chosen: a way of `Front.select`, its arguments by name, or a function of the front."""


_PRICED = (None, "best", "neighbours")
"""Ways to choose among the finalists of a run by score less parsimony."""


def read_objectives(objectives: Sequence[str] | None, metric: Metric) -> tuple[Metric, tuple[str, ...]]:
    """Return the measure and the names of the other objectives.

    >>> read_objectives(["f1_macro", "complexity"], "accuracy")
    ('f1_macro', ('complexity',))
    >>> read_objectives(None, "f1_macro")
    ('f1_macro', ())
    """
    if objectives is None:
        return metric, ()
    names = tuple(objectives)
    if not all(isinstance(name, str) for name in names) or len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(
            f"objectives must be a measure and one or more of {', '.join(SECONDARY)}, or measures of groups such as "
            f"selection_rate_difference, each once, got {objectives!r}"
        )
    first, others = names[0], names[1:]
    if first in SECONDARY or is_group_measure(first):
        raise ValueError(f"the first of objectives must be a measure such as 'accuracy', got {first!r}: put it first")
    for name in others:
        if name not in SECONDARY and not is_group_measure(name):
            hint = did_you_mean(name, [*SECONDARY, *GROUP_MEASURES]) or f"; known: {', '.join(SECONDARY)}"
            raise ValueError(f"unknown objective {name!r} beside the measure {first!r}{hint}")
    if first == "metric":
        return metric, others
    if not isinstance(metric, str) or metric not in (METRIC, first):
        raise ValueError(f"metric and the first of objectives, {first!r}, differ: name it 'metric' to use the former")
    return first, others


def read_constraints(constraints: Mapping[str, float] | None) -> dict[str, float]:
    """Return how much there may be of what, by name; of a recall and of ratios, how much there must be.

    >>> read_constraints({"complexity": 8, "recall(malignant)": 0.95})
    {'complexity': 8.0, 'recall(malignant)': 0.95}
    """
    limits: dict[str, float] = {}
    for name, most in (constraints or {}).items():
        if is_group_measure(name):
            if isinstance(most, bool) or not isinstance(most, Real) or not 0.0 <= most <= 1.0:
                raise ValueError(f"the constraint on {name!r} must be a number from 0 to 1, got {most!r}")
            limits[name] = float(most)
            continue
        if name not in LIMITED:
            others = f"; known: {', '.join(map(repr, LIMITED))}, and measures of groups such as {GROUP_MEASURES[0]!r}"
            hint = did_you_mean(str(name), [*LIMITED, *GROUP_MEASURES]) or others
            raise ValueError(f"constraints cannot limit {name!r}{hint}")
        if isinstance(most, bool) or not isinstance(most, Real) or not 0.0 <= most < math.inf:
            raise ValueError(f"the constraint on {name!r} must be the most of it, a number 0 or more, got {most!r}")
        limits[name] = float(most)
    return limits


def make_secondary(
    names: Iterable[str], schema: Schema, data: Floats | Panel, mode: Mode, prices: Mapping[str, float] | None
) -> dict[str, Secondary | GroupMeasure]:
    """Return what is scored beside the measure, by name, for a table given feature by feature or a panel."""
    names = tuple(dict.fromkeys(names))
    if ("feature_cost" in names) is not (prices is not None):
        raise ValueError(
            "'feature_cost' as an objective or a constraint needs feature_prices, and feature_prices have no effect "
            "without it: give both or neither"
        )
    makers: dict[str, Callable[[], Secondary | GroupMeasure]] = {
        "complexity": lambda: COMPLEXITY,
        "rules": lambda: RULES,
        "features": lambda: number_of_features(schema),
        "feature_cost": lambda: feature_cost(schema, prices or {}),
        "rare_rules": rare_rules,
        "novelty": lambda: novelty(sample_behaviours(schema, data, mode)),
    }
    return {name: makers[name]() if name in makers else read_group_measure(name, schema.actions) for name in names}


def select_finalist(finalists: Front, select: Select, parsimony: float) -> Candidate:
    """Return the finalist of a run with one objective that is asked for.

    The best, and the mean of neighbours, are those at the price of `parsimony` per condition, by which the run went,
    unless an objective, weights or a validation are given.
    """
    given = {"by": select} if isinstance(select, str) else dict(select) if isinstance(select, Mapping) else None
    if given is None or {"objective", "weights", "validation"} & set(given) or given.get("by") not in _PRICED:
        return select_candidate(finalists, select, parsimony)
    if given.get("by") == "best":
        del given["by"]
    measure, complexity = (objective.name for objective in finalists.objectives)
    return finalists.select(**given, weights={measure: 1.0, complexity: parsimony})


def select_candidate(front: Front, select: Select, parsimony: float) -> Candidate:
    """Return the candidate asked for; without a wish, the best at the price of `parsimony` per condition."""
    if select is None:
        names = [objective.name for objective in front.objectives]
        if "complexity" not in names:
            return front.select("best")
        return front.select(weights={names[0]: 1.0, "complexity": parsimony})
    if isinstance(select, str):
        return front.select(select)
    if isinstance(select, Mapping):
        return front.select(**select)
    chosen = select(front)
    return chosen if isinstance(chosen, Candidate) else front[chosen]
