"""Laws of constants as fractions of a range."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evoter.rules.files.leaf_columns import constant_at, fraction_of
from evoter.rules.model import Operator
from laws import examples
from strategies import numbers

INEQUALITIES = [Operator.LT, Operator.LE, Operator.GT, Operator.GE]
COMPARE = {
    Operator.LT: lambda x, y: x < y,
    Operator.LE: lambda x, y: x <= y,
    Operator.GT: lambda x, y: x > y,
    Operator.GE: lambda x, y: x >= y,
}


def replaced(constant: float, low: float, high: float, operator: Operator) -> float:
    fraction = fraction_of(constant, (low, high), operator)
    assert fraction is not None
    return constant_at(fraction, (low, high))


@examples(500)
@given(st.lists(numbers(), min_size=3, max_size=3).map(sorted), st.sampled_from(INEQUALITIES))
def test_a_constant_inside_a_range_comes_back_or_moves_by_a_rounding_to_the_harmless_side(
    ordered: list[float], operator: Operator
) -> None:
    low, constant, high = ordered
    assume(low < high)
    assume(high - low < 1e308)  # beyond, the neighbours of a constant overflow
    replacement = replaced(constant, low, high, operator)
    coarsest = (high - low) * math.ulp(0.0)  # fractions themselves are no finer than this
    assert abs(replacement - constant) <= 2 * math.ulp(constant - low) + math.ulp(constant) + coarsest
    assert COMPARE[operator](constant, replacement) == COMPARE[operator](constant, constant)


@examples(500)
@given(st.floats(0, 1), st.tuples(numbers(), numbers()).map(sorted), st.sampled_from(INEQUALITIES))
def test_a_constant_that_came_from_a_file_comes_back_exactly(
    fraction: float, bounds: list[float], operator: Operator
) -> None:
    low, high = bounds
    assume(math.isfinite(high - low))
    constant = constant_at(fraction, (low, high))
    assert replaced(constant, low, high, operator) == constant


@pytest.mark.parametrize("operator", INEQUALITIES)
def test_the_ends_of_ordinary_ranges_come_back_exactly(operator: Operator) -> None:
    for low, high in [(0.0, 192.0), (-8.0, 10.0), (4.3, 7.9), (0.1, 2.5), (1.0, 6.9)]:
        assert replaced(low, low, high, operator) == low
        assert replaced(high, low, high, operator) == high


def test_what_no_fraction_reaches_is_refused() -> None:
    assert fraction_of(3.0, (3.0, 3.0), Operator.LT) == 0.0
    assert fraction_of(4.0, (3.0, 3.0), Operator.LE) is None
    assert fraction_of(1.0, (-1.7e308, 1.7e308), Operator.LE) is None
