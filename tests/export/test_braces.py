"""What JavaScript and C share: questions, scaled values, and features that are constant or have no end."""

import math

import pytest

from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from exporting import ways

from exported import WAYS  # isort: skip

BOTH = ways(["JavaScript in node", "C, compiled"])


def compared(x: Feature, right: Term) -> RuleSet:
    schema = Schema([x, Feature("y", low=0, high=1)], ["a", "b"])
    return RuleSet([Rule([Condition(Term("x"), "<", right)], "a")], "b", schema)


@pytest.mark.parametrize("way", BOTH)
def test_an_infinite_value_of_a_constant_feature_is_scaled_to_zero(way: str) -> None:
    ruleset = compared(Feature("x", low=4, high=4, scaled=True), Term("y"))
    table: dict[str, list[float | None]] = {"x": [math.inf, 4.0, None], "y": [1.0, 1.0, 1.0]}
    assert WAYS[way].run(ruleset, table) == ["a", "a", "b"]


@pytest.mark.parametrize("way", BOTH)
def test_a_range_that_is_too_wide_for_doubles_is_infinite(way: str) -> None:
    ruleset = compared(Feature("x", low=-1e308, high=1e308, scaled=True), Term("y"))
    assert WAYS[way].run(ruleset, {"x": [0.0, 1e308, math.inf], "y": [0.5, 0.5, 1.0]}) == ["a", "b", "b"]


@pytest.mark.parametrize("way", BOTH)
def test_long_questions_are_broken_into_lines(way: str) -> None:
    names = [f"a rather long name of a feature, number {place}" for place in range(4)]
    rule = Rule([Condition(Term(name), ">", 1.0) for name in names], "yes")
    ruleset = RuleSet([rule], "no", Schema([Feature(name) for name in names], ["yes", "no"]))
    assert WAYS[way].run(ruleset, {name: [2.0, 1.0] for name in names}) == ["yes", "no"]


@pytest.mark.parametrize("way", BOTH)
def test_a_sum_rounds_its_product_first(way: str) -> None:
    """Fused, 0.1*y would not be rounded, and the sum of the last row would be less than 0."""
    ruleset = parse("x - 0.1*y >= 0 -> more; Default -> less")
    assert WAYS[way].run(ruleset, {"x": [1.0, None, 1.0], "y": [10.0, 10.0, 10.000000000000002]}) == [
        "more",
        "less",
        "less",
    ]
