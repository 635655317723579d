"""Evaluation of models: one fit on one split, and a paired test over splits."""

import math
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from evoter.experiments.classification.splits import Split
from evoter.experiments.classification.table_models import Model, NamesFeatures
from evoter.experiments.classification.task import Task


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of one fit; `features` are those that the model uses, where it can tell."""

    train_accuracy: float
    test_accuracy: float
    complexity: int
    seconds: float
    features: tuple[str, ...] = ()


def evaluate(model: Model, task: Task, rows: Split) -> Evaluation:
    """Fit a model on the training rows and evaluate it on the test rows; the seconds are the CPU time of the fit."""
    X, X_test = task.data.iloc[rows.train], task.data.iloc[rows.test]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other packages, about versions and degenerate splits
        begin = time.process_time()
        model.fit(X, rows.labels)
        seconds = time.process_time() - begin
        right_train = model.predict(X) == rows.labels
        right = model.predict(X_test) == task.target[rows.test]
        return Evaluation(
            train_accuracy=float(np.mean(right_train)),
            test_accuracy=float(np.mean(right)),
            complexity=model.complexity(),
            seconds=seconds,
            features=tuple(model.features_used()) if isinstance(model, NamesFeatures) else (),
        )


def corrected_t_test(differences: Sequence[float], n_train: float, n_test: float) -> float | None:
    """Return the two-sided p-value of the corrected resampled t-test (Nadeau and Bengio, 2003).

    Random splits of the same rows overlap, so the variance of a mean over them is larger than the plain t-test
    assumes: by n_test / n_train. None with fewer than two differences.

    >>> corrected_t_test([0.0, 0.0, 0.0], 70, 30)
    1.0
    >>> plain = [0.01, 0.03, 0.02, 0.01, 0.02]
    >>> round(corrected_t_test(plain, 70, 30), 3)
    0.053
    """
    n = len(differences)
    if n < 2:
        return None
    mean, variance = float(np.mean(differences)), float(np.var(differences, ddof=1))
    if variance < 1e-18:
        return 1.0 if abs(mean) < 1e-9 else 0.0
    statistic = mean / math.sqrt(variance * (1 / n + n_test / n_train))
    return float(2 * student.sf(abs(statistic), n - 1))


def chance(train: ArrayLike, test: ArrayLike) -> tuple[float, float]:
    """Return the accuracy of always predicting the most frequent training class, and of random predictions.

    Random predictions are drawn with the frequencies of the training classes.

    >>> chance(["a", "a", "a", "b"], ["a", "b"])
    (0.5, 0.5)
    """
    names, counts = np.unique(np.asarray(train), return_counts=True)
    shares = {str(name): float(np.mean(np.asarray(test) == name)) for name in names}
    prior = sum(count / counts.sum() * shares[str(name)] for name, count in zip(names, counts, strict=True))
    return shares[str(names[counts.argmax()])], float(prior)
