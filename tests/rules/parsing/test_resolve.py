"""Tests of what names mean, above all where no schema says it."""

import pytest
from hypothesis import given

from evoter.rules.model import Condition, Operator, RuleSet, Term
from evoter.rules.parser import parse, parse_condition
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_ruleset
from laws import examples
from strategies import rulesets


def features(text: str) -> list[Feature]:
    return list(parse(text + " -> A; Default -> B").schema.features)


def test_features_and_actions_come_in_order_of_appearance() -> None:
    schema = parse("b < 2*a -> Z; a > 1 AND c[4] = 1 -> Y; d^2 < e[2] -> Z; Default -> X").schema
    assert schema == Schema([Feature(name) for name in "bacde"], ["Z", "Y", "X"], max_lag=4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = red AND x != dark red AND x = red", [Feature("x", Kind.CATEGORICAL, categories=("red", "dark red"))]),
        ("x = y AND y < 3", [Feature("x"), Feature("y")]),
        ("x = y AND z < y", [Feature("x"), Feature("y"), Feature("z")]),
        ("x = y AND z = 2*y", [Feature("x"), Feature("y"), Feature("z")]),
        ("x = y AND z = y[0]", [Feature("x"), Feature("y"), Feature("z")]),
        ("x < y", [Feature("x"), Feature("y")]),
        ("x = true AND y != FALSE", [Feature("x", Kind.BOOLEAN), Feature("y", Kind.BOOLEAN)]),
        ("x = true AND x = maybe", [Feature("x", Kind.CATEGORICAL, categories=("true", "maybe"))]),
        ('x = "true"', [Feature("x", Kind.CATEGORICAL, categories=("true",))]),
        ("x = yes", [Feature("x", Kind.CATEGORICAL, categories=("yes",))]),
        ("x is missing AND y is present", [Feature("x", missing=True), Feature("y", missing=True)]),
        ("x < 3cm [0..] AND x > 1 AND y < 5 [-1..1]", [Feature("x", low=0, unit="cm"), Feature("y", low=-1, high=1)]),
    ],
)
def test_features_are_built_from_the_text(text: str, expected: list[Feature]) -> None:
    assert features(text) == expected


def test_a_where_block_may_leave_features_lags_or_actions_to_the_text() -> None:
    ruleset = parse("x[2] < 1 -> A; Default -> B\nwhere\n decide: hardmax")
    assert ruleset.schema == Schema([Feature("x")], ["A", "B"], max_lag=2)
    ruleset = parse("x[2] < 1 -> A; Default -> B\nwhere\n x: numeric [0..1]")
    assert ruleset.schema == Schema([Feature("x", low=0, high=1)], ["A", "B"], max_lag=2)


SCHEMA = Schema(
    [
        Feature("x"),
        Feature("y"),
        Feature("c", Kind.CATEGORICAL, categories=("y", "true", "5")),
        Feature("b", Kind.BOOLEAN),
    ],
    ["A"],
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("x = y", Term("y")),
        ("c = y", "y"),
        ("c = true", "true"),
        ('c = "5"', "5"),
        ("b = Yes", True),
        ("b != no", False),
    ],
)
def test_a_word_means_what_the_schema_says(text: str, right: Term | str | bool) -> None:
    condition = parse_condition(text, SCHEMA)
    assert condition == Condition(Term(text[0]), Operator.NE if "!" in text else Operator.EQ, right)


@examples(40)
@given(ruleset=rulesets())
def test_text_that_declares_its_schema_may_be_given_the_same_schema(ruleset: RuleSet) -> None:
    assert parse(print_ruleset(ruleset), ruleset.schema, mode=ruleset.mode) == ruleset


def test_a_larger_schema_may_be_given() -> None:
    text = print_ruleset(parse("x < 5 -> A; Default -> B"))
    larger = Schema([Feature("w"), Feature("x")], ["A", "B"])
    assert parse(text, larger).schema == larger
