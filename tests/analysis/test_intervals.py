"""Means over runs and their intervals, beside scipy's."""

import numpy as np
import pytest
from scipy import stats

from evoter.analysis.intervals import mean_interval


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
