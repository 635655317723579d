"""Guardrails that contradict each other are refused by an error that names both sides."""

import re
from typing import Any

import pytest

from evoter.rules.errors import RuleError
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.schema import Feature, Kind, Schema

SCHEMA = Schema(
    [Feature("age", low=0, high=99), Feature("dose", low=0, high=9), Feature("sex", Kind.CATEGORICAL, categories=("f", "m"))],
    ["blood thinner", "opioid", "rest"],
)  # fmt: skip
ORDER = ["rest", "blood thinner", "opioid"]


@pytest.mark.parametrize(
    ("given", "sides"),
    [
        ({"pinned": "sex = f -> rest", "forbidden_features": ["sex"]}, ["pinned rule 1", "'sex', which no rule may read"]),
        (
            {"forbidden": "sex = f -> never opioid", "forbidden_features": ["sex"]},
            ["sex = f -> never opioid", "forbidden_features"],
        ),
        (
            {"monotone": {"age": 1}, "order": ORDER, "forbidden_features": ["age"]},
            ["monotone says how rules test 'age'", "forbidden_features says that no rule reads it"],
        ),
        (
            {"pinned": "dose > 3 -> opioid", "forbidden": "age < 18 -> never opioid"},
            ["dose > 3 -> opioid", "age < 18 -> never opioid"],
        ),
        (
            {"pinned": "age < 18 -> opioid", "monotone": {"age": "increasing"}, "order": ORDER},
            ["age < 18 -> opioid", "rules for opioid test it with > or >= only"],
        ),
        (
            {"forbidden": "age > 80 -> never opioid", "monotone": {"age": "increasing"}, "order": ORDER},
            ["age > 80 -> never opioid", "must test age <= 80", "as age rises", "only with > or >="],
        ),
        (
            {"forbidden": ["age < 18 -> never opioid", "age < 9 -> never rest", 'age > 9 -> never "blood thinner"']},
            ["every action is forbidden somewhere", "age < 18 -> never opioid", "age < 9 -> never rest"],
        ),
    ],
)  # fmt: skip
def test_conflicts_name_both_sides(given: dict[str, Any], sides: list[str]) -> None:
    with pytest.raises(RuleError) as told:
        read_guardrails(SCHEMA, **given)
    for side in sides:
        assert re.search(re.escape(side), str(told.value)), str(told.value)
