"""Measures for classifiers: the compiled ones by name, a cost matrix, or any scikit-learn scorer."""

import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning

from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.frequencies import OBJECTIVES
from evoter.problems.classification.problem import Predictor
from evoter.rules.errors import did_you_mean

Metric = str | Callable[..., float] | Mapping[tuple[Any, Any], float] | NDArray[np.float64]


class _Candidate(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers a scorer's questions with predictions made already."""

    def __init__(self, classes: NDArray[Any], codes: Ints, certainties: Floats) -> None:
        self.classes_ = classes
        self.codes = codes
        self.certainties = certainties

    def predict(self, X: object) -> NDArray[Any]:
        return self.classes_[self.codes]

    def predict_proba(self, X: object) -> Floats:
        n_classes = len(self.classes_)
        rest = (1.0 - self.certainties) / max(n_classes - 1, 1)
        probabilities = np.repeat(rest[:, None], n_classes, axis=1)
        probabilities[np.arange(len(self.codes)), self.codes] = self.certainties
        return probabilities


def resolve_metric(
    metric: Metric, classes: NDArray[Any], table: object, labels: NDArray[Any], weights: Floats | None
) -> str | Floats | tuple[Objective, Predictor]:
    """Turn what the user asked for into what a classification problem takes.

    A string is a compiled measure or else the name of a scikit-learn scorer. A cost matrix has true classes as rows and
    predictions as columns, in the order of `classes`; a mapping from (true, predicted) pairs gives the costs by name.
    """
    if isinstance(metric, Mapping):
        return _costs_by_name(metric, classes)
    if isinstance(metric, str) and metric in OBJECTIVES:
        return metric
    if not isinstance(metric, str) and not callable(metric):
        return _cost_matrix(metric, len(classes))
    from sklearn.metrics import get_scorer, get_scorer_names  # slow to import and seldom needed

    if isinstance(metric, str):
        known = [*OBJECTIVES, *get_scorer_names()]
        if metric not in known:
            raise ValueError(f"unknown metric {metric!r}{did_you_mean(metric, known)}")
    scorer = get_scorer(metric)
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", type(metric).__name__)
    weighted = {} if weights is None else {"sample_weight": weights}
    if weighted and not _takes_weights(scorer):
        raise ValueError(
            f"the metric {name} takes no sample_weight: drop the weights of rows and classes, or give it the argument "
            f"sample_weight"
        )

    def score(codes: Ints, certainties: Floats) -> float:
        with warnings.catch_warnings():
            # Precision is undefined for a candidate that never predicts a class; thousands of candidates do that.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            return float(scorer(_Candidate(classes, codes, certainties), table, labels, **weighted))

    return Objective(name), score


def _takes_weights(scorer: Callable[..., float]) -> bool:
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _cost_matrix(matrix: object, n_classes: int) -> Floats:
    costs = np.asarray(matrix, dtype=np.float64)
    if costs.shape != (n_classes, n_classes) or not np.isfinite(costs).all():
        raise ValueError(
            f"a cost matrix must be {n_classes} x {n_classes} finite numbers, rows the true classes, columns the "
            f"predictions; got shape {costs.shape}"
        )
    return costs


def _costs_by_name(costs: Mapping[tuple[Any, Any], float], classes: NDArray[Any]) -> Floats:
    labels = classes.tolist()
    matrix = np.zeros((len(labels), len(labels)))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in labels or pair[1] not in labels:
            raise ValueError(f"a cost belongs to a pair (true class, predicted class) of {labels}; got {pair!r}")
        matrix[labels.index(pair[0]), labels.index(pair[1])] = cost
    return _cost_matrix(matrix, len(labels))
