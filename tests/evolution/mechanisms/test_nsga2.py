"""Standing among others: directions, NaN, constraints, copies."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats
from laws import examples

COSTS = arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(1, 3)), elements=st.integers(0, 3).map(float))


def test_less_is_better_whatever_the_direction() -> None:
    objectives = [Objective("profit"), Objective("risk", maximise=False)]
    scores = np.array([[3.0, 0.5], [1.0, 0.5], [3.0, 0.9]])
    assert stand(as_costs(scores, objectives)).ranks.tolist() == [0, 1, 1]
    assert scores[0, 0] == 3.0


def test_nan_is_worst_in_both_directions() -> None:
    objectives = [Objective("profit"), Objective("risk", maximise=False)]
    assert as_costs(np.full((1, 2), np.nan), objectives).tolist() == [[np.inf, np.inf]]


def test_a_feasible_one_stands_before_all_others() -> None:
    costs = np.array([[0.0, 0.0], [5.0, 5.0], [1.0, 1.0], [9.0, 9.0]])
    assert stand(costs, np.array([2.0, 0.0, 1.0, 1.0])).order.tolist() == [1, 2, 3, 0]


@examples(200)
@given(COSTS)
def test_the_first_of_equals_stand_as_if_there_were_no_copies(costs: Floats) -> None:
    standing = stand(costs, copies_last=True)
    firsts = np.flatnonzero(standing.copies == 0)
    alone = stand(costs[firsts])
    n = len(firsts)
    assert standing.order[:n].tolist() == firsts[alone.order].tolist()
    assert standing.ranks[firsts].tolist() == alone.ranks.tolist()
    assert standing.crowding[firsts].tolist() == alone.crowding.tolist()
    assert (np.diff(standing.copies[standing.order]) >= 0).all()
