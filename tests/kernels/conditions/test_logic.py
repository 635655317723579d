"""The quick tests of variation claim nothing that the exact logic denies, and miss nothing of the plainest forms."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from coded import grammar_of, relation_of, truth_of, written
from domains import COMPARISONS, CONSTANTS, ORDERS, compare, random_condition, random_schema
from evoter.kernels.conditions.logic import (
    ALWAYS,
    CONTRADICTION,
    FIRST_IMPLIES,
    NEVER,
    SECOND_IMPLIES,
    UNRELATED,
)
from evoter.rules import logic
from evoter.rules.condition import OPPOSITES, SET_OPERATORS, Sum
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples, n_cases


def near(rng: Random, condition: Condition, schema: Schema) -> Condition:
    """A condition on the same terms with other numbers and another operator."""
    feature = schema.feature(condition.left.feature)
    if condition.operator.tests_missing:
        return random_condition(rng, schema)
    if feature.kind is Kind.CATEGORICAL and len(feature.categories) > 1 and rng.random() < 0.7:
        chosen = rng.sample(feature.categories, rng.randint(1, len(feature.categories)))
        return Condition(condition.left, rng.choice(["in", "not in"]), chosen)
    if condition.operator in SET_OPERATORS:
        return Condition(condition.left, rng.choice(["in", "not in"]), condition.right)
    if feature.kind is not Kind.NUMERIC:
        return compare(condition.left, rng.choice(["=", "!="]), condition.right)
    if isinstance(condition.right, Sum):
        constant = rng.choice([condition.right.constant, rng.choice(CONSTANTS)])
        return Condition(condition.left, rng.choice(ORDERS), Sum(condition.right.added, constant))

    def changed(term: Term) -> Term:
        return Term(term.feature, rng.choice([term.coefficient, rng.randint(1, 100) / 100]), term.power, term.lag)

    right = condition.right
    right = changed(right) if isinstance(right, Term) else rng.choice([right, rng.choice(CONSTANTS)])
    return Condition(changed(condition.left), rng.choice(COMPARISONS), right)


def ordinary_points(rng: Random, schema: Schema) -> list[dict[str, float]]:
    """Points away from the smallest and largest doubles, where real numbers and doubles behave alike."""
    bounds = {feature.name: feature.bounds for feature in schema.features if feature.kind is Kind.NUMERIC}
    return [
        {name: round(rng.uniform(max(low, -20.0), min(high, 20.0)), 3) for name, (low, high) in bounds.items()}
        for _ in range(50)
    ]


def claimed(number: int, a: Condition, b: Condition, schema: Schema) -> bool:
    """Ask the exact logic for a relation."""
    if number == CONTRADICTION:
        return logic.contradicts(a, b, schema)
    return logic.implies(a, b, schema) if number == FIRST_IMPLIES else logic.implies(b, a, schema)


def holds_at(number: int, a: Condition, b: Condition, schema: Schema, rng: Random) -> bool:
    """Try a relation at points."""
    for point in ordinary_points(rng, schema):
        history = [point] * (schema.max_lag + 1)
        x, y = holds(a, history, schema), holds(b, history, schema)
        if (number == CONTRADICTION and x and y) or (number == FIRST_IMPLIES and x > y):
            return False
        if number == SECOND_IMPLIES and y > x:
            return False
    return True


def test_claims_about_two_conditions_are_true() -> None:
    """Where the logic cannot confirm a claim, rounding of coefficients stands in the way and ordinary points agree."""
    counts: Counter[bool] = Counter()
    n = n_cases(6_000)
    for seed in range(n):
        rng = Random(seed)
        schema = random_schema(rng)
        a = random_condition(rng, schema)
        b = near(rng, a, schema) if rng.random() < 0.7 else random_condition(rng, schema)
        number = relation_of(grammar_of(schema), *written([a, b], schema))
        if number == UNRELATED:
            continue
        confirmed = claimed(number, a, b, schema)
        counts[confirmed] += 1
        if not confirmed:
            assert not a.left.is_plain or not b.left.is_plain or isinstance(a.right, Term)
            assert holds_at(number, a, b, schema, rng)
    assert counts[True] > n / 3
    assert counts[False] < 0.01 * counts[True]


@examples(1_500)
@given(st.integers(0, 2**32))
def test_claims_about_one_condition_are_true(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    condition = random_condition(rng, schema)
    number = truth_of(grammar_of(schema), *written([condition], schema))
    if number == NEVER:
        assert logic.truth(condition, schema) is logic.Truth.NEVER
    if number == ALWAYS and condition.operator.tests_missing:
        assert logic.truth(condition, schema) is logic.Truth.ALWAYS
    elif number == ALWAYS:  # of present values, which makes the opposite impossible
        opposite = compare(condition.left, OPPOSITES[condition.operator], condition.right)
        assert logic.truth(opposite, schema) is logic.Truth.NEVER


@examples(500)
@given(st.sampled_from(COMPARISONS), st.sampled_from(COMPARISONS), st.integers(1, 5), st.integers(1, 5))
def test_comparisons_with_constants_inside_the_range_are_related_completely(
    one: Operator, other: Operator, low: int, high: int
) -> None:
    schema = Schema([Feature("x", low=0, high=6)], ["go"])
    a, b = compare("x", one, float(low)), compare("x", other, float(high))
    number = relation_of(grammar_of(schema), *written([a, b], schema))
    related = [number for number in (CONTRADICTION, FIRST_IMPLIES, SECOND_IMPLIES) if claimed(number, a, b, schema)]
    assert number in (related or [UNRELATED])


@examples(500)
@given(
    st.sampled_from(ORDERS), st.sampled_from(ORDERS), st.integers(1, 5), st.integers(1, 5), st.sampled_from([0.1, -2.0])
)
def test_sums_of_the_same_terms_are_related_completely(
    one: Operator, other: Operator, low: int, high: int, coefficient: float
) -> None:
    schema = Schema([Feature("x", low=-9, high=9), Feature("y", low=-9, high=9)], ["go"])
    a, b = (
        compare("x", operator, Sum(Term("y", coefficient), constant))
        for operator, constant in ((one, float(low)), (other, float(high)))
    )
    number = relation_of(grammar_of(schema), *written([a, b], schema))
    related = [number for number in (CONTRADICTION, FIRST_IMPLIES, SECOND_IMPLIES) if claimed(number, a, b, schema)]
    assert number in (related or [UNRELATED])
    another = compare("x", one, Sum(Term("y", 0.3), float(low)))
    assert relation_of(grammar_of(schema), *written([another, b], schema)) == UNRELATED


def test_multiples_of_zero_are_equal() -> None:
    """x <= 0.5*y implies x < 0.9*y only while y is above 0."""
    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["go"])
    cases = {
        ("<=", "<"): UNRELATED,
        ("<=", "<="): FIRST_IMPLIES,
        ("<", "<="): FIRST_IMPLIES,
        ("<=", ">="): UNRELATED,
        ("<=", ">"): CONTRADICTION,
        ("<", ">="): CONTRADICTION,
        (">=", ">"): SECOND_IMPLIES,
        (">", ">="): UNRELATED,
    }
    for (one, other), expected in cases.items():
        pair = [compare("x", one, Term("y", 0.5)), compare("x", other, Term("y", 0.9))]
        assert relation_of(grammar_of(schema), *written(pair, schema)) == expected
