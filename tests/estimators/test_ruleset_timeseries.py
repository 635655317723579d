"""Tests of classifiers of series whose rules are given."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

import evoter
from evoter import EvoterTimeSeriesClassifier, RuleSetTimeSeriesClassifier, WindowStatistics
from evoter.tables import Panel
from evoter.tables.series import read_panel

RULES = "x1[3] > 0.4 -> high; Default -> low"


@pytest.fixture(scope="module")
def series() -> NDArray[np.float64]:
    """Return two channels of ten steps."""
    return np.random.default_rng(0).normal(size=(120, 2, 10))


@pytest.fixture(scope="module")
def labels(series: NDArray[np.float64]) -> NDArray[np.str_]:
    """Return labels that the rules nearly know."""
    return np.where(series[:, 1, -4] > 0.5, "high", "low")


@pytest.fixture(scope="module")
def model(series: NDArray[np.float64], labels: NDArray[np.str_]) -> RuleSetTimeSeriesClassifier:
    """Return the rules, measured."""
    return RuleSetTimeSeriesClassifier(RULES).fit(series, labels)


def test_the_rules_decide_as_they_say(
    model: RuleSetTimeSeriesClassifier, series: NDArray[np.float64], labels: NDArray[np.str_]
) -> None:
    expected = np.where(series[:, 1, -4] > 0.4, "high", "low")
    assert (model.predict(series) == expected).all()
    assert model.times_decided_.tolist() == [(expected == "high").sum(), (expected == "low").sum()]
    assert model.predict_proba(series).shape == (120, 2)
    assert model.training_share(series) == 1.0
    assert model.feature_importances_[0] == 0.0
    assert model.ruleset_.records[0].labels[0] == ((expected == "high") & (labels == "high")).sum()
    assert "x1[3] > 0.4" in str(model.explain(series[:1]))
    stream = model.stream()
    assert [stream.observe(step) for step in series[0].T][-1].action == expected[0]


def test_channels_are_found_by_name(series: NDArray[np.float64], labels: NDArray[np.str_]) -> None:
    panel: Panel = read_panel(series, channels=["noise", "x1"])
    assert RuleSetTimeSeriesClassifier(RULES).fit(panel, labels).score(panel, labels) > 0.9
    with pytest.raises(ValueError, match="the rules read 'x1', which is no feature of the training data"):
        RuleSetTimeSeriesClassifier(RULES, channels=["a", "b"]).fit(series, labels)


def test_rules_read_windows(series: NDArray[np.float64], labels: NDArray[np.str_]) -> None:
    windows = WindowStatistics(5)
    model = RuleSetTimeSeriesClassifier("x1.max > 1 -> high; Default -> low", windows=windows).fit(series, labels)
    assert (model.predict(series) == np.where(series[:, 1, -5:].max(axis=1) > 1, "high", "low")).all()
    assert model.feature_importances_.shape == (2,)
    with pytest.raises(ValueError, match="windows have to be fitted"):
        RuleSetTimeSeriesClassifier.from_ruleset("x1.max > 1 -> high; Default -> low", windows=windows)


def test_rules_predict_without_being_fitted(model: RuleSetTimeSeriesClassifier, series: NDArray[np.float64]) -> None:
    ready = EvoterTimeSeriesClassifier.from_ruleset(RULES, channels=["x0", "x1"])
    assert isinstance(ready, RuleSetTimeSeriesClassifier)
    assert (ready.predict(series) == model.predict(series)).all()
    with pytest.raises(NotFittedError, match="nothing is known"):
        ready.predict_proba(series)


def test_edited_rules_replace_those_of_a_model(
    model: RuleSetTimeSeriesClassifier, series: NDArray[np.float64], labels: NDArray[np.str_]
) -> None:
    edited = evoter.edit(model).replace(1, "x1[3] > 0.5 -> high").done()
    assert model.with_ruleset(edited, series, labels).score(series, labels) == 1.0
    evolved = EvoterTimeSeriesClassifier(
        population_size=20, generations=2, settings={"refinement_moves": 50}, random_state=0
    ).fit(series, labels)
    assert evolved.with_ruleset(edited, series, labels).score(series, labels) == 1.0
