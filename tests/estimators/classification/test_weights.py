"""Weights: a row of weight 3 counts as three rows, one of weight 0 as none, and classes can be balanced."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evoter.estimators.classification.weights import read_class_weight, read_sample_weight
from evoter.estimators.inputs import keep_rows
from patients import N, diagnoses, patients, polars_patients, quick

METRICS: list[Any] = ["accuracy", "balanced_accuracy", "f1_macro", "matthews", "log_loss", [[0, 1], [5, 0]]]
SCORERS: list[Any] = ["f1_weighted", "neg_log_loss"]


def weights() -> "np.ndarray[Any, np.dtype[np.int64]]":
    return np.random.default_rng(4).integers(0, 4, N)


@pytest.mark.parametrize("mode", ["first", "hardmax", "vote"])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_a_whole_weight_is_a_number_of_repetitions(metric: Any, mode: str) -> None:
    parameters: dict[str, Any] = {"metric": metric, "mode": mode}
    weighted = quick(**parameters).fit(patients(), diagnoses(), sample_weight=weights())
    rows = np.repeat(np.arange(N), weights())
    repeated = quick(**parameters).fit(patients().iloc[rows], diagnoses()[rows])
    assert weighted.schema_ == repeated.schema_
    assert str(weighted.ruleset_) == str(repeated.ruleset_)
    assert np.allclose(weighted.history_["best"], repeated.history_["best"])
    assert np.allclose(weighted.predict_proba(patients()), repeated.predict_proba(patients()))


@pytest.mark.parametrize("metric", SCORERS)
def test_scorers_see_the_rows_and_weights_that_remain(metric: str) -> None:
    parameters = {"metric": metric, "generations": 2, "population_size": 20}
    weighted = quick(**parameters).fit(patients(), diagnoses() == "ill", sample_weight=weights())
    rows = np.repeat(np.arange(N), weights())
    repeated = quick(**parameters).fit(patients().iloc[rows], diagnoses()[rows] == "ill")
    assert str(weighted.ruleset_) == str(repeated.ruleset_)
    assert np.allclose(weighted.history_["best"], repeated.history_["best"])


@pytest.mark.parametrize("table", [patients(), polars_patients(), patients().to_numpy(dtype=object)], ids=type)
def test_a_row_of_weight_0_is_not_there(table: Any) -> None:
    kept = weights() > 0
    light = quick().fit(table, diagnoses(), sample_weight=kept.astype(float))
    part = quick().fit(keep_rows(table, kept), diagnoses()[kept])
    assert str(light.ruleset_) == str(part.ruleset_)
    assert light.times_applied_.tolist() == part.times_applied_.tolist()
    assert light.times_decided_.sum() == kept.sum()


def test_values_of_rows_of_weight_0_do_not_enter_the_schema() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 1e9], "c": ["a", "b", "a", "z"]})
    model = quick().fit(frame, [0, 1, 1, 0], sample_weight=[1, 1, 1, 0])
    assert model.schema_.feature("x").high == 3.0
    assert model.schema_.feature("c").categories == ("a", "b")


def test_a_class_of_weight_0_is_known_and_never_learnt() -> None:
    model = quick().fit([[1.0], [2.0], [3.0]], ["a", "b", "c"], sample_weight=[1, 1, 0])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict([[3.0]])[0] != "c"
    assert model.predict_proba([[3.0]])[0, 2] == 0.0


def test_the_scale_of_weights_does_not_matter_to_predictions() -> None:
    drawn = np.random.default_rng(1).uniform(0.5, 2.0, N)
    models = [quick().fit(patients(), diagnoses(), sample_weight=drawn * scale) for scale in (1.0, 1 / 128)]
    assert str(models[0].ruleset_) == str(models[1].ruleset_)
    light, heavy = (model.predict_proba(patients()) for model in models)
    assert np.array_equal(light.argmax(axis=1), heavy.argmax(axis=1))


@pytest.mark.parametrize(
    ("sample_weight", "message"),
    [
        (np.zeros(N), "at least one"),
        (np.r_[1.0, -0.5, np.ones(N - 2)], r"sample_weight must be 0 or more, but row 1 has -0\.5"),
        (np.ones(3), r"sample_weight\.shape == \(3,\), expected \(120,\)"),
        (np.full(N, np.nan), "sample_weight contains NaN"),
    ],
)
def test_senseless_weights_are_refused(sample_weight: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick().fit(patients(), diagnoses(), sample_weight=sample_weight)


def test_one_number_weighs_all_rows() -> None:
    assert read_sample_weight(2.0, np.zeros(3, np.int64)).tolist() == [2.0, 2.0, 2.0]
    assert read_sample_weight(None, np.zeros(3, np.int64)).tolist() == [1.0, 1.0, 1.0]


CLASSES = np.array(["a", "b", "c"])
CODES = np.array([0, 0, 0, 1])


def test_balanced_classes_weigh_the_same() -> None:
    ones = np.ones(4)
    assert read_class_weight("balanced", CLASSES[:2], CODES, ones) == pytest.approx(np.array([4 / 6, 2.0]))
    drawn = np.array([1.0, 2.0, 0.5, 4.0])
    balanced = read_class_weight("balanced", CLASSES, CODES, drawn)
    assert balanced is not None
    totals = np.bincount(CODES, drawn * balanced[CODES], 3)
    assert totals == pytest.approx(np.array([3.75, 3.75, 0.0])), "a class that does not occur has no weight to share"
    assert read_class_weight(None, CLASSES, CODES, ones) is None


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"a": -1, "b": 1, "c": 1}, "class_weight must give weights of 0 or more, not all 0, got"),
        ({"a": 0, "b": 0, "c": 1}, "class_weight must give weights of 0 or more, not all 0, got"),
        ({"a": np.inf, "b": 1, "c": 1}, "class_weight must give weights of 0 or more"),
        ({"A": 1, "b": 1}, "are not in class_weight"),
    ],
)
def test_senseless_class_weights_are_refused(class_weight: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_class_weight(class_weight, CLASSES, CODES, np.ones(4))


def test_class_weights_move_decisions() -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(200, 2))
    y = np.where(table[:, 0] + rng.normal(scale=1.5, size=200) > 1.0, "rare", "common")
    shares = [
        np.mean(quick(class_weight=class_weight, generations=10).fit(table, y).predict(table) == "rare")
        for class_weight in (None, "balanced", {"rare": 100.0, "common": 1.0})
    ]
    assert shares == sorted(shares)
    assert shares[0] < shares[2]
    by_labels: dict[str, Any] = {"generations": 10, "parsimony": 0.01, "settings": {"soft_targets": 0.0}}
    by_rows = quick(**by_labels).fit(table, y, sample_weight=np.where(y == "rare", 100.0, 1.0))
    by_class = quick(**by_labels, class_weight={"rare": 100.0}).fit(table, y)
    assert str(by_rows.ruleset_) == str(by_class.ruleset_)
