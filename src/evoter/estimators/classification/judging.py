"""The score of a fitted classifier on any rows, by the name of the metric that it was optimised for."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.objectives import read_objectives
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.classification.fitness import MEASURES, Counts
from evoter.problems.classification.frequencies import FREQUENCY_MEASURES, Frequencies
from evoter.problems.probabilities import record_cells


def optimised_metric(model: EvolvedClassifier) -> str | None:
    """Return the name of the metric that a model optimises, the first of several objectives; None without a name."""
    metric, _ = read_objectives(model.objectives, model.metric)
    return metric if isinstance(metric, str) else None


def score_on(model: EvolvedClassifier, X: Any, y: ArrayLike) -> float | None:
    """Return what a fitted model achieves on some rows by its metric, without weights.

    None if the metric has no name, or is not defined there: for labels that did not occur in training, for example.
    """
    name = optimised_metric(model)
    labels = np.asarray(y)
    if name is None or not np.isin(labels, model.classes_).all():
        return None
    codes = np.searchsorted(model.classes_, labels)
    n_classes = len(model.classes_)
    if name in FREQUENCY_MEASURES:
        decider = model._decider(X)
        cells = record_cells(model.ruleset_, decider(model.ruleset_), decider)
        weights = _counts(cells.of_rows, codes, len(cells.probabilities), n_classes)
        return float(FREQUENCY_MEASURES[name][1](Frequencies(weights, cells.probabilities[None]), Threads(1))[0])
    if name == "log_loss":
        return float(-np.log(model.predict_proba(X)[np.arange(len(codes)), codes]).mean())
    if name in MEASURES:
        predicted = np.searchsorted(model.classes_, model.predict(X))
        confusion = _counts(predicted, codes, n_classes, n_classes)
        return float(MEASURES[name][1](Counts(confusion, np.zeros(1), confusion[0].sum(axis=0)))[0])
    from sklearn.metrics import get_scorer  # slow to import and seldom needed

    try:
        return float(get_scorer(name)(model, X, labels))
    except ValueError:  # too few classes among the rows
        return None


def _counts(first: Ints, second: Ints, n_first: int, n_second: int) -> Floats:
    """Return how many rows have each pair of numbers, as for one individual [1, first, second]."""
    counts = np.zeros((1, n_first, n_second))
    np.add.at(counts[0], (first, second), 1.0)
    return counts
