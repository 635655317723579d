"""Ranks, crowding and survival are what their definitions say, and pymoo's on the same points.

Two conventions are ours. pymoo's ranks know no NaN and its crowding no infinity; here NaN is the worst value, and an
infinite value is nobody's neighbour. pymoo breaks ties of survival at random; here the lower number survives.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from evoter.kernels.fronts.pareto import crowding_distances, rank_fronts, survival_order
from evoter.kernels.layout import Floats, Ints
from laws import examples, n_cases

NONE: Floats = np.empty(0)

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, 2.0, 3.0, 1e308, -1e308, float("inf"), -float("inf"), float("nan")])
POINTS = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12), elements=NUMBERS)
FINITE = arrays(np.float64, st.tuples(st.integers(1, 25), st.integers(1, 5)), elements=st.integers(0, 4).map(float))


def ranked(points: Floats, violations: Floats = NONE) -> tuple[Ints, Ints]:
    ranks, copies = np.full(len(points), -1), np.full(len(points), -1)
    n_fronts = rank_fronts(points, violations, ranks, copies)
    assert sorted(set(ranks.tolist())) == list(range(n_fronts))
    return ranks, copies


def crowded(points: Floats, ranks: Ints) -> Floats:
    crowding = np.full(len(points), np.nan)
    crowding_distances(points, ranks, crowding)
    return crowding


def ordered(ranks: Ints, crowding: Floats) -> Ints:
    order = np.full(len(ranks), -1)
    survival_order(ranks, crowding, order)
    return order


def dominates(a: Floats, b: Floats, violation: float = 0.0, other: float = 0.0) -> bool:
    if violation != other:
        return violation < other
    return bool((a <= b).all() and (a < b).any())


def peeled(points: Floats, violations: Floats) -> list[int]:
    """Ranks by definition: the points that no remaining one dominates are a front; take it away and go on."""
    points = np.where(np.isnan(points), np.inf, points)
    violations = np.maximum(np.where(np.isnan(violations), np.inf, violations), 0.0)
    ranks = [-1] * len(points)
    left = set(range(len(points)))
    front = 0
    while left:
        best = {i for i in left if not any(dominates(points[j], points[i], violations[j], violations[i]) for j in left)}
        for i in best:
            ranks[i] = front
        left -= best
        front += 1
    return ranks


def spread(points: Floats, ranks: Ints) -> list[float]:
    """Crowding by definition, front by front."""
    crowding = [0.0] * len(points)
    for front in set(ranks.tolist()):
        members = [i for i in range(len(points)) if ranks[i] == front]
        for column in points.T.tolist():
            line = sorted((i for i in members if np.isfinite(column[i])), key=lambda i: column[i])
            if not line or column[line[0]] == column[line[-1]]:
                continue
            width = column[line[-1]] / 2 - column[line[0]] / 2
            for before, i, after in zip(line, line[1:], line[2:], strict=False):
                crowding[i] += (column[after] / 2 - column[before] / 2) / width / points.shape[1]
            crowding[line[0]] = crowding[line[-1]] = np.inf
        if len(members) <= 2:
            for i in members:
                crowding[i] = np.inf
    return crowding


@examples(500)
@given(POINTS, st.data())
def test_ranks_by_definition(points: Floats, data: st.DataObject) -> None:
    violations = data.draw(arrays(np.float64, len(points), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan])))
    assert ranked(points)[0].tolist() == peeled(points, np.zeros(len(points)))
    assert ranked(points, violations)[0].tolist() == peeled(points, violations)


@examples(300)
@given(POINTS)
def test_crowding_by_definition(points: Floats) -> None:
    ranks, _ = ranked(points)
    assert crowded(points, ranks).tolist() == pytest.approx(spread(points, ranks))


@examples(300)
@given(POINTS | FINITE)
def test_equal_points_share_a_front_and_are_counted(points: Floats) -> None:
    ranks, copies = ranked(points)
    clean = np.where(np.isnan(points), np.inf, points)
    for i, point in enumerate(clean):
        equal = (clean == point).all(axis=1)
        assert copies[i] == equal[:i].sum()
        assert len(set(ranks[equal].tolist())) == 1


@examples(300)
@given(FINITE, st.randoms(use_true_random=False))
def test_ranks_depend_on_neither_order_nor_scale(points: Floats, rng: Any) -> None:
    ranks, _ = ranked(points)
    shuffled = list(range(len(points)))
    rng.shuffle(shuffled)
    assert ranked(points[shuffled])[0].tolist() == ranks[shuffled].tolist()
    columns = list(range(points.shape[1]))
    rng.shuffle(columns)
    assert ranked(np.ascontiguousarray(np.exp(points[:, columns]) - 7.0))[0].tolist() == ranks.tolist()


@examples(300)
@given(FINITE)
def test_survivors_are_whole_fronts_and_the_least_crowded_of_the_last(points: Floats) -> None:
    ranks, _ = ranked(points)
    crowding = crowded(points, ranks)
    order = ordered(ranks, crowding)
    assert sorted(order.tolist()) == list(range(len(points)))
    for i, j in pairwise(order.tolist()):
        assert (ranks[i], -crowding[i], i) < (ranks[j], -crowding[j], j)


def random_front(rng: np.random.Generator) -> Floats:
    """Points with ties and copies, some on one front, some continuous."""
    n, m = int(rng.integers(1, 60)), int(rng.integers(2, 6))
    if rng.random() < 0.5:
        points = rng.integers(0, rng.integers(1, 9), (n, m)).astype(np.float64)
    else:
        points = rng.random((n, m))
        if rng.random() < 0.5:
            points /= np.linalg.norm(points, axis=1, keepdims=True)
    copies = rng.integers(0, n, int(rng.integers(0, n + 1)))
    points[rng.integers(0, n, len(copies))] = points[copies]
    return points


def test_ranks_and_crowding_are_pymoos() -> None:
    sorting = pytest.importorskip("pymoo.util.nds.non_dominated_sorting", exc_type=ImportError).NonDominatedSorting()
    metrics = pytest.importorskip("pymoo.operators.survival.rank_and_crowding.metrics", exc_type=ImportError)
    crowding = metrics.get_crowding_function("cd")
    rng = np.random.default_rng(3)
    for _ in range(n_cases(4_000)):
        points = random_front(rng)
        fronts, expected = sorting.do(points, return_rank=True)
        ranks, _ = ranked(points)
        assert ranks.tolist() == expected.tolist()
        distances = crowded(points, ranks)
        for front in fronts:
            assert distances[front].tolist() == pytest.approx(crowding.do(points[front]).tolist(), rel=1e-12)


def test_constraint_domination_is_pymoos() -> None:
    dominator = pytest.importorskip("pymoo.util.dominator", exc_type=ImportError).Dominator
    rng = np.random.default_rng(4)
    for _ in range(500):
        a, b = rng.integers(0, 3, (2, 3)).astype(np.float64)
        violation, other = rng.integers(0, 3, 2).astype(np.float64)
        ranks, _ = ranked(np.array([a, b]), np.array([violation, other]))
        assert ranks[1] - ranks[0] == dominator.get_relation(a, b, violation, other)


@pytest.mark.parametrize("n_objectives", [2, 3, 4])
def test_many_points(n_objectives: int) -> None:
    """More than fit one block of sets, and more fronts than there is room for at first."""
    moocore = pytest.importorskip("moocore")
    rng = np.random.default_rng(n_objectives)
    points = rng.random((3_000, n_objectives))
    points[::2] = points[::2, :1] + 0.01 * points[::2]
    points[rng.integers(0, 3_000, 500)] = points[rng.integers(0, 3_000, 500)]
    ranks, _ = ranked(points)
    assert ranks.max() > 20
    assert np.array_equal(ranks, moocore.pareto_rank(points))


def test_nobody() -> None:
    nobody = np.empty((0, 2))
    ranks, _ = ranked(nobody)
    assert crowded(nobody, ranks).shape == ordered(ranks, NONE).shape == (0,)


def test_a_point_of_nan_is_last_and_does_not_touch_the_others() -> None:
    points = np.array([[0.0, 2.0], [np.nan, np.nan], [1.0, 1.0], [2.0, 0.0], [0.0, np.nan]])
    ranks, _ = ranked(points)
    assert ranks.tolist() == [0, 2, 0, 0, 1]
    assert crowded(points, ranks).tolist() == [np.inf, np.inf, 1.0, np.inf, np.inf]
