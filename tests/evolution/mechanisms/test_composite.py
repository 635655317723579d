"""Composite objectives keep some of the front: all of it at 0, the best sum at 1, and less the more is mixed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evoter.evolution.mechanisms.composite import composed
from evoter.evolution.mechanisms.nsga2 import stand
from evoter.kernels.layout import Floats
from laws import examples

COSTS = arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(2, 3)), elements=st.integers(-5, 5).map(float))


def front(costs: Floats) -> set[int]:
    return set(np.flatnonzero(stand(costs).ranks == 0).tolist())


def test_nothing_mixed_is_nothing_changed() -> None:
    costs = np.array([[1.0, np.inf], [2.0, -3.0]])
    assert composed(costs, 0.0) is costs


@examples(200)
@given(COSTS, st.sampled_from([0.1, 0.25, 0.5]))
def test_the_more_is_mixed_the_fewer_are_on_the_front(costs: Floats, share: float) -> None:
    more = front(composed(costs, 2 * share).round(9))
    some = front(composed(costs, share).round(9))
    assert more <= some <= front(costs)
    assert more


@examples(100)
@given(COSTS, st.floats(0.0, 1.0))
def test_scales_do_not_matter(costs: Floats, share: float) -> None:
    factors = np.array([1e-3, 1.0, 1e6])[: costs.shape[1]]
    assert front(composed(costs, share).round(9)) == front(composed(costs * factors, share).round(9))


def test_infinite_costs_stay_infinite() -> None:
    costs = np.array([[0.0, 1.0], [np.inf, 0.0], [-np.inf, np.inf], [1.0, 0.0], [1e308, -1e308]])
    mixed = composed(costs, 0.5)
    assert np.isinf(mixed[1:3]).all()
    assert np.isfinite(mixed[[0, 3, 4]]).all()
    assert composed(np.full((2, 2), np.inf), 0.5).tolist() == [[np.inf, np.inf]] * 2
