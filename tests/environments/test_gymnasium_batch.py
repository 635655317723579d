"""A batch of ordinary environments returns what each of them returns."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium

from evoter.environments.cart_pole import BatchCartPole
from evoter.environments.gymnasium_batch import GymnasiumBatch


def cart_poles() -> GymnasiumBatch:
    return GymnasiumBatch(lambda: gymnasium.make("CartPole-v1"), np.arange(2), 500)


def test_it_agrees_with_the_compiled_batch() -> None:
    ordinary, compiled = cart_poles(), BatchCartPole()
    seeds = np.array([5, 9, 5])
    np.testing.assert_array_equal(ordinary.reset(seeds), compiled.reset(seeds))
    for k in range(5):
        actions = np.array([k % 2, 1, 0])
        for one, other in zip(ordinary.step(actions), compiled.step(actions), strict=True):
            np.testing.assert_array_equal(one, other)
        if k == 2:
            ordinary.keep(np.array([1, 0, 2]))
            compiled.keep(np.array([1, 0, 2]))


def test_an_episode_that_is_done_is_not_stepped() -> None:
    batch = cart_poles()
    batch.reset(np.array([0, 1]))
    while not batch.step(np.array([1, 1])).done.all():
        pass
    assert batch.step(np.array([1, 1])).rewards.tolist() == [0.0, 0.0]


def test_environments_are_used_again() -> None:
    made = []

    def make() -> gymnasium.Env:
        made.append(gymnasium.make("CartPole-v1"))
        return made[-1]

    batch = GymnasiumBatch(make, np.arange(2), 500)
    for _ in range(3):
        batch.reset(np.arange(4))
    assert len(made) == 4
    batch.close()
    batch.reset(np.arange(2))
    assert len(made) == 6


def test_actions_are_looked_up() -> None:
    batch = GymnasiumBatch(lambda: gymnasium.make("Pendulum-v1"), np.array([[-2.0], [2.0]], np.float32), 200)
    before = batch.reset(np.array([0, 0])).copy()
    after = batch.step(np.array([0, 1])).observations
    assert before.shape == (2, 3)
    assert after[0, 2] < after[1, 2]
