"""Numeric actions: read, printed, written to files, simplified and predicted without a change of meaning."""

import json
import math
from random import Random
from typing import get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_histories, random_ruleset
from evoter import RuleError, RuleFileError, RuleSyntaxError, SchemaError, dumps, edit, estimate, explain, loads, parse
from evoter.proofs import equivalent, monotone
from evoter.rules.json_codec import json_schema
from evoter.rules.model import Condition, Format, Rule, RuleSet, Term
from evoter.rules.numbers.actions import NumericAction, read_action
from evoter.rules.numbers.residuals import Residuals
from evoter.rules.parser import parse_rule
from evoter.rules.schema import Feature, Kind, Schema, Target
from evoter.rules.simplify import simplify
from exporting import without_lags
from laws import examples
from numeric_rules import with_numbers

SEEDS = st.integers(0, 2**32)
LOSSLESS: tuple[Format, ...] = ("compact", "aligned", "unicode")
SCHEMA = Schema(
    [Feature("age"), Feature("sex", Kind.CATEGORICAL, categories=("f", "m"))], target=Target("weight", "kg")
)


def numeric_ruleset(seed: int) -> RuleSet:
    rng = Random(seed)
    return with_numbers(without_lags(random_ruleset(rng)), rng)


@examples(500)
@given(SEEDS)
def test_what_is_printed_is_read_back(seed: int) -> None:
    rules = numeric_ruleset(seed)
    for form in LOSSLESS:
        assert parse(rules.to_text(form)) == rules
    assert loads(dumps(rules)) == rules
    jsonschema.validate(json.loads(dumps(rules)), json_schema())
    for form in get_args(Format):
        assert rules.to_text(form)


@examples(300)
@given(SEEDS)
def test_simplification_changes_no_number(seed: int) -> None:
    rules = numeric_ruleset(seed)
    simple = simplify(rules)
    assert simple.n_conditions <= rules.n_conditions
    conditions = [condition for rule in rules.rules for condition in rule.conditions]
    for history in random_histories(Random(seed), conditions, rules.schema, 20):
        before, after = (estimate(each, history[-1]) for each in (rules, simple))
        assert before == after or (math.isnan(before) and math.isnan(after))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0.01, 1e9), st.booleans(), st.text(min_size=1))
def test_actions_are_their_text(constant: float, size: float, negative: bool, name: str) -> None:
    name = name.strip() or "x"
    try:
        Feature(name)
    except SchemaError:
        return
    for action in (NumericAction(constant), NumericAction(constant, -size if negative else size, name)):
        assert read_action(action.text) == action


def test_equal_numbers_merge_and_unequal_ones_do_not() -> None:
    rules = parse("x > 3 -> 12.50; x > 1 -> 12.5; Default -> 3.5")
    assert str(simplify(rules)).startswith("1. x > 1 -> 12.5\n2. Default -> 3.5")
    assert equivalent(rules, simplify(rules)).proved
    assert not equivalent(rules, rules.replace(default=3.25)).proved


def test_linear_terms_count_and_are_read() -> None:
    rules = parse("x > 3 -> 12 - y; Default -> 8.5 + 0.5*x")
    assert (rules.n_conditions, rules.features_used) == (3, ("x", "y"))
    assert [estimate(rules, row) for row in ({"x": 4, "y": 2}, {"x": 1, "y": None})] == [10.0, 9.0]
    assert math.isnan(estimate(rules, {"x": 4, "y": None}))
    assert rules.restricted().schema.names == ("x", "y")


def test_numbers_may_be_given_as_numbers() -> None:
    rules = RuleSet([Rule([Condition(Term("age"), ">", 50)], 12.0)], -0.0, SCHEMA)
    assert (rules.rules[0].action, rules.default, rules.schema.actions) == ("12", "0", ("12", "0"))
    assert rules.diff(rules.replace(default=3)) == "the default: 0 kg becomes 3 kg"
    edited = edit(rules).replace(1, "age > 60 -> 13.5 kg").ruleset
    assert edited.rules[0].action == "13.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age > 1 -> high", "expected a number such as 12.5 or 12 .* because actions are numeric, got 'high'"),
        ("age > 1 -> 0.5*12", "numbers have no certainty"),
        ("age > 1 -> 12 lb", "the target has the unit 'kg', not 'lb'"),
        ("age > 1 -> 12 + 0.3*agge", "unknown feature 'agge'; did you mean 'age'"),
        ("age > 1 -> 12 + 3", "adds a multiple of a feature to a number"),
        ("age > 1 -> 12 + 0*age", "a coefficient of 0 has no effect"),
        ("age > 1 -> 12 + age^2", "leave out its power or lag"),
    ],
)
def test_what_is_no_number_is_refused_where_it_stands(text: str, message: str) -> None:
    with pytest.raises(RuleSyntaxError, match=message):
        parse_rule(text, SCHEMA)


def test_names_are_not_taken_for_numbers() -> None:
    assert parse("x > 3 -> 12; Default -> 5").schema.target is None
    with pytest.raises(RuleSyntaxError, match="where actions are numbers, declare 'actions: numeric'"):
        parse("x > 3 -> 0.8 sepsis; Default -> well")
    named = parse('x > 3 -> "numeric"; Default -> "numeric kg"')
    assert parse(str(named)) == named
    assert named.schema.target is None


def test_rule_sets_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SchemaError, match="use mode first, not hardmax"):
        RuleSet([], 1.0, SCHEMA, mode="hardmax")
    with pytest.raises(SchemaError, match=r"numbers have no certainty: leave out 0\.5"):
        RuleSet([], 1.0, SCHEMA, default_certainty=0.5)
    with pytest.raises(SchemaError, match="a linear term needs a numeric feature, and 'sex' is categorical"):
        RuleSet([], "1 + 2*sex", SCHEMA)
    with pytest.raises(SchemaError, match="the default: 'low' is no numeric action"):
        RuleSet([], "low", SCHEMA)
    missing = Schema([Feature("age", missing=True)], target=Target())
    with pytest.raises(SchemaError, match="'age' may be missing, and then 1 \\+ age has no value: add the condition"):
        RuleSet([Rule([Condition(Term("age"), "is missing")], "1 + age")], 1.0, missing)
    with pytest.raises(SchemaError, match="give a constant"):
        RuleSet([], "1 + age", missing)
    assert RuleSet([Rule([Condition(Term("age"), ">", 2)], "1 + age")], 1.0, missing).n_conditions == 2
    with pytest.raises(RuleError, match="only rules whose actions are numbers predict numbers"):
        estimate(parse("x > 1 -> a; Default -> b"), {"x": 2})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"default": {"action": "12"}}, "default.action: must be a number, or an object"),
        ({"default": {"action": True}}, "default.action: must be a number, or an object"),
        ({"default": {"action": 1, "certainty": 0.5}}, "certainty"),
        ({"mode": "vote"}, "use mode first"),
        ({"default": {"action": {"constant": 1, "coefficient": 2, "feature": "agge"}}}, "unknown feature 'agge'"),
        ({"default": {"action": {"constant": 1, "coefficient": 0, "feature": "age"}}}, "coefficient that is not 0"),
    ],
)
def test_files_with_other_numbers_are_refused(change: dict[str, object], message: str) -> None:
    tree = json.loads(dumps(RuleSet([], 12.5, SCHEMA)))
    with pytest.raises(RuleFileError, match=message):
        loads(json.dumps(tree | change))
    if "agge" not in message:  # names are not a matter of the schema
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tree | change, json_schema())


def test_explanations_tell_the_number_and_its_interval() -> None:
    rules = parse("age > 50 -> 12 kg + 0.5*age; Default -> 8 kg; where age: numeric [0..99] years; actions: numeric kg")
    rules = rules.replace(residuals=[Residuals(40, 3.0, 4.5, 1.2), Residuals(0, 2.0, 2.0, 0.0)])
    assert loads(dumps(rules)).residuals == rules.residuals
    assert parse(str(rules)) == rules
    found = explain(rules, {"age": 60})
    assert (found.number, found.interval) == (42.0, (39.0, 46.5))
    assert str(found).splitlines() == [
        "rule 1 decided: 12 kg + 0.5*age = 42 kg (age 60 years)",
        "  age > 50 years   (60 years)",
        "90% interval 39 kg to 46.5 kg: rule 1 was on average 1.2 kg off on 40 training rows",
    ]
    assert str(explain(rules, {"age": 20})).endswith("the default was of no training row")
    assert rules.replace(default=9.0).residuals == ()


def test_constants_can_be_proved_monotone_and_linear_terms_cannot() -> None:
    rules = parse("x > 3 -> 12.5; x > 1 -> 7; Default -> 3.25")
    assert monotone(rules, "x").proved
    assert monotone(rules.replace(default=9.5), "x").refuted
    with pytest.raises(RuleError, match="only constants can be proved monotone"):
        monotone(rules.replace(default="1 + x"), "x")
    with pytest.raises(RuleError, match="numbers have an order of their own"):
        monotone(rules, "x", order=["3.25", "7", "12.5"])
