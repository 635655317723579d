"""What users say about actions and objectives, read into what a task of prescription takes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evoter.estimators.inputs import is_frame
from evoter.estimators.labels import action_names
from evoter.estimators.objectives import SECONDARY
from evoter.estimators.prescription.goals import Aim
from evoter.estimators.prescription.treatments import (
    NOTHING,
    ColumnTreatments,
    Interventions,
    LabelTreatments,
    Treatments,
    column_names,
    column_values,
)
from evoter.kernels.layout import Floats
from evoter.rules.errors import did_you_mean
from evoter.rules.values import is_missing

Actions = Sequence[Any] | Mapping[str, Any] | None
"""Labels or columns that may be prescribed, interventions by name, or the ranges of amounts by name."""


def read_treatments(actions: Actions, logged: Any, table: Any, *, several: bool) -> Treatments:
    """Return what can be prescribed, from the parameter `actions` and what was done in history."""
    if isinstance(actions, Mapping):
        if all(isinstance(change, Mapping) for change in actions.values()) and actions:
            interventions = Interventions(actions)
            for column in interventions.columns:
                column_values(table, column)  # which refuses unknown ones
            return interventions
        return _amounts(actions)
    if np.ndim(logged) == 2:
        return _columns(actions, column_names(logged), several=several, named=is_frame(logged))
    if several:
        raise ValueError("several actions at once need a table of them, one column of 0 and 1 for each")
    return _labels(actions, logged)


def _amounts(ranges: Mapping[str, Any]) -> ColumnTreatments:
    bounds = np.array([[*pair] if np.ndim(pair) == 1 and len(pair) == 2 else [np.nan] * 2 for pair in ranges.values()])
    if len(ranges) == 0 or not (np.isfinite(bounds).all() and (bounds[:, 0] < bounds[:, 1]).all()):
        raise ValueError(
            "actions by name are interventions, {name: {column: value}}, or amounts, {name: (low, high)} with low < "
            f"high, got {dict(ranges)}"
        )
    names = tuple(map(str, ranges))
    return ColumnTreatments(names, names, bounds.astype(np.float64), amounts=True)


def _columns(wanted: Sequence[Any] | None, names: list[str], *, several: bool, named: bool) -> ColumnTreatments:
    if not named:  # the given names, if there is one for each column
        whole = wanted is not None and len(wanted) == len(names)
        names = [str(each) for each in wanted or ()] if whole else [f"action {name}" for name in names]
    chosen = tuple(names) if wanted is None else tuple(map(str, wanted))
    for name in chosen:
        if name not in names:
            raise ValueError(f"actions has no column {name!r}{did_you_mean(name, names)}")
    if several and NOTHING in names:
        raise ValueError(f"a column of actions is called {NOTHING!r}, which means that none is taken: rename it")
    return ColumnTreatments(tuple(names), chosen, np.tile([0.0, 1.0], (len(names), 1)), several=several)


def _labels(wanted: Sequence[Any] | None, logged: Any) -> LabelTreatments:
    if logged is None and wanted is None:
        raise ValueError("say what can be prescribed: pass the actions taken in history to fit, or actions=[...]")
    if logged is not None:
        values = np.asarray(logged).ravel()
        gaps = [row for row, value in enumerate(values.tolist()) if is_missing(value)]
        if gaps:
            raise ValueError(f"row {gaps[0]} of actions is missing: leave out the cases without a known action")
    labels = np.unique(np.asarray(wanted if wanted is not None else logged))
    known = labels if logged is None else np.unique(values)
    unseen = labels[~np.isin(labels, known)]
    if len(unseen):
        raise ValueError(
            f"the action {unseen.tolist()[0]!r} was never taken in history, so that nothing is known of it"
        )
    if len(labels) < 2:
        raise ValueError(f"there must be two actions to choose from, got {labels.tolist()}")
    name = getattr(logged, "name", None)
    return LabelTreatments(labels, tuple(action_names(labels)), known, "action" if name is None else str(name))


def read_aims(objectives: Mapping[str, Aim] | None) -> tuple[dict[str, Aim], tuple[str, ...]]:
    """Return what is wanted of outcomes, and the names of the other objectives, such as "complexity".

    >>> read_aims({"death": "minimise", "complexity": "minimise"})
    ({'death': 'minimise'}, ('complexity',))
    """
    aims = {name: aim for name, aim in (objectives or {}).items() if name not in SECONDARY}
    others = tuple(name for name in objectives or {} if name in SECONDARY)
    for name in others:
        direction = "maximise" if name == "novelty" else "minimise"
        if (objectives or {})[name] != direction:
            raise ValueError(f"the objective {name!r} can only be {direction!r}")
    return aims, others


def read_costs(costs: Mapping[str, float] | None, names: Sequence[str]) -> Floats | None:
    """Return what each action costs, 0 where nothing is said; None where no costs count."""
    if costs is None:
        return None
    for name, cost in costs.items():
        if name not in names:
            raise ValueError(f"there is no action {name!r} to cost anything{did_you_mean(str(name), names)}")
        if not np.isfinite(cost):
            raise ValueError(f"the cost of {name!r} must be a finite number, got {cost!r}")
    return np.array([float(costs.get(name, 0.0)) for name in names])
