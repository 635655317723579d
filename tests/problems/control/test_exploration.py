"""Exploration records what random episodes look like."""

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.problems.control.exploration import explore

SEEDS = np.arange(30)


def test_steps_follow_from_each_other() -> None:
    explored = explore(BatchCartPole(), 2, SEEDS)
    n = len(explored.actions)
    assert len(explored.observations) == len(explored.next_observations) == len(explored.rewards) == n
    assert explored.done.sum() == len(SEEDS)
    assert explored.returns.sum() == n
    # The position moves by the velocity before the step.
    moved = explored.next_observations[:, 0] - explored.observations[:, 0]
    np.testing.assert_allclose(moved, 0.02 * explored.observations[:, 1], atol=1e-6)
    assert set(explored.actions) == {0, 1}


def test_equal_seeds_explore_alike() -> None:
    for one, other in zip(explore(BatchCartPole(), 2, SEEDS), explore(BatchCartPole(), 2, SEEDS), strict=True):
        np.testing.assert_array_equal(one, other)


def test_persistent_episodes_see_more() -> None:
    explored = explore(BatchCartPole(), 2, np.arange(200))
    assert np.abs(explored.observations[:, 1]).max() > 1.5
