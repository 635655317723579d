"""Every estimator keeps its guardrails: in its rules, on any row, and in all candidates."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

import evoter
from evoter import EvoterClassifier, EvoterPolicy, EvoterPrescriptor, EvoterTimeSeriesClassifier, WindowStatistics
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide
from guarding import broken
from strategies import Row

RNG = np.random.default_rng(0)
QUICK: dict[str, Any] = {"generations": 6, "population_size": 60, "random_state": 0}
CANCER = load_breast_cancer(as_frame=True)
X = CANCER.data.iloc[:, :8].rename(columns=lambda name: name.replace(" ", "_"))
Y = CANCER.target_names[CANCER.target]
UP: dict[str, Any] = {
    "monotone": {"mean_radius": "increasing", "mean_texture": 1},
    "monotone_order": ["benign", "malignant"],
}
NEVER: dict[str, Any] = {"forbidden": "mean_smoothness < 0.08 -> never malignant"}


def rows_with_anything(n: int) -> list[Row]:
    """Rows inside and far outside the ranges of training, with missing values."""
    values = np.asarray(X)[RNG.integers(0, len(X), n)] * RNG.choice([-3.0, 0.0, 1.0, 1.0, 20.0], (n, X.shape[1]))
    values[RNG.random(values.shape) < 0.1] = np.nan
    return [dict(zip(X, (None if v != v else v for v in row), strict=True)) for row in values.tolist()]


@pytest.mark.parametrize(
    "given",
    [
        UP,
        NEVER,
        {"forbidden_features": ["mean_radius", 2]},
        {"pinned": ["mean_concavity > 0.3 AND mean_smoothness >= 0.08 -> malignant"], **NEVER},
        {**UP, "mode": "hardmax", "pinned": "mean_area > 2000 -> malignant"},
        {**NEVER, "mode": "vote"},
        {**UP, "preset": "paper", "forbidden_features": ["mean_area"]},
        {**UP, "metric": "roc_auc"},
        {**UP, **NEVER, "objectives": ["accuracy", "complexity"]},
        {**NEVER, "select": "neighbours"},
        {"monotone": {"mean_radius": -1}, "class_weight": "balanced", "metric": "log_loss", "pinned": "mean_area > 2000 -> malignant"},
    ],
)  # fmt: skip
def test_classifiers_keep_guardrails_on_any_row(given: dict[str, Any]) -> None:
    model = EvoterClassifier(**QUICK, **given).fit(X, Y)
    rails = model.guardrails_
    candidates = [model.ruleset_, *(each.ruleset for each in getattr(model, "front_", ()))]
    for ruleset in [*candidates, *(each.ruleset for each in getattr(model, "finalists_", ()))]:
        assert not rails.violations(ruleset)
        assert not list(broken(rails, ruleset, rows_with_anything(25)))
    assert evoter.parse(str(model.ruleset_)) == model.ruleset_


def test_labels_of_any_type_have_an_order() -> None:
    y = (Y == "malignant").astype(int)
    model = EvoterClassifier(**QUICK, monotone={"mean_radius": 1}, forbidden=[("mean_area < 200", 1)]).fit(X, y)
    assert model.guardrails_.order == ("0", "1")
    assert model.guardrails_.forbidden[0].action == "1"
    three = pd.cut(X["mean_area"], 3, labels=["small", "medium", "large"]).astype(str)
    order = ["small", "medium", "large"]
    graded = EvoterClassifier(**QUICK, monotone={"mean_radius": 1}, monotone_order=order).fit(X, three)
    assert graded.guardrails_.order == tuple(order)
    assert not list(broken(graded.guardrails_, graded.ruleset_, rows_with_anything(25)))


def test_guardrails_change_nothing_where_there_are_none() -> None:
    plain = EvoterClassifier(**QUICK).fit(X, Y)
    empty = EvoterClassifier(**QUICK, pinned=[], forbidden_features=[], forbidden=[], monotone={}).fit(X, Y)
    assert plain.ruleset_ == empty.ruleset_
    assert not plain.guardrails_


def test_importances_of_forbidden_features_are_0() -> None:
    model = EvoterClassifier(**QUICK, forbidden_features=["mean_radius"]).fit(X, Y)
    assert len(model.feature_importances_) == X.shape[1]
    assert model.feature_importances_[0] == 0.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"forbidden_features": ["mean_radios"]}, "no feature 'mean_radios'; did you mean 'mean_radius'"),
        ({"forbidden_features": "mean_radius"}, "must be an instance of 'list'"),
        ({"monotone": {"mean_radius": 1}, "monotone_order": "benign"}, "must be an array-like"),
        ({"monotone": {"mean_radius": 1}, "monotone_order": ["benign", "bad"]}, "'bad', which is not decided"),
        ({"monotone": {"mean_radius": 1}, "mode": "vote"}, "mode vote"),
        ({"pinned": "mean_radius > 9 -> cancer"}, "unknown action 'cancer'"),
    ],
)
def test_classifiers_refuse_what_makes_no_sense(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EvoterClassifier(**QUICK, **given).fit(X, Y)


SERIES = RNG.normal(size=(120, 2, 8))
LABELS = np.where(SERIES[:, 0, -2] > 0.2, "high", "low")


def test_series_keep_guardrails_at_every_lag() -> None:
    given: dict[str, Any] = {
        "monotone": {"x0": 1},
        "monotone_order": ["low", "high"],
        "forbidden": "x1[2] > 2 -> never high",
    }
    model = EvoterTimeSeriesClassifier(**QUICK, **given).fit(SERIES, LABELS)
    assert model.score(SERIES, LABELS) > 0.8
    assert not model.guardrails_.violations(model.ruleset_)
    raised = SERIES.copy()
    raised[:, 0] += np.abs(RNG.normal(size=(120, 8))) * 10
    before, after = model.predict(SERIES), model.predict(raised)
    assert not ((before == "high") & (after == "low")).any()


def test_a_forbidden_channel_is_forbidden_with_all_its_statistics() -> None:
    windows = WindowStatistics(window=4, statistics=("mean", "max"))
    model = EvoterTimeSeriesClassifier(**QUICK, windows=windows, forbidden_features=["x0"]).fit(SERIES, LABELS)
    assert model.guardrails_.forbidden_features == ("x0.mean", "x0.max")
    assert not {"x0.mean", "x0.max"} & set(model.ruleset_.features_used)
    with pytest.raises(ValueError, match=r"rules do not read 'x0' itself but x0\.mean, x0\.max"):
        clone(model).set_params(monotone={"x0": 1}).fit(SERIES, LABELS)


CASES = pd.DataFrame({"age": RNG.integers(10, 90, 300), "dose": RNG.random(300), "sex": RNG.choice(["f", "m"], 300)})
DRUG = RNG.choice(["diet", "drug"], 300)
HEALTH = np.where((DRUG == "drug") == (CASES.age > 50), 1.0, 0.0)


def test_prescriptors_keep_all_guardrails() -> None:
    policy = EvoterPrescriptor(
        objectives={"health": "maximise"},
        forbidden="age < 18 -> never drug",
        forbidden_features=["sex"],
        monotone={"age": "increasing"},
        **QUICK,
    ).fit(CASES, DRUG, HEALTH)
    assert policy.guardrails_.order == ("diet", "drug")
    assert not policy.guardrails_.violations(policy.ruleset_)
    decisions = [decide(policy.ruleset_, {"age": age, "dose": 0.5, "sex": "f"}).action for age in range(-50, 200)]
    assert decisions == sorted(decisions)
    assert decisions[0] == "diet"
    with pytest.raises(ValueError, match="not about amounts"):
        EvoterPrescriptor(
            objectives={"health": "maximise"}, actions={"salt": (0.0, 1.0)}, monotone={"age": 1}, **QUICK
        ).fit(CASES, RNG.random((300, 1)), HEALTH)  # fmt: skip


CART: dict[str, Any] = {
    "generations": 3,
    "population_size": 20,
    "n_validation": 5,
    "n_confirmation": 5,
    "random_state": 0,
}
RIGHT: dict[str, Any] = {"monotone": {"angle.of.pole": "increasing"}, "pinned": "position.of.cart > 2 -> Left"}


def test_policies_keep_guardrails(tmp_path: Path) -> None:
    policy = EvoterPolicy(
        "CartPole-v1",
        forbidden='"velocity.of.cart" > 1.5 AND "angle.of.pole" < 0 -> never Right',
        forbidden_features=["rotation.rate.of.pole"],
        **RIGHT,
        **CART,
    ).fit()
    assert not policy.guardrails_.violations(policy.policy_.ruleset)
    assert policy.ruleset_.rules[0].pinned
    assert "rotation.rate.of.pole" not in policy.ruleset_.features_used
    policy.save(tmp_path / "policy.json")
    loose = EvoterPolicy("CartPole-v1", forbidden_features=["position.of.cart"], **CART)
    with pytest.raises(RuleError, match=r"the rules break a guardrail: rule 1 reads 'position\.of\.cart'"):
        loose.load(tmp_path / "policy.json")
