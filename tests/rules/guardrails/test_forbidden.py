"""Opposites of conditions hold where these do not, unless a value is missing."""

import pytest

from domains import compare
from evoter.rules.condition import SET_OPERATORS
from evoter.rules.guardrails.forbidden import Forbidden, opposite
from evoter.rules.interpreter import holds
from evoter.rules.model import Operator
from evoter.rules.schema import Feature, Kind, Schema

PATIENT = Schema([Feature("glucose", low=70, high=300)], ["metformin"])


def test_what_is_forbidden_prints_as_it_is_read() -> None:
    forbidden = Forbidden([compare("glucose", ">", 200), compare("glucose", "<", 300)], "metformin")
    assert forbidden.text(PATIENT) == "glucose > 200 AND glucose < 300 -> never metformin"


@pytest.mark.parametrize("operator", [each for each in Operator if each not in SET_OPERATORS])
def test_opposites_hold_where_the_condition_does_not(operator: Operator) -> None:
    condition = compare("glucose", operator, None if operator.tests_missing else 100.0)
    for value in (99.0, 100.0, 101.0):
        row = {"glucose": value}
        assert holds(condition, [row], PATIENT) is not holds(opposite(condition), [row], PATIENT)
    assert opposite(opposite(condition)) == condition


def test_the_opposite_of_a_set_is_what_it_leaves_out() -> None:
    schema = Schema([Feature("unit", Kind.CATEGORICAL, categories=("icu", "ward", "home"))], ["go"])
    condition = compare("unit", "in", ("icu", "ward"))
    assert opposite(condition) == compare("unit", "not in", ("icu", "ward"))
    for unit in ("icu", "ward", "home"):
        row = {"unit": unit}
        assert holds(condition, [row], schema) is not holds(opposite(condition), [row], schema)
