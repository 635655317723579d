"""Goals: how predicted outcomes become the scores that a policy is to maximise or minimise."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.estimators.inputs import is_frame
from evoter.estimators.prescription.treatments import column_names, column_values
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats
from evoter.rules.errors import did_you_mean

Predictions = Mapping[str, Floats]
"""By the names of outcomes: numbers [row], or for outcomes that are classes their probabilities [row, class]."""

Aim = str | Mapping[Any, float] | Callable[[Predictions], Floats] | tuple[Callable[[Predictions], Floats], str]
"""What a user wants of an outcome: "maximise" or "minimise" it, scores for its classes, or any function of all."""

DIRECTIONS = ("maximise", "minimise")


@dataclass(frozen=True)
class Goal:
    """A score that is computed from predictions."""

    objective: Objective
    score: Callable[[Predictions], Floats]


def read_outcomes(outcomes: Any, wanted: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return outcomes by name: columns of a frame or a mapping, or a single one that is named by what is wanted."""
    if isinstance(outcomes, Mapping):
        return {str(name): np.asarray(values) for name, values in outcomes.items()}
    if is_frame(outcomes):
        return {name: column_values(outcomes, name) for name in column_names(outcomes)}
    values = np.asarray(outcomes)
    if values.ndim == 1:
        names = [str(getattr(outcomes, "name", None) or (wanted[0] if len(wanted) == 1 else "outcome"))]
        return {names[0]: values}
    if values.ndim != 2 or values.shape[1] != len(wanted):
        raise ValueError(
            f"outcomes without names must be one column, or one for each of the objectives {list(wanted)}; got shape "
            f"{values.shape}: pass a data frame or a mapping"
        )
    return dict(zip(wanted, values.T, strict=True))


def make_goals(aims: Mapping[str, Aim], classes: Mapping[str, NDArray[Any] | None]) -> tuple[Goal, ...]:
    """Return a goal for each aim; `classes` are those of each outcome, None for numbers."""
    return tuple(_make_goal(name, aim, classes) for name, aim in aims.items())


def _make_goal(name: str, aim: Aim, classes: Mapping[str, NDArray[Any] | None]) -> Goal:
    function, direction = aim if isinstance(aim, tuple) else (aim, None)
    if callable(function):
        if direction not in (None, *DIRECTIONS):
            raise ValueError(f"objective {name!r}: a function comes with 'maximise' or 'minimise', got {direction!r}")
        return Goal(Objective(name, direction != "minimise"), function)
    if name not in classes:
        known = list(classes)
        raise ValueError(f"objective {name!r} is no outcome{did_you_mean(name, known) or f'; known: {known}'}")
    labels = classes[name]
    if isinstance(function, Mapping):
        return _scored_classes(name, function, labels)
    if function not in DIRECTIONS:
        raise ValueError(
            f"objective {name!r} must be 'maximise', 'minimise', a mapping from classes to scores or a function of the "
            f"predictions, got {function!r}"
        )
    if labels is None:
        return Goal(Objective(name, function == "maximise"), partial(_number, name))
    if len(labels) != 2:
        raise ValueError(
            f"the outcome {name!r} has the classes {labels.tolist()}: give each a score, such as "
            f"objectives={{{name!r}: {{{labels.tolist()[0]!r}: 1, ...}}}}"
        )
    # Of two classes the second is the one that happens: 1, True, "yes".
    return Goal(Objective(name, function == "maximise"), partial(_expected, name, np.array([0.0, 1.0])))


def _scored_classes(name: str, scores: Mapping[Any, float], labels: NDArray[Any] | None) -> Goal:
    if labels is None:
        raise ValueError(f"objective {name!r} gives scores to classes, but its predictor is no classifier")
    listed = labels.tolist()
    if set(scores) != set(listed):
        raise ValueError(f"objective {name!r} must give a score to each of the classes {listed}, got {dict(scores)}")
    values = np.array([float(scores[label]) for label in listed])
    return Goal(Objective(name), partial(_expected, name, values))


def _number(name: str, predictions: Predictions) -> Floats:
    return predictions[name]


def _expected(name: str, values: Floats, predictions: Predictions) -> Floats:
    expected: Floats = predictions[name] @ values
    return expected


def as_predictions(
    outcomes: Mapping[str, NDArray[Any]], classes: Mapping[str, NDArray[Any] | None]
) -> dict[str, Floats]:
    """Return what happened in the form of predictions that were sure of it."""
    sure: dict[str, Floats] = {}
    for name, labels in classes.items():
        values = outcomes[name]
        if labels is None:
            sure[name] = values.astype(np.float64)
            continue
        unknown = ~np.isin(values, labels)
        if unknown.any():
            raise ValueError(
                f"the outcome {name!r} has the class {values[unknown].tolist()[0]!r}, which training did not have"
            )
        sure[name] = (values[:, None] == labels).astype(np.float64)
    return sure
