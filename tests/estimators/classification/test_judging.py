"""A fitted model is scored on any rows by the metric that it was optimised for."""

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.metrics import get_scorer

from evoter import EvoterClassifier
from evoter.estimators.classification.judging import optimised_metric, score_on
from evoter.problems.classification.frequencies import FREQUENCY_MEASURES, OBJECTIVES
from patients import N, diagnoses, patients, quick

PLAIN: dict[str, Any] = {"soft_targets": 0.0}
SCORERS = {"matthews": "matthews_corrcoef", "log_loss": "neg_log_loss", "brier": "neg_brier_score"}


def expected(model: Any, name: str, X: Any, y: Any) -> float:
    score = float(get_scorer(SCORERS.get(name, name))(model, X, y))
    return score if OBJECTIVES.get(name, OBJECTIVES["accuracy"]).maximise else -score


@pytest.mark.parametrize("name", [*OBJECTIVES, "f1_weighted"])
def test_scores_are_scikit_learns(name: str) -> None:
    ill = diagnoses() == "ill"  # some scorers of scikit-learn need 0 and 1, or a positive label
    model = quick(metric=name, generations=3, population_size=30).fit(patients(), ill)
    assert optimised_metric(model) == name
    for rows in (slice(None), slice(0, 40)):
        X, y = patients()[rows], ill[rows]
        assert score_on(model, X, y) == pytest.approx(expected(model, name, X, y), abs=1e-12)


@pytest.mark.parametrize("name", FREQUENCY_MEASURES)
def test_the_search_optimises_what_the_model_achieves(name: str) -> None:
    model = quick(metric=name, settings=PLAIN, parsimony=0.0).fit(patients(), diagnoses())
    assert model.history_["best"][-1] == pytest.approx(score_on(model, patients(), diagnoses()), abs=1e-12)
    most_probable = model.classes_[model.predict_proba(patients()).argmax(axis=1)]
    assert (model.predict(patients()) == most_probable).all()


@pytest.mark.parametrize("mode", ["first", "hardmax"])
def test_several_classes_weights_and_a_front(mode: str) -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    model = EvoterClassifier(
        objectives=["roc_auc", "complexity"],
        mode=mode,
        class_weight={0: 1.0, 1: 2.0, 2: 0.5},
        generations=10,
        population_size=60,
        random_state=0,
        settings=PLAIN,
    ).fit(X, y, weights)
    row_weights = weights * np.array([1.0, 2.0, 0.5])[y]
    for number, candidate in enumerate(model.front_):
        one = model.with_ruleset(number)
        probabilities = one.predict_proba(X)
        by_rule = one.rule_probabilities_[one.deciding_rules(X)]
        areas = [
            metrics.roc_auc_score(y, shares, multi_class="ovr", sample_weight=row_weights)
            for shares in (by_rule, probabilities)
        ]
        assert candidate.scores["roc_auc"] == pytest.approx(areas[0], abs=1e-12)
        assert areas[1] >= areas[0] - 1e-12, "parts of rules rank no worse"
        assert (one.predict(X) == candidate.behaviour).all()
        assert (one.predict(X) == probabilities.argmax(axis=1)).all()


@pytest.mark.parametrize("name", FREQUENCY_MEASURES)
def test_a_whole_weight_is_a_number_of_repetitions(name: str) -> None:
    parameters: dict[str, Any] = {"metric": name, "settings": PLAIN, "parsimony": 0.0}
    weights = np.random.default_rng(4).integers(0, 4, N)
    weighted = quick(**parameters).fit(patients(), diagnoses(), sample_weight=weights)
    rows = np.repeat(np.arange(N), weights)
    repeated = quick(**parameters).fit(patients().iloc[rows], diagnoses()[rows])
    assert str(weighted.ruleset_) == str(repeated.ruleset_)
    assert np.allclose(weighted.history_["best"], repeated.history_["best"])


def test_unknown_labels_and_metrics_without_a_name_have_no_score() -> None:
    model = quick(generations=2, population_size=20).fit(patients(), diagnoses())
    assert score_on(model, patients()[:2], ["ill", "unheard of"]) is None
    costly = quick(metric=[[0, 1], [5, 0]], generations=2, population_size=20).fit(patients(), diagnoses())
    assert score_on(costly, patients(), diagnoses()) is None
