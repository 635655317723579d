"""Designs depend on the order of the values alone."""

from collections.abc import Callable

import numpy as np
import pytest

from evoter.kernels.layout import Floats
from evoter.problems.classification.targets.designs import (
    MAX_CATEGORIES,
    rank_lines,
    score_design,
    tree_design,
)

IS_NUMBER = [True, True, False]


def lines(seed: int = 0, n: int = 60) -> Floats:
    rng = np.random.default_rng(seed)
    first = np.round(rng.normal(size=n), 1)
    first[rng.random(n) < 0.1] = np.nan
    return np.array([first, rng.exponential(size=n), rng.integers(0, 3, n)])


@pytest.mark.parametrize("function", [np.exp, lambda x: x**3, np.arctan, lambda x: 2.0 * x - 7.0])
def test_increasing_functions_of_numbers_change_nothing(function: Callable[[Floats], Floats]) -> None:
    plain = lines()
    changed = np.array([function(plain[0]), function(plain[1]), plain[2]])
    first, second = rank_lines(plain, IS_NUMBER), rank_lines(changed, IS_NUMBER)
    assert np.array_equal(first, second, equal_nan=True)
    assert np.array_equal(score_design(first, IS_NUMBER), score_design(second, IS_NUMBER))
    for ours, theirs in zip(tree_design(first, IS_NUMBER), tree_design(second, IS_NUMBER), strict=True):
        assert np.array_equal(ours, theirs)


def test_designs_have_no_gaps_and_tell_missing_values_apart() -> None:
    ranked = rank_lines(lines(), IS_NUMBER)
    for design in (tree_design(ranked, IS_NUMBER).matrix, score_design(ranked, IS_NUMBER)):
        assert np.isfinite(design).all()
        missing = np.isnan(ranked[0])
        assert len(np.unique(design[missing][:, 1])) == 1
    assert (tree_design(ranked, IS_NUMBER).matrix[np.isnan(ranked[0]), 1] == -1).all()


def test_scores_have_the_variance_of_a_normal_distribution() -> None:
    ranked = rank_lines(np.random.default_rng(1).exponential(size=(1, 500)), [True])
    scores = score_design(ranked, [True])[:, 1]
    assert scores.std() == pytest.approx(1.0)
    assert scores.mean() == pytest.approx(0.0, abs=1e-9)
    assert np.argsort(scores).tolist() == np.argsort(ranked[0]).tolist()


def test_frequent_categories_have_columns_and_others_none() -> None:
    codes = np.repeat(np.arange(50.0), np.arange(50, 0, -1))
    design, lines_of = tree_design(codes[None], [False])
    assert design.shape[1] == 1 + MAX_CATEGORIES == len(lines_of)
    assert design[codes >= MAX_CATEGORIES].sum() == 0.0


def test_columns_of_trees_know_their_lines() -> None:
    ranked = rank_lines(lines(), IS_NUMBER)
    design = tree_design(ranked, IS_NUMBER)
    assert design.lines.tolist() == [0, 0, 1, 2, 2, 2]  # the first column is constant
    assert np.array_equal(design.matrix[:, 2], ranked[1])
