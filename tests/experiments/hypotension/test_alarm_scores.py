"""Risks weigh errors as they say."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from evoter.experiments.hypotension.alarm_scores import balanced_risks, score


def test_with_balanced_risks_the_error_is_what_balanced_accuracy_lacks() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["Low", "Normal", "High"], 300, p=[0.05, 0.5, 0.45])
    predicted = np.where(rng.random(300) < 0.7, truth, rng.choice(["Low", "Normal", "High"], 300))
    scores = score(truth, predicted, "Low", balanced_risks(truth))
    assert scores.risk_weighted_error == pytest.approx(1 - balanced_accuracy_score(truth, predicted))
    assert scores.accuracy == pytest.approx(np.mean(truth == predicted))
