"""Constants: short numbers strictly between neighbouring values, and the values themselves where they are few."""

import math
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evoter.genome.cuts import MAX_LEVELS, cuts_and_levels, short_numbers_between
from laws import examples

finite = st.floats(allow_nan=False, allow_infinity=False)
measured = st.decimals(-1000, 1000, places=3).map(float)


def between(low: float, high: float) -> float:
    return float(short_numbers_between(np.array([low]), np.array([high]))[0])


def decimals(number: float) -> int:
    """Count the decimals of a number as it prints."""
    exponent = Decimal(repr(number)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return -exponent


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1.9, 3.0, 2.4), (1.7, 1.8, 1.75), (4_900, 5_200, 5_000), (0, 1, 0.5), (-1, 1, 0), (0.1, 0.2, 0.15), (2, 3, 2.5)],
)
def test_short_numbers(low: float, high: float, expected: float) -> None:
    assert between(low, high) == expected


@examples(500)
@given(st.tuples(finite, finite).map(sorted))
@example([-1.7e308, 1.7e308])
@example([0.0, 5e-324])
@example([-5e-324, 5e-324])
@example([1.0, math.nextafter(1.0, 2.0)])
@example([1e300, 1.1e300])
def test_there_is_a_number_strictly_between_any_two_that_are_no_neighbours(pair: list[float]) -> None:
    low, high = pair
    number = between(low, high)
    if math.nextafter(low, math.inf) >= high:
        assert math.isnan(number)
    else:
        assert low < number < high


@examples(500)
@given(st.tuples(measured, measured).map(sorted).filter(lambda pair: pair[0] < pair[1]))
def test_no_number_with_fewer_decimals_lies_in_the_middle_half(pair: list[float]) -> None:
    low, high = pair
    number, quarter = between(low, high), (high - low) / 4
    assert low + quarter <= number <= high - quarter
    if number == 0.0:  # the shortest of all
        return
    shorter = round(low + (high - low) / 2, decimals(number) - 1)
    assert not low + quarter <= shorter <= high - quarter


@examples(300)
@given(st.lists(st.one_of(finite, st.sampled_from([math.nan, math.inf, -math.inf, 1.0, 2.0])), max_size=20))
def test_a_cut_between_all_neighbouring_values(values: list[float]) -> None:
    cuts, levels = cuts_and_levels(np.array(values, dtype=np.float64))
    present = sorted({value for value in values if math.isfinite(value)})
    assert levels.tolist() == present
    assert len(cuts) <= max(0, len(present) - 1)
    for low, high in pairwise(present):
        inside = cuts[(cuts > low) & (cuts < high)]
        apart = high - low > 1e-12 * max(abs(low), abs(high)) and math.nextafter(low, math.inf) < high
        assert len(inside) == (1 if apart else 0)


def test_many_values_have_no_levels_and_few_cuts_where_the_rows_are() -> None:
    values = np.concatenate([np.linspace(0, 1, 9_000), np.linspace(1, 100, 1_000)])
    cuts, levels = cuts_and_levels(values, max_cuts=50)
    assert len(levels) == 0
    assert 45 <= len(cuts) <= 50
    assert (cuts < 1).mean() > 0.85
    assert not np.isin(cuts, values).any()


def test_what_rounding_parts_is_not_cut() -> None:
    root = math.sqrt(3.5)
    noisy = np.concatenate([np.full(5_000, root), np.full(5_000, math.nextafter(root, 0)), np.linspace(0, 9, 3_000)])
    cuts, _ = cuts_and_levels(np.array([1.0, root, root * (1 + 3e-16), 3.0]))
    assert cuts.tolist() == [1.4, 2.4]
    cuts, _ = cuts_and_levels(noisy, max_cuts=100)
    assert max(decimals(cut) for cut in cuts.tolist()) < 6


def test_values_that_repeat_do_not_repeat_cuts() -> None:
    values = np.concatenate([np.zeros(10_000), np.arange(100.0)])
    cuts, _ = cuts_and_levels(values, max_cuts=10)
    assert len(np.unique(cuts)) == len(cuts) >= 1


@pytest.mark.parametrize("n", [MAX_LEVELS, MAX_LEVELS + 1])
def test_only_few_values_are_levels(n: int) -> None:
    _, levels = cuts_and_levels(np.arange(float(n)))
    assert len(levels) == (n if n <= MAX_LEVELS else 0)


@pytest.mark.parametrize("values", [[], [math.nan], [3.0], [math.inf, 3.0, 3.0, math.nan]])
def test_without_two_values_there_is_no_cut(values: list[float]) -> None:
    cuts, levels = cuts_and_levels(np.array(values, dtype=np.float64))
    assert len(cuts) == 0
    assert len(levels) == (3.0 in values)
