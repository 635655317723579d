"""Percentages that never round to nothing or to all."""

import math

from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.percentages import percent


def test_shares_are_printed_to_one_decimal() -> None:
    assert [percent(share) for share in (0.0, 1.0, 0.12345, None, math.nan)] == ["0%", "100%", "12.3%", "-", "-"]


@given(st.floats(0, 1), st.integers(0, 3))
def test_only_nothing_is_nothing_and_only_all_is_all(share: float, decimals: int) -> None:
    printed = percent(share, decimals)
    assert (printed == "0%") == (share == 0)
    assert (printed == "100%") == (share == 1)
    assert abs(float(printed.strip("<>%")) / 100 - share) <= 10.0 ** -(decimals + 2)
