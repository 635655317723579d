"""The hypervolume equals a count of cells, moocore's, and what is known of simple bodies."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats
from laws import examples, n_cases

SIDE = 4
ON_A_GRID = st.integers(1, 5).flatmap(
    lambda m: arrays(np.float64, st.tuples(st.integers(0, 9), st.just(m)), elements=st.integers(0, SIDE + 1).map(float))
)


def counted(points: Floats) -> int:
    """How many cells of side 1 before (SIDE, ..., SIDE) some point dominates."""
    cells = np.array(list(product(range(SIDE), repeat=points.shape[1])), dtype=np.float64)
    dominated = (points[:, None, :] <= cells[None, :, :]).all(axis=2)
    return int(dominated.any(axis=0).sum())


@examples(600)
@given(ON_A_GRID)
def test_volumes_are_cells(points: Floats) -> None:
    assert hypervolume(points, np.full(points.shape[1], float(SIDE))) == counted(points)


@examples(200)
@given(ON_A_GRID, st.randoms(use_true_random=False))
def test_neither_order_nor_copies_nor_worthless_points_matter(points: Floats, rng: object) -> None:
    reference = np.full(points.shape[1], float(SIDE))
    more = np.concatenate([points[::-1], points, np.full((1, points.shape[1]), np.nan), points + SIDE, points + 0.5])
    assert hypervolume(more, reference) == pytest.approx(hypervolume(points, reference))


@pytest.mark.parametrize("n_objectives", [2, 3, 4, 5])
def test_volumes_are_moocores(n_objectives: int) -> None:
    moocore = pytest.importorskip("moocore")
    rng = np.random.default_rng(n_objectives)
    for _ in range(n_cases(1_000 if n_objectives <= 3 else 100)):
        points = rng.random((int(rng.integers(1, 40)), n_objectives))
        if rng.random() < 0.5:
            points = np.round(points, 1)
        reference = rng.uniform(0.3, 1.2, n_objectives)
        expected = moocore.hypervolume(points, ref=reference)
        assert hypervolume(points, reference) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_staircase_in_space() -> None:
    steps = np.arange(1.0, 50.0)
    points = np.column_stack([steps, 50.0 - steps, np.zeros(len(steps))])
    reference = np.full(3, 50.0)
    expected = sum(steps) * 50.0
    for turned in (points, points[::-1], points[:, [2, 0, 1]], points[:, [1, 2, 0]]):
        assert hypervolume(np.ascontiguousarray(turned), reference) == expected


def test_infinities() -> None:
    reference = np.ones(3)
    assert hypervolume(np.array([[0.5, -np.inf, 0.5]]), reference) == np.inf
    assert hypervolume(np.array([[2.0, -np.inf, 0.5], [0.5, 0.5, np.inf]]), reference) == 0.0
