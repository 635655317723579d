"""feature_importances_ and training_share: in the order of the columns, of the chosen rules, on weighted rows."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectFromModel

from evoter import EvoterClassifier, EvoterTimeSeriesClassifier, WindowStatistics
from evoter.problems import feature_importances

QUICK: dict[str, Any] = {"generations": 8, "population_size": 60, "random_state": 0}
IRIS = load_iris(as_frame=True)


def copied(model: EvoterClassifier) -> Any:
    return pickle.loads(pickle.dumps(model))  # noqa: S301


def test_importances_are_the_shares_of_decisions_that_change_without_the_column() -> None:
    model = EvoterClassifier(**QUICK).fit(IRIS.data, IRIS.target)
    importances = model.feature_importances_
    assert importances.shape == (model.n_features_in_,)
    expected = feature_importances(model.ruleset_, IRIS.data)
    assert dict(zip(model.feature_names_in_, importances, strict=True)) == pytest.approx(
        {name: expected.get(name, 0.0) for name in IRIS.data}
    )
    decided = model.predict(IRIS.data)
    for name, share in zip(model.feature_names_in_, importances, strict=True):
        unknown = model.predict(IRIS.data.assign(**{name: np.nan}))
        assert share == pytest.approx((unknown != decided).mean())
    assert importances.max() > 0.2
    assert np.array_equal(copied(model).feature_importances_, importances)


def test_scikit_learn_selects_features_by_them() -> None:
    model = EvoterClassifier(**QUICK)
    selection = SelectFromModel(model, threshold=1e-9).fit(IRIS.data, IRIS.target)
    read = {*selection.estimator_.ruleset_.features_used}
    assert {*selection.get_feature_names_out()} <= read
    assert len(selection.get_feature_names_out()) > 0


def test_rows_count_by_their_weights() -> None:
    table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0] * 20})
    labels = np.where(table.a > 2.5, "yes", "no")
    weights = np.where(table.a > 2.5, 5.0, 1.0)
    model = EvoterClassifier(**QUICK).fit(table, labels, sample_weight=weights)
    changed = model.predict(table) != model.predict(table.assign(a=np.nan))
    assert model.feature_importances_ == pytest.approx([np.average(changed, weights=weights)])
    assert changed.any()


def test_another_candidate_of_a_front_has_its_own() -> None:
    model = EvoterClassifier(objectives=["accuracy", "complexity"], **QUICK).fit(IRIS.data, IRIS.target)
    for number, candidate in enumerate(model.front_):
        expected = feature_importances(candidate.ruleset, IRIS.data)
        other = model.with_ruleset(number)
        shares = [expected.get(name, 0.0) for name in IRIS.data]
        assert other.feature_importances_.tolist() == pytest.approx(shares)
    assert not model.with_ruleset(len(model.front_) - 1).feature_importances_.any(), "no conditions, no dependence"


@pytest.mark.parametrize("windows", [None, WindowStatistics(4, ("mean", "max"))])
def test_channels_are_unknown_with_all_their_statistics(windows: WindowStatistics | None) -> None:
    X = np.random.default_rng(0).normal(size=(100, 3, 12))
    y = np.where(X[:, 1, -4:].mean(axis=1) > 0, "up", "down")
    model = EvoterTimeSeriesClassifier(windows=windows, **QUICK).fit(X, y)
    assert model.feature_importances_.shape == (3,)
    decided = model.predict(X)
    for channel, share in enumerate(model.feature_importances_):
        hidden = X.copy()
        hidden[:, channel] = np.nan
        assert share == pytest.approx((model.predict(hidden) != decided).mean())
    assert model.feature_importances_.argmax() == 1


def test_a_model_recognises_its_training_rows_in_any_container() -> None:
    table = pd.DataFrame({"n": np.arange(60.0), "c": ["red", "blue", None] * 20, "b": np.arange(60) % 2 == 0})
    model = EvoterClassifier(**QUICK).fit(table[:40], np.where(table.n[:40] > 20, "yes", "no"))
    assert model.training_share(table[:40]) == 1.0
    assert model.training_share(table[40:]) == 0.0
    assert model.training_share(table) == pytest.approx(40 / 60)
    assert copied(model).training_share(table[35:45]) == 0.5
    changed = table[:40].assign(c="green")
    assert model.training_share(changed) == 0.0, "an unknown category was never seen"
