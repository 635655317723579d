"""What follows from several conditions together: bounds that travel, orders that chain."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import compare, random_condition, random_histories, random_schema
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Feature, Schema
from laws import examples

SCHEMA = Schema(
    [
        *(Feature(name, low=0, high=9) for name in "xyz"),
        Feature("age", low=18, high=95),
        Feature("free"),
        Feature("gap", low=0, high=9, missing=True),
    ],
    actions=["go"],
    max_lag=1,
)


def relate(left: str | Term, operator: str, right: str | float | Term) -> Condition:
    return compare(left, operator, Term(right) if isinstance(right, str) else right)


@pytest.mark.parametrize(
    ("known", "conclusion"),
    [
        ([relate("x", "<", "y"), relate("y", "<", 3.0)], relate("x", "<", 3.0)),
        ([relate("x", "<", "y"), relate("x", ">=", 3.0)], relate("y", ">", 3.0)),
        ([relate("x", "=", "y"), relate("x", "=", 3.0)], relate("y", "=", 3.0)),
        ([relate("x", "!=", "y"), relate("x", "=", 0.0)], relate("y", ">", 0.0)),
        ([relate("x", "<", "y"), relate("y", "<=", "z")], relate("x", "<", "z")),
        ([relate("x", "<=", "y"), relate("y", "<=", "x")], relate("x", "=", "y")),
        ([relate("x", "=", "y"), relate("y", "=", "z")], relate("z", "=", "x")),
        ([relate("x", "<=", "y"), relate("x", "!=", "y")], relate("y", ">", "x")),
        ([relate("x", "<", "y")], relate("y", ">", "x")),
        ([relate("x", "<", "y")], relate("x", "!=", "y")),
        ([relate("x", ">", 6.0), relate("y", "<", 2.0)], relate(Term("x", 0.5), ">", "y")),
        ([relate("x", "<=", 1.0)], relate(Term("x", power=2), "<=", "x")),
        ([relate(Term("x", -0.5), ">", Term("y", -0.3))], relate(Term("x", 0.4), "<", Term("y", 0.3))),
        ([relate(Term("x", 0.5, 2), "<", Term("y", 0.5))], relate(Term("x", 0.3, 2), "<", Term("y", 0.6))),
        ([relate("gap", ">", 3.0)], Condition(Term("gap"), Operator.IS_PRESENT)),
        ([relate("gap", "<", "y")], Condition(Term("gap"), Operator.IS_PRESENT)),
        ([relate(Term("x", lag=1), "<", "y")], Condition(Term("x", lag=1), Operator.IS_PRESENT)),
        ([relate(Term("free", 0.0), "<=", "x")], relate("free", "<=", 1.7976931348623157e308)),
        ([], relate("x", "<", "age")),
    ],
)
def test_what_follows(known: list[Condition], conclusion: Condition) -> None:
    facts = Facts(known, SCHEMA)
    assert not facts.impossible
    assert facts.entail(conclusion)


@pytest.mark.parametrize(
    ("known", "conclusion"),
    [
        ([relate("x", "<", "y")], relate("x", "<", "z")),
        ([relate("x", "<", "y")], relate(Term("x", 0.5), "<", Term("y", 0.5))),  # both round to 0
        ([relate("x", "<=", "y")], relate("x", "<", "y")),
        ([relate("x", "<", "y")], relate(Term("x", lag=1), "<", Term("y", lag=1))),
        ([relate("x", "<", "gap")], relate(Term("x", lag=1), "<", 10.0)),
        ([], relate(Term("x", lag=1), "<=", "age")),  # there may be no step before
        ([], relate("gap", "<", "age")),
        ([], relate(Term("free", 0.0), "=", Term("free", 0.0))),  # 0 times infinity is not a number
    ],
)
def test_what_does_not_follow(known: list[Condition], conclusion: Condition) -> None:
    assert not Facts(known, SCHEMA).entail(conclusion)


@pytest.mark.parametrize(
    "conditions",
    [
        [relate("x", "<", 3.0), relate("x", ">", 3.0)],
        [relate("x", "<", "y"), relate("y", "<", "x")],
        [relate("x", "<", "y"), relate("y", "<", "z"), relate("z", "<=", "x")],
        [relate("x", "=", "y"), relate("y", "=", "z"), relate("x", "!=", "z")],
        [relate("x", "!=", "x")],
        [relate("x", "<", "y"), relate("x", ">", 5.0), relate("y", "<=", 5.0)],
        [relate(Term("x", 0.5), "<", Term("y", 0.3)), relate(Term("x", 0.4), ">=", Term("y", 0.3))],
        [relate("gap", "<", "x"), Condition(Term("gap"), Operator.IS_MISSING)],
        [relate("age", "<", "x")],
        [Condition(Term("x"), Operator.IS_MISSING)],
    ],
)
def test_what_is_impossible(conditions: list[Condition]) -> None:
    facts = Facts(conditions, SCHEMA)
    assert facts.impossible
    assert facts.entail(relate("x", ">", "age")), "all follows from the impossible"


def test_too_wide_a_range_has_values_that_cannot_be_scaled() -> None:
    huge = Feature("huge", low=-1.7e308, high=1.7e308, scaled=True)
    schema = Schema([huge, Feature("x", low=1, high=2)], actions=["go"])
    condition = relate("huge", "<", "x")
    assert not Facts([], schema).entail(condition)
    assert not holds(condition, [{"huge": 1.7e308, "x": 1.0}], schema)
    assert Facts([relate("huge", "<", 0.0)], schema).entail(condition)
    assert holds(condition, [{"huge": -math.ulp(0.0), "x": 1.0}], schema)


@examples(800)
@given(st.integers(0, 2**32))
def test_all_that_is_claimed_of_conjunctions_is_true(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    conditions = [random_condition(rng, schema) for _ in range(rng.randint(1, 4))]
    questions = [random_condition(rng, schema) for _ in range(4)]
    facts = Facts(conditions, schema)
    entailed = [question for question in questions if facts.entail(question)]
    for history in random_histories(rng, [*conditions, *questions], schema, n_points=20):
        if all(holds(condition, history, schema) for condition in conditions):
            assert not facts.impossible
            assert all(holds(question, history, schema) for question in entailed)
