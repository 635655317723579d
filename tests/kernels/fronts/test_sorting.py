"""Points are sorted as numpy sorts them: stably, by one coordinate or by all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.fronts.sorting import equal_points, room_for_sorting, sort_by_column, sort_by_columns
from evoter.kernels.layout import Floats, Ints
from laws import examples

NUMBERS = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, 2.0, float("inf"), -float("inf"), 5e-324])


@allocating_kernel
def sort_one(points: Floats, m: int, order: Ints) -> None:
    sort_by_column(points, m, order, room_for_sorting(len(points)))


@allocating_kernel
def sort_all(points: Floats, order: Ints) -> None:
    sort_by_columns(points, order, room_for_sorting(len(points)))


@allocating_kernel
def are_equal(points: Floats, a: int, b: int) -> bool:
    return equal_points(points, a, b)


@examples(300)
@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=70), elements=NUMBERS))
def test_a_few_points(points: Floats) -> None:
    check(points)


@pytest.mark.parametrize("n", [1, 48, 49, 1_000, 3_001])
def test_many_points(n: int) -> None:
    rng = np.random.default_rng(n)
    for scale in (1e-300, 1.0, 1e300):
        check(rng.normal(size=(n, 2)) * scale)
    check(rng.integers(-3, 4, (n, 3)).astype(np.float64))


def check(points: Floats) -> None:
    n, n_columns = points.shape
    order = np.arange(n)
    for m in range(n_columns):
        sort_one(points, m, order)
        assert (points[order[:-1], m] <= points[order[1:], m]).all()
        if m == 0:
            assert np.array_equal(order, np.argsort(points[:, 0], kind="stable"))
    order = np.arange(n)
    sort_all(points, order)
    assert np.array_equal(order, np.lexsort(points.T[::-1]))


def test_only_the_points_asked_for_are_sorted() -> None:
    points = np.array([[3.0], [1.0], [2.0], [0.0], [1.0]])
    order = np.array([4, 0, 1])
    sort_one(points, 0, order)
    assert order.tolist() == [4, 1, 0]


def test_equal_points() -> None:
    points = np.array([[1.0, 0.0], [1.0, -0.0], [1.0, 2.0]])
    assert are_equal(points, 0, 1)
    assert not are_equal(points, 0, 2)
