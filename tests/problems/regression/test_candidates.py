"""Candidates: few levels near all numbers, and linear functions of features that are never missing."""

import numpy as np

from evoter.problems.regression.candidates import N_LEVELS, choose_candidates, levels_of


def test_levels_are_near_all_numbers() -> None:
    numbers = np.random.default_rng(0).normal(size=2_000)
    levels = levels_of(numbers, np.ones(2_000), N_LEVELS)
    nearest = np.abs(numbers[:, None] - levels).min(axis=1)
    assert len(levels) == N_LEVELS
    assert (nearest**2).mean() < 0.01 * numbers.var()
    assert (np.diff(levels) > 0).all()


def test_a_weight_of_two_is_two_rows() -> None:
    numbers = np.random.default_rng(0).normal(size=100)
    weights = np.random.default_rng(1).integers(1, 3, 100)
    repeated = np.repeat(numbers, weights)
    assert (
        levels_of(numbers, weights.astype(float), 8).tolist() == levels_of(repeated, np.ones(len(repeated)), 8).tolist()
    )


def test_terms_are_features_that_explain_something() -> None:
    draw = np.random.default_rng(0)
    columns = draw.normal(size=(4, 300))
    columns[1, 5] = np.nan
    columns[2] = 7.0
    numbers = 3.0 * columns[3] + 0.1 * draw.normal(size=300)
    found = choose_candidates(columns, np.arange(4), numbers, np.ones(300), None)
    assert found.positions.tolist() == [0, 3]
    values = found.values(np.arange(300))
    best = np.abs(values - numbers[:, None])[:, found.term_of == 1].min(axis=1)
    assert best.max() < 0.5
