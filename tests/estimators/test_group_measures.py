"""Constraints on groups and recall are kept by the rules that a user gets, or a warning says by how much they are not."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference
from sklearn.metrics import recall_score

import evoter
from evoter import EvoterClassifier, EvoterTimeSeriesClassifier
from evoter.estimators.group_measures import GROUP_MEASURES, ConstraintWarning, is_group_measure, read_group_measure

N = 400
RNG = np.random.default_rng(0)
GROUP = np.where(RNG.random(N) < 0.5, "f", "m")
TABLE = pd.DataFrame({"a": RNG.normal(size=N) + 0.9 * (GROUP == "m"), "b": RNG.normal(size=N)}).round(3)
LABELS = np.where(TABLE["a"] + TABLE["b"] + 0.7 * RNG.normal(size=N) > 0.6, "yes", "no")
QUICK: dict[str, Any] = {
    "random_state": 0, "generations": 12, "population_size": 150, "settings": {"refinement_moves": 60, "n_refined": 6},
}  # fmt: skip


def fitted(protected: Any = None, **parameters: Any) -> EvoterClassifier:
    return EvoterClassifier(**{**QUICK, **parameters}).fit(TABLE, LABELS, protected=protected)


@pytest.mark.parametrize("select", [None, "neighbours"])
def test_a_difference_is_limited(select: str | None) -> None:
    free = fitted()
    before = demographic_parity_difference(LABELS == "yes", free.predict(TABLE) == "yes", sensitive_features=GROUP)
    model = fitted({"sex": GROUP}, constraints={"selection_rate_difference": 0.05}, select=select)
    after = demographic_parity_difference(LABELS == "yes", model.predict(TABLE) == "yes", sensitive_features=GROUP)
    assert before > 0.15
    assert after == pytest.approx(model.group_values_["selection_rate_difference"], abs=1e-12)
    assert after <= 0.05
    assert model.score(TABLE, LABELS) > np.mean(LABELS == "no")
    assert not hasattr(free, "group_values_")


def test_recall_has_a_lower_limit() -> None:
    model = fitted(constraints={"recall(yes)": 0.97, "complexity": 6})
    found = recall_score(LABELS, model.predict(TABLE), pos_label="yes")
    assert found == pytest.approx(model.group_values_["recall(yes)"])
    assert found >= 0.97
    assert model.ruleset_.n_conditions <= 6


def test_a_difference_is_traded_off() -> None:
    model = fitted(TABLE.assign(sex=GROUP)[["sex"]], objectives=["accuracy", "equalized_odds_difference", "recall(no)"])
    assert [each.maximise for each in model.front_.objectives] == [True, False, True]
    assert len(model.front_) > 5
    for candidate in (model.front_[0], model.front_[-1]):
        predicted = model.with_ruleset(candidate).predict(TABLE)
        found = equalized_odds_difference(LABELS == "yes", predicted == "yes", sensitive_features=GROUP)
        assert found == pytest.approx(candidate.scores["equalized_odds_difference"], abs=1e-12)


def test_a_front_has_feasible_candidates_only() -> None:
    limits = {"selection_rate_difference": 0.1}
    model = fitted({"sex": GROUP}, objectives=["accuracy", "complexity"], constraints=limits)
    for number in range(len(model.front_)):
        chosen = model.with_ruleset(number).predict(TABLE) == "yes"
        assert abs(chosen[GROUP == "f"].mean() - chosen[GROUP == "m"].mean()) <= 0.1


def test_a_column_of_the_table_may_be_protected() -> None:
    table = TABLE.assign(sex=GROUP)
    model = EvoterClassifier(**QUICK, constraints={"false_negative_rate_difference": 0.04})
    model.fit(table, LABELS, protected="sex")
    assert model.group_values_["false_negative_rate_difference"] <= 0.04


def test_weights_and_series_have_groups_too() -> None:
    weights = np.where(np.arange(N) % 3 == 0, 0.0, 1.0)
    model = EvoterClassifier(**QUICK, constraints={"selection_rate_difference": 0.05})
    model.fit(TABLE, LABELS, weights, protected={"sex": GROUP})
    chosen, counted = model.predict(TABLE) == "yes", weights > 0
    difference = chosen[counted & (GROUP == "f")].mean() - chosen[counted & (GROUP == "m")].mean()
    assert abs(difference) == pytest.approx(model.group_values_["selection_rate_difference"])
    series = EvoterTimeSeriesClassifier(**QUICK, constraints={"selection_rate_ratio": 0.8})
    series.fit(np.stack([TABLE.to_numpy()] * 3, axis=2), LABELS, protected={"sex": GROUP})
    assert series.group_values_["selection_rate_ratio"] >= 0.8


@pytest.mark.parametrize("mode", ["first", "hardmax"])
def test_groups_are_limited_beside_guardrails(mode: str) -> None:
    rails: dict[str, Any] = {
        "pinned": "b > 1.8 -> no",
        "forbidden": "a < -0.5 -> never yes",
        "monotone": {"a": "increasing"},
    }
    limits = {"selection_rate_difference": 0.05, "recall(yes)": 0.6}
    settings = QUICK["settings"] if mode == "first" else {}  # exact moves need mode first
    model = fitted({"sex": GROUP}, constraints=limits, mode=mode, settings=settings, generations=25, **rails)
    predicted = model.predict(TABLE)
    difference = demographic_parity_difference(LABELS == "yes", predicted == "yes", sensitive_features=GROUP)
    recall = recall_score(LABELS, predicted, pos_label="yes")
    expected = {"selection_rate_difference": difference, "recall(yes)": recall}
    assert model.group_values_ == pytest.approx(expected, abs=1e-12)
    assert difference <= 0.05
    assert recall >= 0.6
    assert not model.guardrails_.violations(model.ruleset_)
    assert set(predicted[TABLE["b"] > 1.8]) == {"no"}
    series = EvoterTimeSeriesClassifier(**QUICK, constraints={"selection_rate_ratio": 0.8}, pinned="x1 > 1.8 -> no")
    series.fit(np.stack([TABLE.to_numpy()] * 3, axis=2), LABELS, protected={"sex": GROUP})
    assert series.group_values_["selection_rate_ratio"] >= 0.8


def test_limits_that_pinned_rules_break_are_said_to_be_missed() -> None:
    message = "no rule set was found that keeps all constraints: selection_rate_difference is"
    table = TABLE.assign(sex=GROUP)
    model = EvoterClassifier(
        **QUICK, constraints={"selection_rate_difference": 0.05}, pinned="sex = f -> no; sex = m -> yes"
    )
    with pytest.warns(ConstraintWarning, match=message):
        model.fit(table, LABELS, protected="sex")


def test_what_cannot_be_kept_is_said_by_how_much() -> None:
    mixed = np.where(np.arange(N) % 2 == 0, "yes", "no")
    constant = pd.DataFrame({"a": np.zeros(N), "b": np.arange(N) % 4 // 2})
    model = EvoterClassifier(**QUICK, constraints={"recall(yes)": 0.9, "recall(no)": 0.9})
    with pytest.warns(
        ConstraintWarning, match=r"no rule set was found.*is 0.* should be at least 0.9, which it misses"
    ):
        model.fit(constant, mixed)


def test_small_groups_are_warned_about() -> None:
    group = np.where(np.arange(N) < 7, "rare", "frequent")
    with pytest.warns(ConstraintWarning, match=r"'g' has groups of fewer than 30 training rows: 'rare' \(7\)"):
        fitted({"g": group}, constraints={"selection_rate_difference": 0.5}, generations=1)


def test_groups_without_effect_and_measures_without_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="protected has no effect on this fit"):
        fitted("a")
    with pytest.raises(ValueError, match="protected has no effect on this fit"):
        fitted("a", constraints={"recall(yes)": 0.5})
    with pytest.raises(ValueError, match="'precision_difference' compares groups of rows, and fit got none"):
        fitted(constraints={"precision_difference": 0.5})
    with pytest.raises(ValueError, match="the rows have no column 'sex'"):
        fitted("sex", constraints={"selection_rate_difference": 0.5})
    with pytest.raises(ValueError, match=r"must be a number from 0 to 1, got 5"):
        fitted("a", constraints={"selection_rate_difference": 5})


def test_settings_without_effect_are_refused() -> None:
    for name, value in (("n_elites", 3), ("majority_actions", False)):
        settings = {**QUICK["settings"], name: value}
        if name == "majority_actions":  # switched off is what it is
            fitted(constraints={"recall(yes)": 0.5}, settings=settings, generations=1)
            continue
        with pytest.raises(ValueError, match=f"{name} has no effect.*no constraints on groups or recall"):
            fitted(constraints={"recall(yes)": 0.5}, settings=settings)


def test_names_are_read() -> None:
    assert all(map(is_group_measure, GROUP_MEASURES))
    assert not is_group_measure("complexity")
    assert not is_group_measure(3)
    actions = ["a", "b(c)", "d"]
    assert read_group_measure("recall(b(c))", actions).code == 1
    assert read_group_measure("accuracy_difference", actions).rates == ("accuracy",)
    assert read_group_measure("selection_rate_difference", ["no", "yes"]).code == 1
    for name, message in (
        ("recall", r"does not say of which class: write 'recall\(d\)'"),
        ("selection_rate_ratio", "does not say which of 3 classes is the favourable one"),
        ("recall(e)", "there is no class 'e'"),
    ):
        with pytest.raises(ValueError, match=message):
            read_group_measure(name, actions)


def test_unconstrained_fits_do_not_depend_on_groups() -> None:
    """A limit that no rule set breaks changes the search, but one that is not there changes nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evoter.dumps(fitted().ruleset_) == evoter.dumps(fitted(constraints={}).ruleset_)
