"""Screening finds the cut that explains most of the variance of the rewards, within each part of the rows."""

import numpy as np
import pytest

from evoter.kernels.layout import Floats, Ints
from evoter.kernels.refinement.screening import cut_lines, cut_sums
from laws import n_cases


def explained(line: Floats, rewards: Floats) -> float:
    """The most that a cut explains, by trying each; missing values are on neither side."""
    present = ~np.isnan(line)
    line, rewards = line[present], rewards[present]
    best = 0.0
    for cut in np.unique(line)[:-1]:
        sides = (line <= cut, line > cut)
        between = sum(side.sum() * ((rewards[side].mean(axis=0) - rewards.mean(axis=0)) ** 2).sum() for side in sides)
        best = max(best, float(between))
    return best


def random_rows(seed: int) -> tuple[Floats, Floats, Ints]:
    rng = np.random.default_rng(seed)
    lines = np.round(rng.normal(size=(3, 40)), 1)
    lines[rng.random((3, 40)) < 0.1] = np.nan
    return lines, rng.normal(size=(40, 2)), rng.integers(0, 3, 40)


def test_lines_are_cut_where_most_is_explained() -> None:
    for seed in range(n_cases(100)):
        lines, rewards, parts = random_rows(seed)
        gains, cuts = np.zeros((3, 3)), np.zeros((3, 3))
        cut_lines(lines, rewards, parts, 3, gains, cuts)
        for k, line in enumerate(lines):
            for part in range(3):
                rows = parts == part
                assert gains[k, part] == pytest.approx(explained(line[rows], rewards[rows]), abs=1e-9)
                assert np.isnan(cuts[k, part]) == (gains[k, part] == 0.0)


def test_sums_are_cut_like_lines() -> None:
    for seed in range(n_cases(100)):
        lines, rewards, parts = random_rows(seed)
        levels = np.array([np.zeros(40, np.int64), parts])
        pairs, coefficients = np.array([[0, 1], [2, 0]]), np.array([0.5, -2.0])
        gains = np.zeros((2, 2, 3))
        cut_sums(lines, pairs, coefficients, rewards, levels, 3, gains)
        for k, ((left, right), coefficient) in enumerate(zip(pairs, coefficients, strict=True)):
            total = lines[left] + coefficient * lines[right]
            for level in range(2):
                for part in range(3):
                    rows = levels[level] == part
                    expected = explained(total[rows], rewards[rows])
                    assert gains[k, level, part] == pytest.approx(expected, abs=1e-9)
