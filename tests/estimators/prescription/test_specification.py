"""Guardrails, costs and objectives as users write them."""

import pytest
from evoter.problems.prescription.guardrails import Forbidden

from domains import compare
from evoter import Feature, Rule, Schema
from evoter.estimators.prescription.specification import read_aims, read_costs, read_forbidden, read_pinned

SCHEMA = Schema([Feature("age"), Feature("creatinine")], ["blood thinner", "diet"])


def test_contexts_are_text_or_conditions() -> None:
    expected = Forbidden([compare("age", ">", 80), compare("creatinine", ">", 1.5)], "blood thinner")
    text = ("age > 80 AND creatinine > 1.5", "blood thinner")
    assert read_forbidden([text, expected, (expected.conditions, "blood thinner")], SCHEMA) == (expected,) * 3
    with pytest.raises(ValueError, match="forbidden takes pairs"):
        read_forbidden([("a", "b", "c")], SCHEMA)  # type: ignore[list-item]


def test_pinned_rules_are_text_or_rules() -> None:
    rule = Rule([compare("age", ">", 80)], "diet")
    assert read_pinned(["age > 80 -> diet", rule], SCHEMA) == (rule, rule)


def test_costs_are_0_where_nothing_is_said() -> None:
    costs = read_costs({"diet": 2}, SCHEMA.actions)
    assert costs is not None
    assert costs.tolist() == [0.0, 2.0]
    assert read_costs(None, SCHEMA.actions) is None
    for wrong, message in (({"dite": 1}, "did you mean 'diet'"), ({"diet": float("nan")}, "a finite number")):
        with pytest.raises(ValueError, match=message):
            read_costs(wrong, SCHEMA.actions)


def test_other_objectives_have_one_direction() -> None:
    assert read_aims(None) == ({}, ())
    assert read_aims({"x": "maximise", "novelty": "maximise"}) == ({"x": "maximise"}, ("novelty",))
    with pytest.raises(ValueError, match="'rules' can only be 'minimise'"):
        read_aims({"rules": "maximise"})
