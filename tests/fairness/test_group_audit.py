"""Rates, differences and ratios are fairlearn's; contributions of rules add up to the difference."""

import numpy as np
import pandas as pd
import pytest
from fairlearn import metrics as fairlearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import evoter
from evoter.fairness.group_audit import FEW_ROWS
from evoter.problems import RATES
from evoter.rules.model import Mode
from evoter.rules.modes import Task, modes_for

RULES = "x > 1 AND y <= 2 -> b; x > 0 -> a; y > 3 -> c; x <= -1 AND z = u -> b; Default -> a"
ORACLES = {
    "selection_rate": fairlearn.selection_rate,
    "true_positive_rate": fairlearn.true_positive_rate,
    "false_negative_rate": fairlearn.false_negative_rate,
    "false_positive_rate": fairlearn.false_positive_rate,
    "true_negative_rate": fairlearn.true_negative_rate,
    "precision": lambda y_true, y_pred: metrics.precision_score(y_true, y_pred, zero_division=np.nan),
}


def table(seed: int, n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "x": rng.normal(size=n_rows).round(2),
            "y": rng.uniform(0, 5, n_rows).round(1),
            "z": rng.choice(["u", "v"], n_rows),
            "sex": rng.choice(["f", "m"], n_rows, p=[0.4, 0.6]),
            "ward": rng.choice(["east", "west", "north"], n_rows),
            "label": rng.choice(["a", "b", "c"], n_rows),
        }
    )


@pytest.mark.parametrize("seed", range(2))
def test_rates_differences_and_ratios_are_fairlearns(seed: int) -> None:
    rules, rows = evoter.parse(RULES), table(seed)
    found = evoter.audit(rules, rows, "label", protected=["sex", "ward"], min_rows=0)
    assert found.favourable == rules.schema.actions
    decided = np.array([evoter.explain(rules, row).decision.action for row in rows.to_dict("records")])
    for audited in found.columns:
        sensitive = rows[audited.column.split(" & ")]
        positive, selected = rows["label"] == audited.favourable, decided == audited.favourable
        for name, oracle in ORACLES.items():
            frame = fairlearn.MetricFrame(
                metrics=oracle, y_true=positive, y_pred=selected, sensitive_features=sensitive
            )
            by_group = {
                " & ".join(key) if isinstance(key, tuple) else key: value for key, value in frame.by_group.items()
            }
            for group in audited.groups:
                if name in group.rates:
                    assert group.rates[name].value == pytest.approx(by_group[group.name], abs=1e-12)
                else:  # where there is nothing to count, fairlearn says 0 or nothing
                    assert np.nan_to_num(by_group[group.name]) == 0.0
            disparity = audited.disparity(name)
            assert disparity is not None
            if all(name in group.rates for group in audited.groups):
                assert disparity.difference == pytest.approx(frame.difference(), abs=1e-12)
                assert disparity.ratio == pytest.approx(frame.ratio(), abs=1e-12, nan_ok=True)
        right = fairlearn.MetricFrame(
            metrics=metrics.accuracy_score, y_true=rows["label"], y_pred=decided, sensitive_features=sensitive
        )
        accuracy = audited.disparity("accuracy")
        assert accuracy is not None
        assert accuracy.difference == pytest.approx(right.difference(), abs=1e-12)


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
def test_contributions_add_up_to_the_difference(mode: Mode) -> None:
    rules = evoter.parse(RULES).replace(mode=mode)
    for audited in evoter.audit(rules, table(7), "label", protected=["sex", "ward"]).columns:
        for each in audited.disparities:
            assert len(each.contributions) == len(rules.rules) + 1
            assert sum(one.part for one in each.contributions) == pytest.approx(each.difference, abs=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 80))
def test_groups_add_up_to_all_rows(seed: int, n_rows: int) -> None:
    rows = table(seed, n_rows)
    found = evoter.audit(evoter.parse(RULES), rows, "label", protected=["sex", "ward"], favourable="b")
    hits = {sum(group.rates["selection_rate"].n_hits for group in audited.groups) for audited in found.columns}
    assert len(hits) == 1
    for audited in found.columns:
        assert sum(group.n_rows for group in audited.groups) == n_rows
        for group in audited.groups:
            for name, share in group.rates.items():
                assert share.low <= share.value <= share.high, name
            if {"true_positive_rate", "false_negative_rate"} <= group.rates.keys():
                total = group.rates["true_positive_rate"].value + group.rates["false_negative_rate"].value
                assert total == pytest.approx(1.0)


def test_the_parts_are_those_of_the_rules_that_decide() -> None:
    rules = evoter.parse("x > 0 -> yes; y > 0 -> yes; Default -> no")
    rows = [{"x": 1, "y": 0, "g": "a"}] * 30 + [{"x": 0, "y": 0, "g": "a"}] * 10
    rows += [{"x": 0, "y": 1, "g": "b"}] * 10 + [{"x": 0, "y": 0, "g": "b"}] * 30
    worst = evoter.audit(rules, rows, protected="g", favourable="yes").worst()
    assert worst is not None
    assert (worst.highest, worst.lowest, worst.difference) == ("a", "b", 0.5)
    assert [each.part for each in worst.contributions] == [0.75, -0.25, 0.0]
    assert worst.is_clear
    assert worst.interval[0] > 0.2


def test_small_groups_are_shown_and_not_compared() -> None:
    rows = [{"x": 1.0, "g": "a"}] * 40 + [{"x": -1.0, "g": "b"}] * 40 + [{"x": 1.0, "g": "c"}] * (FEW_ROWS - 1)
    rules = evoter.parse("x > 0 -> yes; Default -> no")
    audited = evoter.audit(rules, rows, protected="g", favourable="yes").column("g")
    assert [group.is_small for group in audited.groups] == [False, False, True]
    disparity = audited.disparity("selection_rate")
    assert disparity is not None
    assert (disparity.highest, disparity.lowest) == ("a", "b")
    few = evoter.audit(rules, rows[39:41], protected="g", favourable="yes")
    assert few.worst() is None
    assert "no verdict" in few.to_text()


def test_calibration_compares_probabilities_with_labels() -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"x": rng.normal(size=300), "g": rng.choice(["a", "b"], 300)})
    labels = np.where(rows["x"] + rng.normal(size=300) + (rows["g"] == "a") > 0, "yes", "no")
    model = evoter.EvoterClassifier(random_state=0, generations=3, population_size=50).fit(rows[["x"]], labels)
    for described in (model, model.ruleset_, evoter.loads(evoter.dumps(model.ruleset_))):
        audited = evoter.audit(described, rows, labels, protected="g").column()
        for group in audited.groups:
            inside = rows["g"] == group.name
            said = model.predict_proba(rows[["x"]])[inside, 1]
            assert group.calibration is not None
            assert group.calibration.predicted == pytest.approx(said.mean(), abs=1e-6)
            assert group.calibration.observed.value == (labels[inside] == "yes").mean()
            brier = metrics.brier_score_loss(labels[inside] == "yes", said)
            assert group.calibration.brier == pytest.approx(brier, abs=1e-6)
            low, high = group.calibration.interval
            assert low <= group.calibration.gap <= high
    assert (
        evoter.audit(evoter.parse("x > 0 -> yes; Default -> no"), rows, labels, protected="g")
        .column()
        .groups[0]
        .calibration
        is None
    )


def test_without_labels_only_selection_is_known() -> None:
    audited = evoter.audit(evoter.parse(RULES), table(1), protected="sex", favourable="a").column()
    assert {name for group in audited.groups for name in group.rates} == {"selection_rate"}
    assert [each.rate for each in audited.disparities] == ["selection_rate"]
    assert set(ORACLES) | {"accuracy"} == set(RATES)
