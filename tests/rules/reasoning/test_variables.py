"""Which values of one variable satisfy a condition, checked double by double against the interpreter."""

import math
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domains import COEFFICIENTS, COMPARISONS, RANGES, compare, random_term
from evoter.rules.forms.comparison import oriented
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import holds, term_value
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.spans import Spans, double, ordinal
from evoter.rules.reasoning.variables import MISSING, UNAVAILABLE, Variable, domain, present, term_range
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from strategies import conditions, rows, schemas

SEEDS = st.integers(0, 2**32)


def contains(values: Spans, place: int) -> bool:
    return any(first <= place <= last for first, last in values)


def satisfying(condition: Condition, schema: Schema) -> tuple[Variable, Spans] | None:
    return form_of(condition).satisfying(condition, schema)


def accepted(condition: Condition, schema: Schema) -> Spans:
    single = satisfying(condition, schema)
    assert single is not None
    return single[1]


def narrow_feature(rng: Random, name: str) -> Feature:
    """A feature whose range holds few enough doubles to try them all."""
    middle = ordinal(rng.choice([0.0, 5e-324, 1.0, -1.0, 0.3, 1e-160, 1e103, -1e154, 1.7e308, 2.0**-1022]))
    low, high = sorted(double(middle + offset) for offset in (rng.randint(-20, 5), rng.randint(-5, 20)))
    return Feature(name, low=low, high=high, scaled=rng.random() < 0.3)


@examples(1_000)
@given(SEEDS)
def test_solutions_are_exact_on_every_double_of_narrow_ranges(seed: int) -> None:
    rng = Random(seed)
    feature = narrow_feature(rng, "x")
    schema = Schema([feature], actions=["go"])
    term = random_term(rng, schema, feature)
    ((first, last),) = present(feature)
    constant = term_value(double(rng.randint(first, last)), term, feature, scale=False)
    if not math.isfinite(constant):
        constant = rng.choice(COEFFICIENTS)
    condition = Condition(term, rng.choice(COMPARISONS), constant)
    values = accepted(condition, schema)
    for place in range(first, last + 1):
        assert contains(values, place) == holds(condition, [{"x": double(place)}], schema)


@examples(1_000)
@given(SEEDS)
def test_solutions_are_exact_at_their_ends(seed: int) -> None:
    rng = Random(seed)
    low, high = rng.choice(RANGES)
    feature = Feature("x", low=low, high=high)
    schema = Schema([feature], actions=["go"])
    condition = Condition(random_term(rng, schema, feature), rng.choice(COMPARISONS), rng.uniform(-10, 100))
    values = accepted(condition, schema)
    ((lowest, highest),) = present(feature)
    ends = [end for span in values for end in span] + [lowest, highest, 0, ordinal(1.0)]
    for place in (end + offset for end in ends for offset in (-1, 0, 1)):
        if lowest <= place <= highest:
            assert contains(values, place) == holds(condition, [{"x": double(place)}], schema)


def test_a_constant_term_counts_as_a_constant() -> None:
    schema = Schema([Feature("x", low=0, high=10, scaled=True), Feature("flat", low=3, high=3)], actions=["go"])
    assert accepted(compare(Term("flat"), ">", Term("x", 6.0)), schema) == ((0, ordinal(math.nextafter(5.0, 0.0))),)
    schema = schema.with_feature("flat", missing=True)
    assert satisfying(compare(Term("flat"), ">", Term("x", 6.0)), schema) is None


def test_categories_truth_values_and_missing_ones() -> None:
    race = Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic", "Other"), missing=True)
    schema = Schema([race, Feature("anaemia", Kind.BOOLEAN)], actions=["go"], max_lag=1)
    assert domain(race, 1) == ((0, 2), (MISSING, MISSING), (UNAVAILABLE, UNAVAILABLE))
    assert accepted(compare(Term("race"), "=", "Hispanic"), schema) == ((1, 1),)
    assert accepted(compare(Term("race"), "!=", "Hispanic"), schema) == ((0, 0), (2, 2))
    assert accepted(compare(Term("race"), Operator.IS_MISSING), schema) == ((MISSING, MISSING),)
    assert accepted(compare(Term("race"), Operator.IS_PRESENT), schema) == ((0, 2),)
    assert accepted(compare(Term("anaemia"), "!=", True), schema) == ((0, 0),)
    assert accepted(compare(Term("anaemia"), Operator.IS_MISSING), schema) == ()


@given(st.data())
def test_terms_stay_in_their_range(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    condition = data.draw(conditions(schema))
    if not isinstance(condition.right, Term):
        return
    row = data.draw(rows(schema))
    for term in condition.terms:
        feature = schema.feature(term.feature)
        x = row[term.feature]
        if isinstance(x, float):
            values = term_range(term, feature, present(feature))
            value = term_value(x, term, feature, scale=True)
            assert values.low <= value <= values.high or (values.may_be_nan and math.isnan(value))


@given(st.data())
def test_an_oriented_comparison_holds_at_the_same_points(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    condition = data.draw(conditions(schema))
    if isinstance(condition.right, Term):
        lower, operator, upper = oriented(condition)
        assert operator in (Operator.LT, Operator.LE, Operator.EQ, Operator.NE)
        row = data.draw(rows(schema))
        history = [row] * (schema.max_lag + 1)
        assert holds(condition, history, schema) == holds(Condition(lower, operator, upper), history, schema)
