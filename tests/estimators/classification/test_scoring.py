"""What is optimised: compiled measures by name, costs, and scorers of scikit-learn, which must agree."""

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.metrics import get_scorer, make_scorer

from evoter.estimators.classification.scoring import resolve_metric
from evoter.evolution.problem import Objective
from evoter.problems.classification.fitness import MEASURES
from patients import diagnoses, patients, quick

CLASSES = np.array(["ill", "well"])
TRUE = np.array(["ill", "ill", "well", "well"])


def fit(metric: Any, **parameters: Any) -> Any:
    # A scorer sees the rows as they are and allows no exact moves; so that both judge alike, neither does the measure.
    settings = {"majority_actions": False, "soft_targets": 0.0, "n_refined": 0}
    return quick(metric=metric, settings=settings, parsimony=0.0, **parameters).fit(patients(), diagnoses())


SKLEARN: dict[str, Any] = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1_macro": lambda true, predicted: metrics.f1_score(true, predicted, average="macro"),
    "matthews": metrics.matthews_corrcoef,
}


@pytest.mark.parametrize("metric", SKLEARN)
def test_the_best_score_is_the_models_own(metric: str) -> None:
    model = fit(metric)
    score = SKLEARN[metric](diagnoses(), model.predict(patients()))
    assert model.history_["best"][-1] == pytest.approx(score)


@pytest.mark.parametrize(("metric", "scorer"), [("accuracy", "accuracy"), ("matthews", "matthews_corrcoef")])
def test_a_compiled_measure_and_its_scorer_teach_the_same_rules(metric: str, scorer: str) -> None:
    compiled = fit(metric, generations=4)
    slow = fit(get_scorer(scorer), generations=4)
    assert str(compiled.ruleset_) == str(slow.ruleset_)
    assert np.allclose(compiled.history_["mean"], slow.history_["mean"])


def custom(estimator: Any, X: Any, y: Any) -> float:
    assert len(X) == len(y)
    return float(np.mean(estimator.predict(X) == y))


@pytest.mark.parametrize(
    "metric",
    ["f1_weighted", "roc_auc", "neg_log_loss", custom, make_scorer(metrics.fbeta_score, beta=2, pos_label="ill")],
    ids=["f1", "roc_auc", "log_loss", "custom", "fbeta"],
)
def test_any_scorer_by_name_or_itself(metric: Any) -> None:
    model = fit(metric, generations=2, population_size=20)
    assert np.isfinite(model.history_["best"]).all()
    assert (np.diff(model.history_["best"]) >= 0).all()


def test_a_scorer_that_takes_no_weights_is_refused_with_weights() -> None:
    with pytest.raises(ValueError, match="the metric custom takes no sample_weight: drop the weights"):
        quick(metric=custom, class_weight="balanced").fit(patients(), diagnoses())


def test_undefined_scores_of_candidates_are_not_warned_about() -> None:
    """A candidate that never says ill has no precision; the suite turns warnings into errors."""
    model = fit(make_scorer(metrics.precision_score, pos_label="ill"), generations=3, population_size=30)
    assert model.history_["best"][-1] > 0.5


@pytest.mark.parametrize(
    "costs", [{("ill", "well"): 50, ("well", "ill"): 1}, np.array([[0, 50], [1, 0]]), [[0, 50], [1, 0]]]
)
def test_costs_move_decisions(costs: Any) -> None:
    rng = np.random.default_rng(2)
    table = rng.normal(size=(200, 2))
    y = np.where(table[:, 0] + rng.normal(size=200) > 0.5, "ill", "well")
    plain = quick().fit(table, y)
    careful = quick(metric=costs, settings={"soft_targets": 0.0}).fit(table, y)
    assert np.mean(careful.predict(table) == "ill") > np.mean(plain.predict(table) == "ill")
    missed = np.mean((y == "ill") & (careful.predict(table) == "well"))
    false = np.mean((y == "well") & (careful.predict(table) == "ill"))
    assert careful.history_["best"][-1] == pytest.approx(50 * missed + false)


def resolve(metric: Any, weights: Any = None) -> Any:
    return resolve_metric(metric, CLASSES, np.zeros((4, 1)), TRUE, weights)


def test_compiled_measures_go_by_their_names() -> None:
    assert [resolve(name) for name in MEASURES] == list(MEASURES)


def test_costs_by_name_are_a_matrix() -> None:
    assert resolve({("ill", "well"): 5}).tolist() == [[0.0, 5.0], [0.0, 0.0]]
    assert resolve([[0, 5], [1, 0]]).tolist() == [[0.0, 5.0], [1.0, 0.0]]


def test_a_scorer_sees_labels_probabilities_and_weights() -> None:
    codes, certainties = np.array([0, 1, 1, 1]), np.array([0.9, 0.6, 0.7, 1.0])
    objective, score = resolve("neg_log_loss")
    assert objective == Objective("neg_log_loss")
    given = np.array([0.9, 0.4, 0.7, 1.0])
    assert score(codes, certainties) == pytest.approx(np.mean(np.log(given)))
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    _, weighted = resolve(get_scorer("accuracy"), weights)
    assert weighted(codes, certainties) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("acuracy", "unknown metric 'acuracy'; did you mean 'accuracy'"),
        (np.zeros((3, 3)), r"a cost matrix must be 2 x 2 finite numbers, .*; got shape \(3, 3\)"),
        ([[0, np.nan], [1, 0]], "a cost matrix must be 2 x 2 finite numbers"),
        ({("ill", "wel"): 1}, r"a cost belongs to a pair .* of \['ill', 'well'\]; got \('ill', 'wel'\)"),
        ({"ill": 1}, r"a cost belongs to a pair \(true class, predicted class\)"),
    ],
)
def test_unknown_measures_are_refused(metric: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve(metric)
