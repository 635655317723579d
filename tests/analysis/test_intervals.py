"""Intervals of means are Student's, and those of proportions are Wilson's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evoter.analysis.intervals import difference_interval, mean_interval, proportion_interval, proportion_intervals


@pytest.mark.parametrize("n_runs", [2, 3, 10, 40])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_it_is_students_interval(n_runs: int, level: float) -> None:
    values = np.random.default_rng(n_runs).normal(3.0, 2.0, size=(n_runs, 5))
    mean, half = mean_interval(values, level)
    low, high = stats.t.interval(level, n_runs - 1, loc=values.mean(axis=0), scale=stats.sem(values, axis=0))
    np.testing.assert_allclose(mean - half, low)
    np.testing.assert_allclose(mean + half, high)


def test_one_run_has_no_width_and_equal_runs_have_none() -> None:
    assert mean_interval([[1.0, 2.0]]).half.tolist() == [0.0, 0.0]
    assert mean_interval([[1.0], [1.0], [1.0]]).half.tolist() == [0.0]


def test_runs_on_overlapping_splits_have_wider_intervals() -> None:
    plain, corrected = (mean_interval([0.8, 0.9, 0.85], test_per_train=share).half for share in (0.0, 30 / 70))
    assert float(corrected / plain) == pytest.approx((1 + 3 * 30 / 70) ** 0.5)


def test_a_number_for_each_run_is_enough() -> None:
    mean, half = mean_interval([1.0, 3.0])
    assert float(mean) == 2.0
    assert round(float(half), 3) == 12.706


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_are_where_a_test_would_just_reject(case: tuple[int, int]) -> None:
    n_hits, n_rows = case
    share = n_hits / n_rows
    low, high = proportion_interval(n_hits, n_rows)
    assert 0.0 <= low <= share <= high <= 1.0
    for end in (low, high):
        if 0.0 < end < 1.0:
            assert abs(share - end) == pytest.approx(stats.norm.ppf(0.975) * (end * (1 - end) / n_rows) ** 0.5)


def test_few_rows_say_little() -> None:
    assert proportion_interval(3, 3)[0] < 0.5
    assert proportion_interval(0, 3)[1] > 0.5


@pytest.mark.parametrize(("n_hits", "n_rows"), [(0, 0), (2, 1), (-1, 4)])
def test_impossible_counts_are_refused(n_hits: int, n_rows: int) -> None:
    with pytest.raises(ValueError, match=f"not {n_hits} of {n_rows}"):
        proportion_interval(n_hits, n_rows)


@given(st.lists(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1))
def test_many_proportions_have_the_intervals_of_each(cases: list[tuple[int, int]]) -> None:
    hits, rows = np.array(cases).T
    low, high = proportion_intervals(hits, rows)
    for number, case in enumerate(cases):
        assert (low[number], high[number]) == pytest.approx(proportion_interval(*case), abs=1e-12)
        assert low[number] <= case[0] / case[1] <= high[number]
    assert np.isnan(proportion_intervals(0, 0)).all()


@given(st.integers(1, 500), st.integers(1, 500), st.data())
def test_differences_lie_within_their_intervals(n: int, m: int, data: st.DataObject) -> None:
    hits = np.array([data.draw(st.integers(0, n)), data.draw(st.integers(0, m))])
    low, high = proportion_intervals(hits, [n, m])
    one, other = ((hits[k] / (n, m)[k], low[k], high[k]) for k in range(2))
    begin, end = difference_interval(one, other)
    assert -1.0 <= begin <= one[0] - other[0] <= end <= 1.0
    assert difference_interval(other, one) == pytest.approx((-end, -begin))
