"""Plain conditions with the same meaning."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import compare, random_condition, random_histories, random_schema
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.canonical import canonical, merged
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples

SCHEMA = Schema(
    [
        Feature("x", low=-9, high=9),
        Feature("y", low=0, high=9, scaled=True),
        Feature("gap", low=0, high=9, missing=True),
        Feature("free"),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic", "Other", "White"), missing=True),
        Feature("anaemia", Kind.BOOLEAN),
        Feature("flat", low=2, high=2),
    ],
    actions=["go"],
    max_lag=1,
)
X, Y, GAP, RACE = Term("x"), Term("y"), Term("gap"), Term("race")
PRESENT = compare(GAP, Operator.IS_PRESENT)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (compare(Term("x", 0.5), "<", 2), compare(X, "<", 4)),
        (compare(Term("x", -0.5), "<", 2), compare(X, ">", -4)),
        (compare(Term("x", 0.3), "<=", 0.9), compare(X, "<=", 3)),
        (compare(Term("x", 0.1), "<=", 0.3), compare(X, "<", 3)),  # 0.1 * 3 is above 0.3
        (compare(Term("x", power=3), ">=", 8), compare(X, ">=", 2)),
        (compare(Term("y", power=2), "<", 4), compare(Y, "<", 2)),
        (compare(X, "<=", 3.9999999999999996), compare(X, "<", 4)),
        (compare(Term("x", 0.5), "=", 2), compare(X, "=", 4)),
        (compare(Term("x", 0.5), "!=", 2), compare(X, "!=", 4)),
        (compare(Term("x", 0.5, lag=1), ">", 2), compare(Term("x", lag=1), ">", 4)),
        (compare(Term("x", 0.5, lag=1), ">", -20), compare(Term("x", lag=1), Operator.IS_PRESENT)),
        (compare(Term("gap", 0.5), "<", 20), PRESENT),
        (compare(GAP, "<", Term("x", 0.1, 2)), compare(GAP, "<", Term("x", 0.1, 2))),
        (compare(GAP, ">=", Term("y", -1)), PRESENT),
        (compare(Term("x", -0.5), "<=", Term("gap", -0.3)), compare(Term("gap", 0.3), "<=", Term("x", 0.5))),
        (compare(Term("y", 4.0), ">=", Term("flat")), compare(Y, ">=", 4.5)),
        (compare(Term("free"), "<=", 1.7976931348623157e308), compare(Term("free"), "<=", 1.7976931348623157e308)),
        (compare(Y, "<=", 0), compare(Y, "<=", 0)),
    ],
)
def test_canonical_forms(condition: Condition, expected: Condition) -> None:
    assert canonical(condition, SCHEMA) == expected
    assert canonical(expected, SCHEMA) == expected


@pytest.mark.parametrize(
    "condition",
    [
        compare(Term("x", power=2), "<", 4),
        compare(Term("x", power=2), ">", 4),
        compare(Term("x", 0.7), "=", 0.13),  # two doubles have this product
        compare(X, "!=", -9),
        compare(RACE, "!=", "Asian"),
        compare(Term("anaemia"), "!=", True),
        compare(X, "<", 100),
        compare(X, ">", 100),
        compare(X, Operator.IS_MISSING),
        compare(Term("x", 0.5), "<", Term("y", 0.5)),
    ],
)
def test_what_no_plainer_condition_says_is_left_alone(condition: Condition) -> None:
    assert canonical(condition, SCHEMA) == condition


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([compare(X, ">=", 5), compare(X, "<=", 5)], [compare(X, "=", 5)]),
        ([compare(X, "<=", 5), compare(X, "!=", 5)], [compare(X, "<", 5)]),
        ([compare(X, "<", 5), compare(X, ">", 3)], [compare(X, "<", 5), compare(X, ">", 3)]),
        (
            [compare(X, "<", 5), compare(Y, ">", 3), compare(X, "!=", 3), compare(X, "<", 4)],
            [compare(X, "<", 4), compare(X, "!=", 3), compare(Y, ">", 3)],
        ),
        ([compare(RACE, "!=", name) for name in ("Asian", "Hispanic", "Other")], [compare(RACE, "=", "White")]),
        ([compare(RACE, "!=", "Asian"), compare(RACE, Operator.IS_PRESENT)], [compare(RACE, "!=", "Asian")]),
        ([compare(RACE, "!=", name) for name in ("Other", "Asian")], [compare(RACE, "not in", ("Asian", "Other"))]),
        (
            [
                compare(RACE, "!=", "Asian"),
                compare(X, "<", 5),
                compare(RACE, "is present"),
                compare(RACE, "!=", "Other"),
            ],
            [compare(RACE, "not in", ("Asian", "Other")), compare(X, "<", 5)],
        ),
        (
            [compare(RACE, "in", ("Asian", "Other", "White")), compare(RACE, "!=", "White")],
            [compare(RACE, "in", ("Asian", "Other"))],
        ),
        (
            [compare(RACE, "not in", ("Asian", "Other")), compare(RACE, "!=", "White")],
            [compare(RACE, "=", "Hispanic")],
        ),
        (
            [compare(RACE, "in", ("Asian", "Other")), compare(RACE, "!=", "White")],
            [compare(RACE, "in", ("Asian", "Other"))],
        ),
        ([compare(GAP, "<", 100), PRESENT], [PRESENT]),
        ([compare(X, "<", 100), compare(X, ">", -100)], []),
        ([compare(Term("x", power=2), ">", 4)] * 2, [compare(Term("x", power=2), ">", 4)] * 2),
    ],
)
def test_merged_conditions(conditions: list[Condition], expected: list[Condition]) -> None:
    assert list(merged(conditions, SCHEMA)) == expected


def test_exclusions_stay_exclusions_so_that_a_category_that_is_not_listed_is_decided_as_before() -> None:
    names = tuple("uvwxyz")
    schema = Schema([Feature("c", Kind.CATEGORICAL, categories=names, missing=True)], ["go"])
    chain = [compare("c", "!=", name) for name in "uvwx"]
    assert merged(chain, schema) == (compare("c", "not in", tuple("uvwx")),)
    for value in (*names, "unlisted", None):
        expected = all(holds(each, [{"c": value}], schema) for each in chain)
        assert all(holds(each, [{"c": value}], schema) for each in merged(chain, schema)) == expected


def test_features_with_too_many_categories_for_sets_keep_their_chains() -> None:
    names = tuple(f"c{number}" for number in range(105))
    schema = Schema([Feature("c", Kind.CATEGORICAL, categories=names)], ["go"])
    chain = [compare("c", "!=", "c3"), compare("c", "!=", "c7")]
    assert merged(chain, schema) == tuple(chain)


@examples(800)
@given(st.integers(0, 2**32))
def test_plain_conditions_hold_at_the_same_points(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    conditions = [random_condition(rng, schema) for _ in range(3)]
    plain = [canonical(condition, schema) for condition in conditions]
    assert [canonical(condition, schema) for condition in plain] == plain
    possible = not Facts(conditions, schema).impossible
    fewer = merged(conditions, schema) if possible else ()
    for history in random_histories(rng, [*conditions, *plain], schema, n_points=20):
        truths = [holds(condition, history, schema) for condition in conditions]
        assert [holds(condition, history, schema) for condition in plain] == truths
        if possible:
            assert all(holds(condition, history, schema) for condition in fewer) == all(truths)
