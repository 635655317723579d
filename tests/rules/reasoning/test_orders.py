"""The order of rounded products, tried on the smallest doubles and on ordinary ones."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.model import Term
from evoter.rules.reasoning.orders import TINY, Order, order_by_ranges, order_by_ratio
from evoter.rules.reasoning.variables import Range, present, term_range
from evoter.rules.schema import Feature
from laws import examples

GRID = st.integers(1, 100).map(lambda number: number / 100)


def ranges(*terms: Term, low: float = 0.0, high: float | None = 1.0) -> list[Range]:
    feature = Feature("any", low=low, high=high)
    return [term_range(term, feature, present(feature)) for term in terms]


def by_ratio(
    a: float, b: float, c: float, d: float, *, strict: bool, low: float = 0.0, high: float | None = 1.0
) -> Order:
    known, wanted = (Term("x", a), Term("y", b)), (Term("x", c), Term("y", d))
    return order_by_ratio(known, wanted, ranges(*known, *wanted, low=low, high=high), strict=strict)


@examples(500)
@given(GRID, GRID, GRID, GRID, st.booleans())
def test_a_ratio_decides_exactly_among_tiny_numbers(a: float, b: float, c: float, d: float, strict: bool) -> None:
    order = by_ratio(a, b, c, d, strict=strict)
    worst = Order.BELOW
    for n in range(40):
        y = n * TINY
        for m in range(40):
            x = m * TINY
            if a * x < b * y or (not strict and a * x == b * y):
                worst = min(worst, Order.BELOW if c * x < d * y else Order.AT_MOST if c * x == d * y else Order.UNKNOWN)
    assert order <= worst


@examples(500)
@given(
    GRID,
    GRID,
    GRID,
    GRID,
    st.booleans(),
    st.sampled_from([(0.0, 1.0), (18.0, 95.0), (-7.0, -1.0), (-1.0, 0.0)]),
    st.integers(0, 2**32),
)
def test_a_ratio_claims_nothing_false_of_ordinary_numbers(
    a: float, b: float, c: float, d: float, strict: bool, bounds: tuple[float, float], seed: int
) -> None:
    low, high = bounds
    order = by_ratio(a, b, c, d, strict=strict, low=low, high=high)
    rng = Random(seed)
    for _ in range(20):
        x = rng.uniform(low, high)
        y = a * x / b
        for near in (math.nextafter(y, -math.inf), y, math.nextafter(y, math.inf)):
            if low <= near <= high and (a * x < b * near or (not strict and a * x == b * near)):
                assert order is not Order.BELOW or c * x < d * near
                assert order is Order.UNKNOWN or c * x <= d * near


@pytest.mark.parametrize(
    ("coefficients", "strict", "bounds", "expected"),
    [
        ((0.95, 0.65, 0.98, 0.78), True, (0.0, 9.0), Order.BELOW),
        ((0.95, 0.65, 0.98, 0.78), False, (0.0, 9.0), Order.AT_MOST),  # the tiniest products are equal
        ((0.95, 0.65, 0.98, 0.78), False, (1.0, 9.0), Order.BELOW),
        ((0.95, 0.65, 0.98, 0.78), True, (-9.0, -1.0), Order.UNKNOWN),
        ((0.98, 0.78, 0.95, 0.65), True, (-9.0, -1.0), Order.BELOW),
        ((0.98, 0.78, 0.95, 0.65), True, (0.0, 9.0), Order.UNKNOWN),
        ((0.5, 0.3, 1.0, 0.6), True, (1.0, 9.0), Order.BELOW),  # twice the same
        ((0.5, 0.3, 1.0, 0.6), False, (1.0, 9.0), Order.AT_MOST),
        ((0.5, 0.3, 1.0, 0.6), True, (0.0, 9.0), Order.UNKNOWN),  # half of a tiny number is 0
        ((0.4, 0.2, 0.9, 0.9), False, (0.0, 9.0), Order.UNKNOWN),
        ((0.5, 0.3, 1.0, 0.6), True, (1.0, None), Order.UNKNOWN),  # products may overflow
    ],
)
def test_ratios_by_example(
    coefficients: tuple[float, float, float, float], strict: bool, bounds: tuple[float, float | None], expected: Order
) -> None:
    low, high = bounds
    assert by_ratio(*coefficients, strict=strict, low=low, high=high) is expected


@examples(500)
@given(
    st.tuples(st.sampled_from([-2.0, -0.5, 0.0, 0.3, 0.5, 1.0]), st.integers(1, 3)),
    st.tuples(st.sampled_from([-2.0, -0.5, 0.0, 0.3, 0.5, 1.0]), st.integers(1, 3)),
    st.sampled_from([(0.0, 1.0), (1.0, 9.0), (-3.0, 0.0), (-1.0, 2.0), (0.5, 0.75)]),
    st.data(),
)
def test_terms_of_one_variable_are_ordered_by_monotony(
    lower: tuple[float, int], upper: tuple[float, int], bounds: tuple[float, float], data: st.DataObject
) -> None:
    terms = Term("x", *lower), Term("x", *upper)
    first, second = ranges(*terms, low=bounds[0], high=bounds[1])
    order = order_by_ranges(terms[0], first, terms[1], second)
    x = data.draw(st.floats(*bounds))
    left, right = (term.coefficient * (x, x * x, x * x * x)[term.power - 1] for term in terms)
    assert order is not Order.BELOW or left < right
    assert order is Order.UNKNOWN or left <= right


def test_powers_fall_below_one_and_rise_above() -> None:
    cube, square = Term("x", power=3), Term("x", power=2)
    below = ranges(cube, square, low=0.0, high=1.0)
    assert order_by_ranges(cube, below[0], square, below[1]) is Order.AT_MOST
    above = ranges(cube, square, low=1.0, high=9.0)
    assert order_by_ranges(square, above[1], cube, above[0]) is Order.AT_MOST
