"""Estimates of a policy's value cover its true value, where it is known."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from evoter import EvoterPrescriptor
from evoter.estimators.prescription.policy_value import NONE, Estimate, PolicyReport


def logged(seed: int, n: int = 1_500) -> tuple[pd.DataFrame, "pd.Series[str]", "pd.Series[float]"]:
    """A doctor who prefers the drug for the old, for whom it is better; everybody else is better off without."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"age": rng.integers(20, 90, n), "weight": rng.normal(80, 10, n).round(1)})
    drug = rng.random(n) < np.where(table.age > 60, 0.7, 0.3)
    health = np.where(drug == (table.age > 60), 1.0, 0.0) + rng.normal(0, 0.5, n)
    return table, pd.Series(np.where(drug, "drug", "rest"), name="action"), pd.Series(health, name="health")


def encoded(table: pd.DataFrame) -> Any:
    return table.to_numpy(float)


@pytest.fixture(scope="module")
def report() -> PolicyReport:
    table, action, health = logged(0)
    model = EvoterPrescriptor(
        DecisionTreeRegressor(min_samples_leaf=20), population_size=60, generations=10, random_state=0
    )
    model.fit(encoded(table), action.to_numpy(), health)
    table, action, health = logged(1)
    return model.evaluate(encoded(table), action.to_numpy(), health)


def test_all_estimates_are_near_the_truth(report: PolicyReport) -> None:
    (goal,) = report.goals
    assert goal.historical.value == pytest.approx(0.7, abs=0.05)
    assert goal.historical_judged.value == pytest.approx(0.7, abs=0.07)
    for estimate in (goal.predicted, goal.judged, goal.ips, goal.doubly_robust):
        assert estimate.value == pytest.approx(1.0, abs=0.1)
    assert abs(goal.doubly_robust.value - 1.0) < 4 * goal.doubly_robust.error


def test_overlap_is_what_the_doctor_did(report: PolicyReport) -> None:
    assert report.overlap is not None
    assert report.overlap.agreed.mean() == pytest.approx(0.7, abs=0.05)
    assert report.overlap.propensities.mean() == pytest.approx(0.7, abs=0.05)
    assert report.overlap.rare < 0.02


def test_the_text_has_a_line_for_each_estimate(report: PolicyReport) -> None:
    lines = str(report).splitlines()
    assert lines[0].split() == ["1,500", "cases", "health", "↑"]
    assert len(lines) == 8
    assert lines[-1].startswith("overlap: history did the same on ")
    assert report["health"] is report.goals[0]
    with pytest.raises(KeyError, match="known: "):
        report["wealth"]
    assert str(NONE) == "-"
    assert str(Estimate(0.5)) == "0.5000"


def test_a_policy_that_leaves_the_data_is_found_out() -> None:
    table, action, health = logged(0)
    rng = np.random.default_rng(0)
    action[:] = np.where(rng.random(len(action)) < 0.01, "rare", action)
    health += 10.0 * (action == "rare")
    model = EvoterPrescriptor(LinearRegression(), population_size=20, generations=3, random_state=0)
    model.fit(encoded(table), action.to_numpy(), health)
    assert set(model.prescribe(encoded(table))) == {"rare"}
    found = model.evaluate(encoded(table), action.to_numpy(), health)
    assert found.overlap is not None
    assert found.overlap.rare > 0.95


def test_without_a_row_on_which_history_agrees_there_is_no_off_policy_estimate() -> None:
    table, action, health = logged(0, 300)
    model = EvoterPrescriptor(LinearRegression(), population_size=20, generations=3, random_state=0)
    model.fit(encoded(table), action.to_numpy(), health)
    other = np.where(model.prescribe(encoded(table)) == "drug", "rest", "drug")
    found = model.evaluate(encoded(table), other, health)["health"]
    assert np.isnan([found.ips.value, found.doubly_robust.value]).all()
    assert not np.isnan(found.judged.value)


def test_groups_stay_together() -> None:
    table, action, health = logged(0, 300)
    model = EvoterPrescriptor(LinearRegression(), population_size=20, generations=3, random_state=0)
    model.fit(encoded(table), action.to_numpy(), health)
    groups = np.arange(300) // 3
    first = model.evaluate(encoded(table), action.to_numpy(), health, groups=groups)
    assert first.goals != model.evaluate(encoded(table), action.to_numpy(), health).goals
    with pytest.raises(ValueError, match="pass outcomes"):
        model.evaluate(encoded(table), action.to_numpy())
