"""Wilson's interval, by the test that it inverts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.proportions import Z, proportion_interval


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_are_where_a_test_would_just_reject(case: tuple[int, int]) -> None:
    n_hits, n_rows = case
    share = n_hits / n_rows
    low, high = proportion_interval(n_hits, n_rows)
    assert 0.0 <= low <= share <= high <= 1.0
    for end in (low, high):
        if 0.0 < end < 1.0:
            assert abs(share - end) == pytest.approx(Z * (end * (1 - end) / n_rows) ** 0.5)


def test_few_rows_say_little() -> None:
    assert proportion_interval(3, 3)[0] < 0.5
    assert proportion_interval(0, 3)[1] > 0.5


@pytest.mark.parametrize(("n_hits", "n_rows"), [(0, 0), (2, 1), (-1, 4)])
def test_impossible_counts_are_refused(n_hits: int, n_rows: int) -> None:
    with pytest.raises(ValueError, match=f"not {n_hits} of {n_rows}"):
        proportion_interval(n_hits, n_rows)
