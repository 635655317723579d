"""Counts, percentages and rounded numbers as people read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.formatting import counted, percent, rounded


def test_shares_are_printed_to_one_decimal() -> None:
    assert [percent(share) for share in (0.0, 1.0, 0.12345, None, math.nan)] == ["0%", "100%", "12.3%", "-", "-"]


@given(st.floats(0, 1), st.integers(0, 3))
def test_only_nothing_is_nothing_and_only_all_is_all(share: float, decimals: int) -> None:
    printed = percent(share, decimals)
    assert (printed == "0%") == (share == 0)
    assert (printed == "100%") == (share == 1)
    assert abs(float(printed.strip("<>%")) / 100 - share) <= 10.0 ** -(decimals + 2)


def test_counts_have_their_noun() -> None:
    assert [counted(n, "row") for n in (0, 1, 2, 12_345)] == ["0 rows", "1 row", "2 rows", "12,345 rows"]


@given(st.floats(-1e9, 1e9))
def test_numbers_are_rounded_to_four_digits_or_to_whole_numbers(value: float) -> None:
    printed = float(rounded(value).replace(",", ""))
    assert printed == pytest.approx(value, rel=5.1e-4)
