"""The meaning of conditions and rule sets: the decided cases one by one, and the laws between them."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.condition import COMPARISONS, SET_OPERATORS
from evoter.rules.errors import SchemaError
from evoter.rules.forms.registry import form_of
from evoter.rules.forms.sum import SumForm
from evoter.rules.interpreter import (
    Decision,
    decide,
    decide_now,
    decide_series,
    decide_table,
    evaluate,
    holds,
    is_active,
    polls,
)
from evoter.rules.model import Condition, Constant, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from strategies import Row, conditions, conditions_of, rows, rulesets, schemas

SCHEMA = Schema(
    [
        Feature("x"),
        Feature("y", low=0, high=10, scaled=True),
        Feature("flat", low=5, high=5, scaled=True),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic"), missing=True),
        Feature("anaemia", Kind.BOOLEAN, missing=True),
    ],
    actions=["Left", "Right", "Stay"],
    max_lag=2,
)


def condition_on(left: str | Term, operator: str, right: Term | Constant | None = None) -> Condition:
    return Condition(left if isinstance(left, Term) else Term(left), Operator(operator), right)


def check(left: str | Term, operator: str, right: Term | Constant | None = None, /, **row: Any) -> bool:
    return holds(condition_on(left, operator, right), [row], SCHEMA)


def series(schema: Schema) -> st.SearchStrategy[list[Row]]:
    return st.lists(rows(schema), max_size=6)


@pytest.mark.parametrize(
    ("operator", "below", "equal", "above"),
    [
        ("=", False, True, False),
        ("!=", True, False, True),
        ("<", True, False, False),
        ("<=", True, True, False),
        (">", False, False, True),
        (">=", False, True, True),
    ],
)
def test_the_six_operators(operator: str, below: bool, equal: bool, above: bool) -> None:
    assert [check("x", operator, 2, x=x) for x in (1.5, 2, 2.5)] == [below, equal, above]


@pytest.mark.parametrize("operator", COMPARISONS)
@pytest.mark.parametrize("missing", [None, math.nan, np.nan, np.float32("nan"), pd.NA, pd.NaT])
def test_a_missing_value_makes_every_comparison_false(operator: str, missing: Any) -> None:
    assert not check("x", operator, 0, x=missing)
    assert not check("x", operator, Term("y"), x=missing, y=1)
    assert not check("y", operator, Term("x"), x=missing, y=1)
    assert not check("x", operator, Term("x"), x=missing)
    if operator in ("=", "!="):
        assert not check("race", operator, "Asian", race=missing)
        assert not check("anaemia", operator, True, anaemia=missing)


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
def test_tests_for_missing(missing: Any) -> None:
    for name, present in [("x", 0.0), ("race", "Martian"), ("anaemia", False)]:
        assert check(name, "is missing", **{name: missing})
        assert not check(name, "is present", **{name: missing})
        assert not check(name, "is missing", **{name: present})
        assert check(name, "is present", **{name: present})


def test_an_unknown_category_equals_none_and_differs_from_all() -> None:
    assert not check("race", "=", "Asian", race="Martian")
    assert check("race", "!=", "Asian", race="Martian")


def test_lags_look_back_and_too_little_history_is_false() -> None:
    history: list[Row] = [{"x": 1.0}, {"x": 2.0}, {"x": None}, {"x": 4.0}]
    assert [evaluate(condition_on(Term("x", lag=lag), "<", 9), history, SCHEMA) for lag in range(4)] == [
        (4.0, 9.0), (None, 9.0), (2.0, 9.0), (1.0, 9.0)
    ]  # fmt: skip
    for operator in ("<", "is missing", "is present"):
        late = condition_on(Term("x", lag=2), operator, 9 if operator == "<" else None)
        assert not holds(late, [{"x": 1.0}, {"x": 1.0}], SCHEMA)
        assert not holds(late, [], SCHEMA)


def test_terms_are_scaled_then_raised_then_multiplied() -> None:
    condition = condition_on(Term("x", 0.5, power=3), "<", Term("y", 0.25, power=2))
    assert evaluate(condition, [{"x": 2, "y": 5}], SCHEMA) == (4.0, 0.0625)
    against_constant = condition_on(Term("y", 0.25, power=2), "<", 7)
    assert evaluate(against_constant, [{"y": 4}], SCHEMA) == (4.0, 7.0)


def test_a_scaled_feature_of_one_value_reads_as_zero() -> None:
    for value in (5, 6, math.inf):
        assert evaluate(condition_on(Term("flat"), "=", Term("x")), [{"flat": value, "x": 0}], SCHEMA) == (0.0, 0.0)
    assert evaluate(condition_on(Term("flat"), "=", 5), [{"flat": 5}], SCHEMA) == (5.0, 5.0)


def test_cubes_are_multiplied_out() -> None:
    x = 0.3
    assert x * x * x != x**3
    assert evaluate(condition_on(Term("x", power=3), "=", 0), [{"x": x}], SCHEMA) == (x * x * x, 0.0)
    assert check(Term("x", power=3), ">", 1e308, x=1e300), "overflows to infinity instead of raising an error"


@pytest.mark.parametrize("operator", COMPARISONS)
def test_a_nan_that_arises_in_arithmetic_makes_the_condition_false(operator: str) -> None:
    assert not check(Term("x", 0.0), operator, 0, x=math.inf)
    assert not check("x", operator, Term("x", 0.0), x=-math.inf)


def test_infinities_are_ordinary_values() -> None:
    assert check("x", ">", 1e308, x=math.inf)
    assert check("x", "=", Term("y"), x=math.inf, y=math.inf)
    assert not check("x", "!=", Term("y"), x=math.inf, y=math.inf)


def test_a_bad_row_is_refused_whatever_stands_beside_it() -> None:
    rule = Rule(
        (
            condition_on(Term("x"), "<", 0),
            condition_on(Term("y", lag=2), "<", 0),
        ),
        "Left",
    )
    ruleset = RuleSet((rule,), "Right", SCHEMA)
    assert decide(ruleset, {"x": 1, "y": 1}).by_default
    with pytest.raises(SchemaError, match="'y'"):
        decide(ruleset, {"x": 1})
    with pytest.raises(SchemaError, match=r"^rows\[1\]: .*'y'.* str 'high'"):
        decide_table(ruleset, [{"x": 1, "y": 1}, {"x": 1, "y": "high"}])
    with pytest.raises(SchemaError, match=r"^rows\[0\]: .*'x'"):
        decide_series(ruleset, [{"y": 1}])


def poll_example(mode: Mode) -> tuple[RuleSet, Decision]:
    def rule(limit: float, action: str, certainty: float) -> Rule:
        return Rule((condition_on(Term("x"), "<", limit),), action, certainty)

    rules = [
        rule(1, "Left", 0.4),
        rule(0, "Stay", 1.0),
        rule(1, "Right", 0.75),
        rule(1, "Left", 1.0),
        rule(1, "Right", 0.65),
    ]
    ruleset = RuleSet(tuple(rules), "Stay", SCHEMA, 0.3, mode)
    return ruleset, decide(ruleset, {"x": 0.5})


def test_the_four_modes() -> None:
    active = (0, 2, 3, 4)
    assert poll_example(Mode.FIRST)[1] == Decision(("Left",), 0.4, active, (0,))
    assert poll_example(Mode.HARDMAX)[1] == Decision(("Left",), 1.0, active, (3,))
    assert poll_example(Mode.ALL)[1] == Decision(("Left", "Right", "Left", "Right"), 0.4, active, active)
    ruleset, decision = poll_example(Mode.VOTE)
    assert decision == Decision(("Left",), 0.7, active, (0, 3)), "a tie of 0.7 to 0.7 goes to the earlier voter"
    assert polls(ruleset, decision) == {"Left": 0.7, "Right": 0.7, "Stay": 0.0}
    default = decide(ruleset, {"x": 2})
    assert default == Decision(("Stay",), 0.3, (), ())
    assert default.by_default
    assert polls(ruleset, default) == {"Left": 0.0, "Right": 0.0, "Stay": 0.3}


def test_equal_certainties_go_to_the_earlier_rule() -> None:
    rules = [Rule((condition_on(Term("x"), ">", 0),), action, 0.5) for action in ("Right", "Left")]
    assert decide(RuleSet(tuple(rules), "Stay", SCHEMA, mode=Mode.HARDMAX), {"x": 1}).deciding == (0,)


def test_a_series_counts_and_looks_back() -> None:
    rising = Rule((condition_on(Term("x"), ">", Term("x", lag=1)),), "Right")
    high = Rule((condition_on(Term("x"), ">", 2),), "Left")
    verdict = decide_series(RuleSet((rising, high), "Stay", SCHEMA), [{"x": x} for x in (3, 1, 2, 4, 3)])
    assert verdict.actions == ("Left", "Stay", "Right", "Right", "Left")
    assert verdict.times_applied == (2, 3)
    assert verdict.times_decided == (2, 2)
    assert verdict.default_applied == 1


@given(st.data())
def test_exactly_one_of_less_equal_greater_holds_where_no_value_is_missing(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    others = conditions(schema).filter(lambda each: each.operator not in SET_OPERATORS and not form_of(each).adds)
    condition = data.draw(others)
    history = data.draw(st.lists(rows(schema), min_size=schema.max_lag + 1, max_size=schema.max_lag + 1))
    sides = evaluate(condition, history, schema)
    assert sides is not None
    true = {op: holds(Condition(condition.left, op, condition.right), history, schema) for op in COMPARISONS
            if not condition.operator.tests_missing}  # fmt: skip
    if not true:
        assert holds(condition, history, schema) == ((sides[0] is None) == (condition.operator is Operator.IS_MISSING))
    elif None in sides or any(side != side for side in sides):
        assert not any(true.values())
    else:
        assert [true[op] for op in (Operator.LT, Operator.EQ, Operator.GT)].count(True) == 1
        assert true[Operator.NE] == (not true[Operator.EQ]) == (true[Operator.LT] or true[Operator.GT])
        assert true[Operator.LE] == (true[Operator.LT] or true[Operator.EQ]) == (not true[Operator.GT])
        assert true[Operator.GE] == (true[Operator.GT] or true[Operator.EQ]) == (not true[Operator.LT])


@given(st.data())
def test_of_a_sum_exactly_one_of_two_opposite_orders_holds_where_no_value_is_missing(data: st.DataObject) -> None:
    schema = data.draw(schemas().filter(lambda schema: not conditions_of(SumForm(), schema).is_empty))
    condition = data.draw(conditions_of(SumForm(), schema))
    history = data.draw(st.lists(rows(schema), min_size=schema.max_lag + 1, max_size=schema.max_lag + 1))
    sides = evaluate(condition, history, schema)
    assert sides is not None
    true = {op: holds(Condition(condition.left, op, condition.right), history, schema) for op in ("<", "<=", ">", ">=")}
    if None in sides or any(side != side for side in sides):
        assert not any(true.values())
        return
    assert true["<"] != true[">="]
    assert true["<="] != true[">"]
    assert (true["<="] and true[">="]) == (sides[0] == sides[1])
    assert not (true["<"] and true[">"])


@given(st.data())
def test_what_every_decision_satisfies(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    history = data.draw(st.lists(rows(ruleset.schema), min_size=1, max_size=4))
    by_mode = {mode: decide_now(ruleset.replace(mode=mode), history) for mode in Mode}
    rules = ruleset.rules
    expected = tuple(i for i, rule in enumerate(rules) if is_active(rule, history, ruleset.schema))
    for decision in by_mode.values():
        assert decision.active == expected
        assert set(decision.deciding) <= set(decision.active)
        assert decision.by_default == (not decision.active) == (not decision.deciding)
        assert decision.action == (rules[decision.deciding[0]].action if expected else ruleset.default)
    if expected:
        assert by_mode[Mode.FIRST].deciding == expected[:1]
        assert by_mode[Mode.HARDMAX].certainty == max(rules[i].certainty for i in expected)
        assert by_mode[Mode.ALL].deciding == expected
        vote = by_mode[Mode.VOTE]
        assert vote.certainty == max(polls(ruleset, vote).values()) == polls(ruleset, vote)[vote.action]
        assert vote.deciding == tuple(i for i in expected if rules[i].action == vote.action)


@given(st.data())
def test_the_future_does_not_change_the_past_and_old_rows_do_not_matter(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    points = data.draw(series(ruleset.schema))
    verdict = decide_series(ruleset, points)
    cut = data.draw(st.integers(0, len(points)))
    assert decide_series(ruleset, points[:cut]).decisions == verdict.decisions[:cut]
    for now, decision in enumerate(verdict.decisions):
        assert decision == decide_now(ruleset, points[: now + 1])


@given(st.data())
def test_counts_are_counts(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    points = data.draw(series(ruleset.schema))
    for verdict in (decide_series(ruleset, points), decide_table(ruleset, iter(points))):
        assert len(verdict.decisions) == len(points)
        assert sum(verdict.times_applied) == sum(len(decision.active) for decision in verdict.decisions)
        assert sum(verdict.times_decided) == sum(len(decision.deciding) for decision in verdict.decisions)
        assert all(d <= a for d, a in zip(verdict.times_decided, verdict.times_applied, strict=True))
        if ruleset.mode in (Mode.FIRST, Mode.HARDMAX):
            assert sum(verdict.times_decided) + verdict.default_applied == len(points)


@given(st.data())
def test_without_lags_a_series_is_a_table(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    ruleset = data.draw(rulesets(Schema(schema.features, schema.actions, max_lag=0)))
    points = data.draw(series(ruleset.schema))
    assert decide_series(ruleset, points) == decide_table(ruleset, points)


@given(st.data())
def test_features_that_no_rule_reads_do_not_matter(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    row = data.draw(rows(ruleset.schema))
    needed = {name: value for name, value in row.items() if name in ruleset.features_used}
    assert decide(ruleset, row) == decide(ruleset, needed) == decide(ruleset.restricted(), needed)


@given(st.data())
def test_numpy_scalars_decide_as_python_values_do(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    row = data.draw(rows(ruleset.schema))
    scalars: dict[str, Any] = {
        name: np.asarray(value)[()] if isinstance(value, float | bool) else value for name, value in row.items()
    }
    assert decide(ruleset, scalars) == decide(ruleset, row)
