"""Rules and rule sets: only what makes sense can be made, and nothing made can be changed."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.interpreter import decide
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from samples import RULESET
from strategies import rows, rulesets

SCHEMA = Schema(
    [
        Feature("x", low=0, high=9, scaled=True),
        Feature("y", low=0, high=9, scaled=True),
        Feature("z", low=0, high=9, scaled=True),
        Feature("unread"),
        Feature("sort", Kind.CATEGORICAL, categories=("red", "blue")),
        Feature("wild", Kind.BOOLEAN),
    ],
    actions=["go", "stay"],
    max_lag=1,
)


CONDITION = Condition(Term("x"), "<", 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"conditions": []}, "a rule needs at least one condition; action 'go' without any is a default"),
        ({"certainty": 0}, "rule for 'go': the certainty must be above 0 and at most 1, not 0"),
        ({"certainty": 1.01}, "the certainty must be above 0 and at most 1, not 1.01"),
        ({"certainty": float("nan")}, "not nan"),
        ({"name": " x"}, "a rule's name: a name must not"),
    ],
)
def test_rules_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError) as caught:
        Rule(**({"conditions": [CONDITION], "action": "go"} | options))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"default": "stop"}, "the default: unknown action 'stop'; known: 'go', 'stay'"),
        ({"rules": [Rule([CONDITION], "goo")]}, "rule 1: unknown action 'goo'; did you mean 'go'?"),
        ({"default_certainty": 2}, "the default: the certainty must be above 0"),
        ({"rules": [Rule([Condition(Term("w"), "<", 3)], "go")]}, "rule 1: unknown feature 'w'"),
        ({"rules": [Rule([Condition(Term("x", lag=2), "<", 3)], "go")]}, "'x': lag 2 is beyond the schema's max_lag 1"),
        (
            {"rules": [Rule([Condition(Term("x"), "<", "red")], "go")]},
            "'x' is numeric and cannot be compared with 'red'",
        ),
        ({"rules": [Rule([Condition(Term("x"), "<", True)], "go")]}, "'x' is numeric and cannot be compared with True"),
        (
            {"rules": [Rule([Condition(Term("x"), "<", Term("sort"))], "go")]},
            "'x' is numeric and cannot be compared with 'sort', which is categorical",
        ),
        (
            {"rules": [Rule([Condition(Term("sort"), "=", "rad")], "go")]},
            "'sort' has no category 'rad'; did you mean 'red'?",
        ),
        ({"rules": [Rule([Condition(Term("sort"), "=", 1)], "go")]}, "compare it with one of its categories, not 1.0"),
        ({"rules": [Rule([Condition(Term("sort"), "<", "red")], "go")]}, "is categorical: only = and != apply, not <"),
        (
            {"rules": [Rule([Condition(Term("wild"), "=", 1)], "go")]},
            "is boolean: compare it with true or false, not 1.0",
        ),
        ({"rules": [Rule([Condition(Term("wild"), ">", True)], "go")]}, "is boolean: only = and != apply, not >"),
        (
            {"rules": [Rule([Condition(Term("sort", 2), "=", "red")], "go")]},
            "a coefficient or power fits comparisons of",
        ),
        (
            {"rules": [Rule([Condition(Term("x", 2), "is missing")], "go")]},
            "a coefficient or power fits comparisons of",
        ),
    ],
)
def test_rule_sets_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError) as caught:
        RuleSet(**({"rules": [Rule([CONDITION], "go")], "default": "stay", "schema": SCHEMA} | options))
    assert message in str(caught.value)


def test_the_number_of_the_faulty_rule_is_named() -> None:
    with pytest.raises(SchemaError, match=r"^rule 2: 'x': lag 2 is beyond"):
        RuleSet([Rule([CONDITION], "go"), Rule([Condition(Term("x", lag=2), "<", 3)], "go")], "stay", SCHEMA)


def test_an_unknown_mode_is_refused() -> None:
    assert RuleSet([], "go", SCHEMA, mode="vote").mode is Mode.VOTE
    with pytest.raises(ValueError, match="'last' is not a valid Mode"):
        RuleSet([], "go", SCHEMA, mode="last")


def test_nothing_can_be_changed() -> None:
    rule = RULESET.rules[0]
    for value, name in ((RULESET, "default"), (rule, "action"), (rule.conditions[0], "right"), (Term("x"), "lag")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


@examples(50)
@given(rulesets())
def test_rule_sets_are_values(ruleset: RuleSet) -> None:
    same = pickle.loads(pickle.dumps(ruleset))  # noqa: S301 (our own bytes)
    assert same == ruleset
    assert hash(same) == hash(ruleset)
    assert copy.deepcopy(ruleset) == ruleset.replace() == ruleset
    again = [Rule(iter(rule.conditions), rule.action, rule.certainty, rule.name, rule.pinned) for rule in ruleset.rules]
    assert ruleset.replace(rules=iter(again)) == ruleset
    assert all(replace(rule) == rule for rule in ruleset.rules)
    assert all(replace(condition) == condition for rule in ruleset.rules for condition in rule.conditions)


def test_a_changed_copy_is_checked_again() -> None:
    assert RULESET.replace(default="Left").default == "Left"
    with pytest.raises(SchemaError, match="the default: unknown action 'Up'"):
        RULESET.replace(default="Up")
    with pytest.raises(SchemaError, match="rule 1: unknown feature"):
        RULESET.replace(schema=Schema([Feature("x")], RULESET.schema.actions))


def test_complexity_counts_the_conditions_of_all_rules() -> None:
    assert RULESET.n_conditions == 6
    assert RuleSet([], "go", SCHEMA).n_conditions == 0


def test_features_used_come_in_the_order_of_the_schema() -> None:
    rules = [Rule([Condition(Term("z"), "<", 3), Condition(Term("wild"), "=", True)], "go"), Rule([CONDITION], "go")]
    assert RuleSet(rules, "go", SCHEMA).features_used == ("x", "z", "wild")


def test_a_restricted_schema_lists_what_is_read_and_scales_what_is_compared() -> None:
    rules = [
        Rule([CONDITION, Condition(Term("z"), "<", 4)], "go"),
        Rule([Condition(Term("x"), "<", Term("y")), Condition(Term("wild"), "=", True)], "stay"),
    ]
    restricted = RuleSet(rules, "stay", SCHEMA).restricted()
    features = [(feature.name, feature.scaled) for feature in restricted.schema.features]
    assert features == [("x", True), ("y", True), ("z", False), ("wild", False)]
    assert restricted.rules == tuple(rules)
    assert (restricted.schema.actions, restricted.schema.max_lag) == (SCHEMA.actions, SCHEMA.max_lag)
    assert RuleSet([], "go", SCHEMA).restricted().schema.features == ()


@examples(200)
@given(st.data())
def test_a_restricted_rule_set_decides_the_same(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    restricted = ruleset.restricted()
    row = data.draw(rows(ruleset.schema))
    assert decide(restricted, row) == decide(ruleset, row)
    assert restricted.restricted() == restricted
    assert restricted.schema.names == ruleset.features_used


def test_text_reads_back() -> None:
    assert parse(str(RULESET)) == RULESET
    assert RULESET.to_text("compact") == str(RULESET)
    assert "<" in RULESET._repr_html_()
