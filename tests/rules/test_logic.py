"""Proofs about conditions: true of every point tried, complete for conditions on one variable, and the paper's cases."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import COMPARISONS, History, compare, random_condition, random_histories, random_schema, random_term
from evoter.rules.interpreter import holds, term_value
from evoter.rules.logic import Truth, consistent, contradicts, equivalent, implies, redundant, truth
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.spans import double, ordinal
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from strategies import conditions, rows, schemas

SCHEMA = Schema(
    [
        Feature("next.pipe.top.y", low=0, high=192),
        Feature("dist", low=0, high=288),
        Feature("bottom", low=0, high=292),
        Feature("speed", low=-8, high=10),
        Feature("glucose", low=0, high=500, missing=True),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic", "Other")),
        Feature("sex", Kind.CATEGORICAL, categories=("female", "male")),
        Feature("anaemia", Kind.BOOLEAN),
    ],
    actions=["Flap", "No flap"],
    max_lag=1,
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (compare(Term("next.pipe.top.y", 0.17), "<=", 84.48), Truth.ALWAYS),
        (compare(Term("next.pipe.top.y", 0.17), ">", 84.48), Truth.NEVER),
        (compare(Term("next.pipe.top.y", 0.44), "<=", 84.48), Truth.ALWAYS),
        (compare(Term("next.pipe.top.y", 0.45), "<=", 84.48), Truth.DEPENDS),
        (compare(Term("next.pipe.top.y", 0.17, lag=1), "<=", 84.48), Truth.DEPENDS),
        (compare(Term("glucose"), "<=", 500.0), Truth.DEPENDS),
        (compare(Term("glucose"), ">", 500.0), Truth.NEVER),
        (compare(Term("speed", power=2), ">=", 0.0), Truth.ALWAYS),
        (compare(Term("speed", power=2), "<=", 64.0), Truth.DEPENDS),
        (compare(Term("dist", 0.5), "<=", Term("dist", 0.6)), Truth.ALWAYS),
        (compare(Term("dist", 0.5), ">", Term("dist", 0.6)), Truth.NEVER),
        (compare(Term("dist", -1.0), "<=", Term("bottom")), Truth.ALWAYS),
        (compare("race", "=", "Asian"), Truth.DEPENDS),
        (compare("anaemia", "!=", True), Truth.DEPENDS),
        (Condition(Term("race"), Operator.IS_MISSING), Truth.NEVER),
        (Condition(Term("race"), Operator.IS_PRESENT), Truth.ALWAYS),
        (Condition(Term("race", lag=1), Operator.IS_PRESENT), Truth.DEPENDS),
        (Condition(Term("glucose"), Operator.IS_MISSING), Truth.DEPENDS),
    ],
)
def test_truths(condition: Condition, expected: Truth) -> None:
    assert truth(condition, SCHEMA) is expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            compare(Term("dist", 0.99), "<", Term("bottom", 0.83)),
            compare(Term("dist", 0.99), "<", Term("bottom", 0.93)),
        ),
        (
            compare(Term("dist", 0.95), "<=", Term("bottom", 0.65)),
            compare(Term("dist", 0.41), "<=", Term("bottom", 0.78)),
        ),
        (
            compare(Term("dist", 0.95), "<=", Term("bottom", 0.65)),
            compare(Term("dist", 0.98), "<=", Term("bottom", 0.78)),
        ),
        (compare(Term("dist", 0.5), "<", 3.0), compare(Term("dist", power=2), "<", 37.0)),
        (compare("race", "=", "Asian"), compare("race", "!=", "Other")),
        (compare("glucose", ">", 100.0), Condition(Term("glucose"), Operator.IS_PRESENT)),
        (compare("speed", ">", 3.0), compare("speed", "!=", 3.0)),
    ],
)
def test_one_way_implications(a: Condition, b: Condition) -> None:
    assert implies(a, b, SCHEMA)
    assert not implies(b, a, SCHEMA)
    assert not equivalent(a, b, SCHEMA)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (compare("sex", "=", "male"), compare("sex", "!=", "female")),
        (compare("anaemia", "=", True), compare("anaemia", "!=", False)),
        (compare("dist", "<", Term("bottom")), compare("bottom", ">", Term("dist"))),
        (compare(Term("speed", 0.5), "<", 2.0), compare("speed", "<", 4.0)),
        (compare(Term("speed", -0.5), "<", 2.0), compare("speed", ">", -4.0)),
        (compare(Term("dist", power=2), "<=", 4.0), compare("dist", "<=", 2.0)),
    ],
)
def test_equivalent_conditions(a: Condition, b: Condition) -> None:
    assert equivalent(a, b, SCHEMA)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (compare("race", "=", "Asian"), compare("race", "=", "Other")),
        (compare("sex", "!=", "female"), compare("sex", "!=", "male")),
        (compare("glucose", ">", 0.0), Condition(Term("glucose"), Operator.IS_MISSING)),
        (
            compare(Term("dist", 0.99), "<", Term("bottom", 0.83)),
            compare(Term("dist", 0.99), ">=", Term("bottom", 0.93)),
        ),
        (compare("speed", "<", 1.0), compare(Term("speed", 2.0), ">=", 2.0)),
    ],
)
def test_contradictions(a: Condition, b: Condition) -> None:
    assert contradicts(a, b, SCHEMA)


def test_equivalent_conditions_are_not_all_redundant() -> None:
    twice = [compare("dist", "<", Term("bottom")), compare("bottom", ">", Term("dist")), compare("dist", "<", 3.0)]
    assert redundant(twice, SCHEMA) == (1,)
    assert redundant([compare("sex", "=", "male")] * 3, SCHEMA) == (1, 2)
    assert redundant([], SCHEMA) == ()
    assert redundant([compare(Term("next.pipe.top.y", 0.17), "<=", 84.48)], SCHEMA) == (0,)


def check_claims(cases: list[Condition], schema: Schema, histories: list[History]) -> None:
    points = [[holds(condition, history, schema) for condition in cases] for history in histories]
    for i, a in enumerate(cases):
        column = [held[i] for held in points]
        assert truth(a, schema) is not Truth.ALWAYS or all(column)
        assert truth(a, schema) is not Truth.NEVER or not any(column)
        for j, b in enumerate(cases):
            assert not implies(a, b, schema) or all(held[j] for held in points if held[i])
            assert not contradicts(a, b, schema) or not any(held[i] and held[j] for held in points)
    assert consistent(cases, schema) or not any(all(held) for held in points)
    superfluous = redundant(cases, schema)
    for held in points:
        assert all(held) == all(value for place, value in enumerate(held) if place not in superfluous)


@examples(800)
@given(st.integers(0, 2**32))
def test_claims_are_true_where_conditions_change(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    cases = [random_condition(rng, schema) for _ in range(3)]
    check_claims(cases, schema, random_histories(rng, cases, schema, n_points=30))


@examples(100)
@given(st.data())
def test_claims_are_true_of_any_schema_and_row(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    cases = [data.draw(conditions(schema)) for _ in range(3)]
    check_claims(cases, schema, [data.draw(st.lists(rows(schema), min_size=1, max_size=3)) for _ in range(4)])


@examples(500)
@given(st.integers(0, 2**32))
def test_claims_about_two_variables_are_true_of_every_pair_of_doubles(seed: int) -> None:
    rng = Random(seed)
    middle = ordinal(rng.choice([0.0, 0.0, 1.0, 0.3, -2.0]))
    low, high = sorted(double(middle + rng.randint(-6, 12)) for _ in range(2))
    schema = Schema([Feature(name, low=low, high=high, scaled=rng.random() < 0.2) for name in "xy"], actions=["go"])
    cases = [random_condition(rng, schema) for _ in range(3)]
    points = [double(place) for place in range(ordinal(low), ordinal(high) + 1)]
    check_claims(cases, schema, [[{"x": x, "y": y}] for x in points for y in points])


@examples(800)
@given(st.integers(0, 2**32))
def test_claims_about_one_variable_are_complete(seed: int) -> None:
    """On a range of few doubles, what is not claimed has a counterexample."""
    rng = Random(seed)
    middle = ordinal(rng.choice([0.0, 1.0, 0.3, -2.0, 1e-160]))
    low, high = sorted(double(middle + rng.randint(-9, 9)) for _ in range(2))
    feature = Feature("x", low=low, high=high, missing=rng.random() < 0.3)
    schema = Schema([feature], actions=["go"])
    points = [double(place) for place in range(ordinal(low), ordinal(high) + 1)]

    def random_case() -> Condition:
        term = random_term(rng, schema, feature)
        return Condition(term, rng.choice(COMPARISONS), term_value(rng.choice(points), term, feature, scale=False))

    one, other = random_case(), random_case()
    domain: list[History] = [[{"x": x}] for x in [*points, *([None] if feature.missing else [])]]
    a, b = ([holds(condition, history, schema) for history in domain] for condition in (one, other))
    assert (truth(one, schema) is Truth.ALWAYS) == all(a)
    assert (truth(one, schema) is Truth.NEVER) == (not any(a))
    assert implies(one, other, schema) == all(q for p, q in zip(a, b, strict=True) if p)
    assert contradicts(one, other, schema) == (not any(p and q for p, q in zip(a, b, strict=True)))
    assert equivalent(one, other, schema) == (a == b)
