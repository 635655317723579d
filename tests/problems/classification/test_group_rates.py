"""Rates by group are those of fairlearn and scikit-learn."""

import numpy as np
import pytest
from fairlearn import metrics as fairlearn
from sklearn import metrics

from evoter.problems.classification.group_rates import RATES, cells_of, rate_counts, spread
from laws import n_cases

ORACLES = {
    "selection_rate": fairlearn.selection_rate,
    "accuracy": metrics.accuracy_score,
    "true_positive_rate": fairlearn.true_positive_rate,
    "false_negative_rate": fairlearn.false_negative_rate,
    "false_positive_rate": fairlearn.false_positive_rate,
    "true_negative_rate": fairlearn.true_negative_rate,
    "precision": lambda y_true, y_pred: metrics.precision_score(y_true, y_pred, zero_division=np.nan),
}


def confusion_of(labels: np.ndarray, decided: np.ndarray, groups: np.ndarray, n: int) -> np.ndarray:
    """Return counts [group, decision, label]."""
    counts = np.zeros((groups.max() + 1, n, n))
    np.add.at(counts, (groups, decided, labels), 1.0)
    return counts


def test_rates_and_their_spread_are_fairlearns() -> None:
    assert set(ORACLES) == set(RATES)
    for case in range(n_cases(25)):
        rng = np.random.default_rng(case)
        # Every group has rows of both labels and both decisions: without any, fairlearn says 0 and not nothing.
        labels, decided = np.tile([0, 0, 1, 1], 3), np.tile([0, 1, 0, 1], 3)
        groups = np.repeat(np.arange(3), 4)
        extra = rng.integers(0, 2, (2, 80))
        labels, decided = np.append(labels, extra[0]), np.append(decided, extra[1])
        groups = np.append(groups, rng.integers(0, 3, 80))
        counted, among = rate_counts(cells_of(confusion_of(labels, decided, groups, 2), 1))
        for number, name in enumerate(RATES):
            frame = fairlearn.MetricFrame(
                metrics=ORACLES[name], y_true=labels, y_pred=decided, sensitive_features=groups
            )
            shares = counted[:, number] / among[:, number]
            np.testing.assert_allclose(shares, frame.by_group.to_numpy(float), rtol=0, atol=1e-12)
            difference = spread(counted[:, number], among[:, number])
            assert difference == pytest.approx(frame.difference(), abs=1e-12)
            ratio = spread(counted[:, number], among[:, number], as_ratio=True)
            assert ratio == pytest.approx(frame.ratio(), abs=1e-12)


def test_accuracy_counts_all_classes() -> None:
    labels, decided = np.array([0, 1, 2, 2]), np.array([0, 2, 2, 1])
    counts = confusion_of(labels, decided, np.zeros(4, int), 3)
    counted, among = rate_counts(cells_of(counts, 0))
    assert (counted[0, 1], among[0, 1]) == (2, 4)


def test_groups_without_rows_have_no_share() -> None:
    assert spread(np.array([0.0, 3.0]), np.array([0.0, 4.0])) == 0.0
    assert spread(np.array([0.0, 3.0]), np.array([0.0, 4.0]), as_ratio=True) == 1.0
    assert spread(np.array([0.0, 0.0]), np.array([2.0, 4.0]), as_ratio=True) == 1.0
    assert spread(np.array([0.0, 2.0]), np.array([2.0, 4.0]), as_ratio=True) == 0.0
