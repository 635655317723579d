"""How well hypotension is foreseen: accuracy, the rates of true and of false alarms, and the risk-weighted error."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of one test: shares of all cases, of the true alarms and of the cases without one."""

    accuracy: float
    true_positive_rate: float
    false_positive_rate: float
    risk_weighted_error: float


def score(truth: Labels, predicted: Labels, alarm: str, risks: Mapping[str, float] | None = None) -> Scores:
    """Score predictions, where the class `alarm` is the one to be foreseen; without `risks`, all errors weigh the same.

    >>> truth = np.array(["Low", "Low", "Normal", "High", "High"])
    >>> score(truth, np.array(["Low", "High", "Low", "High", "High"]), "Low", {"Low": 3, "Normal": 2, "High": 1})
    Scores(accuracy=0.6, true_positive_rate=0.5, false_positive_rate=0.3333333333333333, risk_weighted_error=0.5)
    """
    wrong, alarms = predicted != truth, truth == alarm
    weights = np.ones(len(truth)) if risks is None else np.array([risks[name] for name in truth.tolist()])
    return Scores(
        accuracy=1.0 - float(wrong.mean()),
        true_positive_rate=float((predicted[alarms] == alarm).mean()),
        false_positive_rate=float((predicted[~alarms] == alarm).mean()),
        risk_weighted_error=float(weights[wrong].sum() / weights.sum()),
    )


def balanced_risks(truth: Labels) -> dict[str, float]:
    """Return a risk for each class such that all classes weigh the same together.

    >>> balanced_risks(np.array(["Low", "Normal", "Normal", "Normal"]))
    {'Low': 2.0, 'Normal': 0.6666666666666666}
    """
    names, counts = np.unique(truth, return_counts=True)
    return {str(name): float(len(truth) / (len(names) * n)) for name, n in zip(names, counts, strict=True)}
