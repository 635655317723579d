"""Rewards add up to scores, the unsure ones cost more, and a sample of rows has some of every class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.problems.classification.rewards import rewards_by_class, sample_by_class, score_range, uncertainty

EVEN = np.ones(3)


@given(st.lists(st.integers(1, 500), min_size=2, max_size=5), st.integers(1, 9))
def test_an_accuracy_is_as_unsure_as_its_different_rows(counts: list[int], copies: int) -> None:
    n_by_class = np.array(counts, np.float64)
    rewards = rewards_by_class("accuracy", np.ones(len(counts)), n_by_class * copies)
    assert score_range(rewards, n_by_class * copies) == pytest.approx(1.0)
    assert uncertainty(rewards, n_by_class * copies, sum(counts)) == pytest.approx(1.0 / np.sqrt(sum(counts)))


def test_balance_makes_a_rare_class_count_and_the_score_unsure() -> None:
    counts = np.array([900.0, 90.0, 10.0])
    rewards = rewards_by_class("balanced_accuracy", EVEN, counts)
    assert score_range(rewards, counts) == pytest.approx(1.0)
    assert uncertainty(rewards, counts, 1000) == pytest.approx(np.sqrt((1 / 900 + 1 / 90 + 1 / 10) / 9))


def test_costs_have_their_own_unit() -> None:
    counts = np.array([50.0, 50.0, 0.0])
    costs = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    plain, dear = (rewards_by_class(costs * factor, EVEN, counts) for factor in (1.0, 40.0))
    assert score_range(dear, counts) == pytest.approx(40.0 * score_range(plain, counts))
    assert uncertainty(dear, counts, 100) == pytest.approx(40.0 * uncertainty(plain, counts, 100))
    assert uncertainty(plain, counts, 100) == pytest.approx(0.1)


def test_other_measures_have_no_rewards() -> None:
    assert rewards_by_class("f1_macro", EVEN, EVEN) is None
    assert uncertainty(None, EVEN, 25) == 0.2
    assert score_range(None, EVEN) == 1.0


@given(st.lists(st.integers(0, 400), min_size=1, max_size=5).filter(any), st.integers(1, 300))
def test_a_sample_stands_for_all_rows_of_every_class(counts: list[int], n_rows: int) -> None:
    classes = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts))
    rows, stands_for = sample_by_class(classes, n_rows)
    assert len(np.unique(rows)) == len(rows) <= max(n_rows, sum(count > 0 for count in counts))
    totals = np.bincount(classes[rows], weights=stands_for, minlength=len(counts))
    assert totals == pytest.approx(np.array(counts, np.float64))
    if len(classes) <= n_rows:
        assert rows.tolist() == list(range(len(classes)))


def test_a_rare_class_is_not_thinned_out() -> None:
    classes = np.repeat([0, 1], [99_000, 1_000])
    rows, _ = sample_by_class(classes, 10_000)
    assert (classes[rows] == 1).sum() == 1_000
