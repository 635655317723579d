"""One fit: a model learns from one side of a split and is judged on the other."""

import time
import warnings
from dataclasses import dataclass

import numpy as np

from evoter.experiments.classification.models import Model, NamesFeatures
from evoter.experiments.classification.splits import Split
from evoter.experiments.classification.task import Task


@dataclass(frozen=True, slots=True)
class Judged:
    """What a fit came to; `features` names what the model looks at, where it can say so."""

    train_accuracy: float
    test_accuracy: float
    complexity: int
    seconds: float
    features: tuple[str, ...] = ()


def judge(model: Model, task: Task, rows: Split) -> Judged:
    """Fit a model and judge it; the seconds are those of the fit alone."""
    X, X_test = task.data.iloc[rows.train], task.data.iloc[rows.test]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other packages' opinions on versions and on degenerate splits
        begin = time.perf_counter()
        model.fit(X, rows.labels)
        seconds = time.perf_counter() - begin
        right_train = model.predict(X) == rows.labels
        right = model.predict(X_test) == task.target[rows.test]
        return Judged(
            train_accuracy=float(np.mean(right_train)),
            test_accuracy=float(np.mean(right)),
            complexity=model.complexity(),
            seconds=seconds,
            features=tuple(model.features_used()) if isinstance(model, NamesFeatures) else (),
        )
