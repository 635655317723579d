"""The batch of cart-pole is gymnasium's, bit by bit."""

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole

gymnasium = pytest.importorskip("gymnasium")


def test_every_step_equals_gymnasiums() -> None:
    seeds = np.arange(60)
    rng = np.random.default_rng(0)
    batch = BatchCartPole()
    seen = batch.reset(seeds)
    singles = [gymnasium.make("CartPole-v1").unwrapped for _ in seeds]
    for row, single in enumerate(singles):
        np.testing.assert_array_equal(seen[row], single.reset(seed=int(seeds[row]))[0])
    alive = np.ones(len(seeds), np.bool_)
    n_compared = 0
    while alive.any():
        # Pushing towards the side the pole falls to keeps episodes long enough to see the whole range.
        actions = np.where(rng.random(len(seeds)) < 0.2, rng.integers(2, size=len(seeds)), seen[:, 2] + seen[:, 3] > 0)
        seen, rewards, done = batch.step(actions.astype(np.int64))
        for row in np.flatnonzero(alive).tolist():
            observation, reward, terminated, _, _ = singles[row].step(int(actions[row]))
            np.testing.assert_array_equal(seen[row], observation)
            assert (rewards[row], done[row]) == (reward, terminated)
            n_compared += 1
        alive &= ~done
    assert n_compared > 3_000


def test_equal_seeds_begin_equal_episodes() -> None:
    observations = BatchCartPole().reset(np.array([7, 3, 7]))
    np.testing.assert_array_equal(observations[0], observations[2])
    assert (observations[0] != observations[1]).all()


def test_kept_episodes_go_on_as_if_alone() -> None:
    together, alone = BatchCartPole(), BatchCartPole()
    together.reset(np.array([1, 2, 3]))
    alone.reset(np.array([3, 1]))
    together.keep(np.array([2, 0]))
    for action in (0, 1, 1):
        actions = np.full(2, action)
        np.testing.assert_array_equal(together.step(actions).observations, alone.step(actions).observations)
