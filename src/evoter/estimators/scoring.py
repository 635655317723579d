"""Measures for classifiers: the compiled ones by name, a cost matrix, or any scikit-learn scorer."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer, get_scorer_names

from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification import Predictor
from evoter.problems.fitness import MEASURES
from evoter.rules.errors import did_you_mean

Metric = str | Callable[..., float] | Mapping[tuple[Any, Any], float] | NDArray[np.float64]


class _Candidate(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers a scorer's questions with predictions made already."""

    def __init__(self, classes: NDArray[np.generic], codes: Ints, certainties: Floats) -> None:
        self.classes_ = classes
        self.codes = codes
        self.certainties = certainties

    def predict(self, X: object) -> NDArray[np.generic]:
        return self.classes_[self.codes]

    def predict_proba(self, X: object) -> Floats:
        n_classes = len(self.classes_)
        rest = (1.0 - self.certainties) / max(n_classes - 1, 1)
        probabilities = np.repeat(rest[:, None], n_classes, axis=1)
        probabilities[np.arange(len(self.codes)), self.codes] = self.certainties
        return probabilities


def resolve_metric(
    metric: Metric, classes: NDArray[np.generic], table: object, labels: NDArray[np.generic], weights: Floats | None
) -> str | Floats | tuple[Objective, Predictor]:
    """Turn what the user asked for into what a classification problem takes.

    A string is a compiled measure or else the name of a scikit-learn scorer. A cost matrix has true classes as rows
    and predictions as columns, in the order of `classes`; a mapping from (true, predicted) pairs gives the costs by name.
    """
    if isinstance(metric, Mapping):
        return _costs_by_name(metric, classes)
    if isinstance(metric, np.ndarray | list):
        return _cost_matrix(np.asarray(metric, dtype=np.float64), len(classes))
    if isinstance(metric, str) and metric in MEASURES:
        return metric
    if isinstance(metric, str):
        known = [*MEASURES, *get_scorer_names()]
        if metric not in known:
            raise ValueError(f"unknown metric {metric!r}{did_you_mean(metric, known)}")
        scorer, name = get_scorer(metric), metric
    else:
        scorer, name = metric, getattr(metric, "__name__", type(metric).__name__)
    weighted = {} if weights is None else {"sample_weight": weights}

    def score(codes: Ints, certainties: Floats) -> float:
        return float(scorer(_Candidate(classes, codes, certainties), table, labels, **weighted))

    return Objective(name), score


def _cost_matrix(costs: Floats, n_classes: int) -> Floats:
    if costs.shape != (n_classes, n_classes) or not np.isfinite(costs).all():
        raise ValueError(
            f"a cost matrix must be {n_classes} x {n_classes} finite numbers, rows the true classes, columns the "
            f"predictions; got shape {costs.shape}"
        )
    return costs


def _costs_by_name(costs: Mapping[tuple[Any, Any], float], classes: NDArray[np.generic]) -> Floats:
    labels = classes.tolist()
    matrix = np.zeros((len(labels), len(labels)))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in labels or pair[1] not in labels:
            raise ValueError(f"a cost belongs to a pair (true class, predicted class) of {labels}; got {pair!r}")
        matrix[labels.index(pair[0]), labels.index(pair[1])] = cost
    return _cost_matrix(matrix, len(labels))
