"""Values that a step admits, and the shortest constants between neighbouring values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.form import compare
from evoter.rules.reasoning.steps import (
    BOUNDS,
    admitted_around,
    admitted_from,
    admitted_gap,
    fewest_digits_between,
    length,
    value_gap,
    with_fewest_digits,
)
from laws import examples

STEPS = st.sampled_from([1.0, 0.1, 0.25, 0.01, 5.0, 1e-7, 3e5])
NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.integers(-2000, 2000).map(lambda k: k / 100))


def bound(operator: str, constant: float) -> Condition:
    return Condition(Term("x"), operator, constant)


@examples(5_000)
@given(NUMBERS, STEPS)
def test_admitted_values_enclose_a_number(x: float, step: float) -> None:
    below, above = admitted_around(x, step)
    assert below <= x < above
    assert above - below == pytest.approx(step, rel=1e-3, abs=4 * math.ulp(x))
    assert admitted_around(below, step)[0] == below
    assert admitted_from(x, step) == (x if below == x else above)


def test_multiples_are_decimal_numbers() -> None:
    values = [0.0]
    while values[-1] < 1.0:
        values.append(admitted_around(values[-1], 0.1)[1])
    assert values == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


@pytest.mark.parametrize("x", [math.inf, -math.inf, 1.7976931348623157e308, -1.7976931348623157e308, 1e300, 5e-324])
def test_extreme_numbers_have_neighbours(x: float) -> None:
    below, above = admitted_around(x, 1.0)
    assert below <= x <= above


@examples(5_000)
@given(st.sampled_from(BOUNDS), NUMBERS, STEPS)
def test_a_shorter_constant_divides_the_admitted_values_alike(operator: Operator, constant: float, step: float) -> None:
    before = bound(operator, constant)
    gap = admitted_gap(before, step)
    after = with_fewest_digits(before, gap)
    assert isinstance(after.right, float)
    assert length(after.right) <= length(constant)
    below = admitted_around(gap[0], step)[0]
    for value in (below, *gap, admitted_around(gap[1], step)[1]):
        assert compare(before.operator, value, constant) is compare(after.operator, value, after.right)
    assert with_fewest_digits(after, admitted_gap(after, step)) == after


@examples(5_000)
@given(st.sampled_from(BOUNDS), NUMBERS, st.lists(NUMBERS, max_size=6))
def test_a_shorter_constant_divides_given_values_alike(
    operator: Operator, constant: float, values: list[float]
) -> None:
    before = bound(operator, constant)
    after = with_fewest_digits(before, value_gap(before, sorted(set(values))))
    assert isinstance(after.right, float)
    for value in values:
        assert compare(before.operator, value, constant) is compare(after.operator, value, after.right)


@pytest.mark.parametrize(
    ("low", "high", "near", "shortest"),
    [
        (-2.0, -1.0, -1.289473684210526, -1.0),
        (224.0, 225.0, 224.6153846153846, 225.0),
        (0.1, 0.2, 0.17, 0.2),
        (0.123, 0.124, 0.1235, 0.124),
        (-3.0, 5.0, 2.0, 0.0),
        (7.0, 7.0, 7.0, 7.0),
    ],
)
def test_the_shortest_number_between_two(low: float, high: float, near: float, shortest: float) -> None:
    assert fewest_digits_between(low, high, near) == shortest


def test_the_operator_follows_the_constant() -> None:
    assert with_fewest_digits(bound(">", -1.28947), (-2.0, -1.0)) == bound(">=", -1)
    assert with_fewest_digits(bound(">", -1.78947), (-2.0, -1.0)) == bound(">", -2)
    assert with_fewest_digits(bound("<=", 4.87654), (4.0, 5.0)) == bound("<", 5)
    assert with_fewest_digits(bound("<", 4.12345), (4.0, 5.0)) == bound("<=", 4)
    assert with_fewest_digits(bound("<", 4.5), (-math.inf, 5.0)) == bound("<", 4.5)
