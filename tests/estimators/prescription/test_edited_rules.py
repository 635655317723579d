"""Prescriptors that are given rules: valued by the same predictor, and within the same guardrails."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

import evoter
from evoter import EvoterPrescriptor
from evoter.rules.errors import RuleError

OPTIMAL = "x0 > 0.5 -> drug; Default -> diet"
SCALED = "numeric [0..2], scaled"
FORBIDDEN = [("x1 > 0.9", "drug")]


@pytest.fixture(scope="module")
def cases() -> np.ndarray:
    """Return cases whose best treatment depends on x0."""
    return np.random.default_rng(0).random((300, 2))


@pytest.fixture(scope="module")
def done(cases: np.ndarray) -> np.ndarray:
    """Return what was done."""
    return np.random.default_rng(1).choice(["diet", "drug"], len(cases))


@pytest.fixture(scope="module")
def health(cases: np.ndarray, done: np.ndarray) -> np.ndarray:
    """Return what came of it."""
    return np.where((done == "drug") == (cases[:, 0] > 0.5), 1.0, 0.0)


def given(rules: str, cases: np.ndarray, done: np.ndarray, health: np.ndarray, **options: object) -> EvoterPrescriptor:
    forest = RandomForestRegressor(20, random_state=0)
    return EvoterPrescriptor.from_ruleset(
        rules, cases, done, health, predictor=forest, objectives={"health": "maximise"}, random_state=0, **options
    )


def test_given_rules_prescribe_and_are_valued(cases: np.ndarray, done: np.ndarray, health: np.ndarray) -> None:
    policy = given(OPTIMAL, cases, done, health)
    assert policy.prescribe(cases).tolist() == np.where(cases[:, 0] > 0.5, "drug", "diet").tolist()
    assert policy.value_["health"] > 0.9 > 0.6 > policy.historical_value_["health"]
    assert policy.times_decided_.sum() == len(cases)
    assert "drug" in str(policy.explain(cases[0]))
    report = policy.evaluate(cases, done, health)
    assert "health" in str(report)
    edited = evoter.edit(policy).insert(1, "x1 > 2 -> diet").done()
    other = policy.with_ruleset(edited, cases)
    assert other.value_ == policy.value_
    assert np.isnan(policy.with_ruleset("x0 > 0.5 -> diet; Default -> drug").value_["health"])
    assert policy.with_ruleset("x0 > 0.5 -> diet; Default -> drug", cases).value_["health"] < 0.1


def test_guardrails_hold_for_given_rules(cases: np.ndarray, done: np.ndarray, health: np.ndarray) -> None:
    with pytest.raises(RuleError, match=r"the rules break the guardrails of this policy.*x1 <= 0\.9"):
        given(OPTIMAL, cases, done, health, forbidden=FORBIDDEN)
    policy = given("x0 > 0.5 AND x1 <= 0.9 -> drug; Default -> diet", cases, done, health, forbidden=FORBIDDEN)
    with pytest.raises(RuleError, match="the rules break the guardrails"):
        policy.with_ruleset(OPTIMAL)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("z > 0.5 -> drug; Default -> diet", "unknown feature 'z'"),
        ("x0 > 0.5 -> surgery; Default -> diet", "unknown action 'surgery'"),
        (f"{OPTIMAL}; where x0: numeric; actions: drug | diet; decide: hardmax", "decide by mode hardmax"),
        (
            f"scaled(x0) > scaled(x1) -> drug; Default -> diet; where x0: {SCALED}; x1: {SCALED}; actions: drug | diet",
            "compares 'x0' on another scale",
        ),
    ],
)
def test_rules_that_mean_something_else_are_refused(
    rules: str, message: str, cases: np.ndarray, done: np.ndarray, health: np.ndarray
) -> None:
    with pytest.raises(ValueError, match=message):
        given(rules, cases, done, health)
