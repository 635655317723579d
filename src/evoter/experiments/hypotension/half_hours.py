"""Blood pressure as in section 5.1: is the mean of a coming half hour low, normal or high, decided minute by minute."""

from typing import Any

import numpy as np

from evoter.datasets import fetch_hypotension_2009
from evoter.experiments.hypotension.alarm_scores import balanced_risks
from evoter.experiments.hypotension.forecast import ALARM, BORDERS, CLASSES
from evoter.experiments.hypotension.window_models import Model, Rules, Trial, Windowing, forest, tree, try_out
from evoter.tables.forecast import ForecastExamples, forecast_examples
from evoter.tables.series import read_panel

OVER = 29
"""The paper's beta, in minutes: the mean is that of 30 minutes."""

STRIDE, HISTORY = 15, 120
"""A decision every quarter of an hour, from two hours of pressure."""

WINDOWING = Windowing(15, 8)
"""The paper's statistics, of eight quarters of an hour."""

SEARCH: dict[str, Any] = {"max_rules": 6, "max_conditions": 3, "generations": 100}


def load(ahead: int) -> tuple[ForecastExamples, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Return the decisions of all patients, `ahead` minutes before the half hour, and which are of test patients."""
    data = fetch_hypotension_2009()
    assert data.published_test is not None
    assert data.after is not None
    whole = np.concatenate([data.data, data.after], axis=2)  # test patients have no minutes afterwards
    panel = read_panel(whole, channels=data.feature_names, units=data.units)
    examples = forecast_examples(
        panel,
        ahead=ahead,
        over=OVER,
        borders=BORDERS,
        labels=CLASSES,
        stride=STRIDE,
        min_history=HISTORY,
        max_history=HISTORY,
    )
    return examples, np.asarray(data.published_test)[examples.groups]


def forecast(
    examples: ForecastExamples, is_test: np.ndarray[Any, np.dtype[np.bool_]], name: str, seed: int, **parameters: Any
) -> Trial:
    """Fit one of the models to the decisions of the training patients, and try it on those of the test patients.

    The risk of a class is the inverse of its frequency in training.
    """
    train, test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    risks = balanced_risks(examples.classes[train])
    sides = [(examples.panel[side], examples.classes[side]) for side in (train, test)]
    model: Model
    if name == "tree":
        model = tree(WINDOWING, seed, risks, max_depth=4)
    elif name == "forest":
        model = forest(WINDOWING, seed, risks, min_samples_leaf=20)
    else:
        model = Rules(WINDOWING, seed, class_weight=risks, n_jobs=-1, **{**SEARCH, **parameters})
    return try_out(model, sides[0], {name: sides[1]}, ALARM, (WINDOWING.window, "min"), risks)[name]
