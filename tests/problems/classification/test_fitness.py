"""Measures computed from confusion counts are those that scikit-learn computes from rows."""

from collections.abc import Callable

import numpy as np
import pytest
from sklearn import metrics

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.fitness import (
    MEASURES,
    Counts,
    accuracy,
    balanced_accuracy,
    expected_cost,
    f1_macro,
    log_loss,
    matthews,
)
from laws import n_cases


def draw(seed: int) -> tuple[Ints, Ints, Floats, int]:
    """True and predicted classes of some rows with weights; not every class need occur on either side."""
    rng = np.random.default_rng(seed)
    n_classes, n_rows = int(rng.integers(1, 6)), int(rng.integers(1, 60))
    true, predicted = rng.integers(0, n_classes, (2, n_rows)) // (1 + seed % 2)
    predicted = np.where(rng.random(n_rows) < rng.random(), true, predicted)
    weights = [np.ones(n_rows), rng.integers(1, 5, n_rows).astype(float), rng.uniform(0.1, 3.0, n_rows)][seed % 3]
    return true, predicted, weights, n_classes


def count(true: Ints, predicted: Ints, weights: Floats, n_classes: int) -> Counts:
    confusion = np.zeros((1, n_classes, n_classes))
    np.add.at(confusion[0], (predicted, true), weights)
    return Counts(confusion, np.zeros(1), confusion[0].sum(axis=0))


Measure = Callable[[Counts], Floats]
REFERENCES: dict[Measure, Callable[[Ints, Ints, Floats], float]] = {
    accuracy: lambda t, p, w: metrics.accuracy_score(t, p, sample_weight=w),
    balanced_accuracy: lambda t, p, w: metrics.balanced_accuracy_score(t, p, sample_weight=w),
    f1_macro: lambda t, p, w: metrics.f1_score(t, p, average="macro", sample_weight=w),
    matthews: lambda t, p, w: metrics.matthews_corrcoef(t, p, sample_weight=w),
}


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true", "ignore:A single label was found")
@pytest.mark.parametrize("measure", REFERENCES)
def test_measures_are_scikit_learns(measure: Measure) -> None:
    for seed in range(n_cases(300)):
        true, predicted, weights, n_classes = draw(seed)
        expected = REFERENCES[measure](true, predicted, weights)
        assert measure(count(true, predicted, weights, n_classes))[0] == pytest.approx(expected, abs=1e-12), seed


def test_a_constant_prediction_has_no_correlation() -> None:
    """Whatever the weights: rounding errors must not be taken for spread."""
    rng = np.random.default_rng(0)
    for _ in range(n_cases(200)):
        true = rng.integers(0, 3, 50)
        weights = rng.uniform(0, 1, 50)
        assert matthews(count(true, np.full(50, 1), weights, 3))[0] == 0.0


def test_a_population_is_scored_at_once() -> None:
    drawn = [draw(seed) for seed in range(60) if draw(seed)[3] == 3]
    true, _, weights, _ = drawn[0]
    rng = np.random.default_rng(1)
    predictions = rng.integers(0, 3, (10, len(true)))
    singles = [count(true, predicted, weights, 3) for predicted in predictions]
    together = Counts(np.concatenate([one.confusion for one in singles]), np.zeros(10), singles[0].totals)
    for measure in REFERENCES:
        assert np.array_equal(measure(together), np.concatenate([measure(one) for one in singles]))


def test_expected_cost_is_the_mean_cost() -> None:
    for seed in range(100):
        true, predicted, weights, n_classes = draw(seed)
        costs = np.random.default_rng(seed).uniform(-1, 10, (n_classes, n_classes))
        expected = np.average(costs[true, predicted], weights=weights)
        assert expected_cost(count(true, predicted, weights, n_classes), costs)[0] == pytest.approx(expected)


def test_log_loss_is_the_mean_of_the_sum() -> None:
    counts = count(np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([1.0, 2.0, 1.0]), 2)
    assert log_loss(counts._replace(log_loss=np.array([6.0])))[0] == 1.5


def test_every_measure_has_a_name_and_a_direction() -> None:
    assert {name: objective.maximise for name, (objective, _) in MEASURES.items()} == {
        "accuracy": True,
        "balanced_accuracy": True,
        "f1_macro": True,
        "matthews": True,
        "log_loss": False,
    }
    assert all(objective.name == name for name, (objective, _) in MEASURES.items())
