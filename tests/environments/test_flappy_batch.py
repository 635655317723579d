"""The compiled game is the game."""

import numpy as np
import pytest

from evoter.environments.flappy_batch import BatchFlappyBird

pytest.importorskip("gymnasium")

from evoter.environments.flappy_bird import FlappyBird


def flap_below_the_middle(observations: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    wanted = observations[:, 0] > observations[:, 4] - 40
    actions: np.ndarray = np.where(rng.random(len(observations)) < 0.02, ~wanted, wanted).astype(np.int64)
    return actions


def test_every_frame_equals_the_single_game() -> None:
    seeds = np.arange(40)
    rng = np.random.default_rng(0)
    batch = BatchFlappyBird()
    seen = batch.reset(seeds)
    games = [FlappyBird() for _ in seeds]
    for row, game in enumerate(games):
        np.testing.assert_array_equal(seen[row], game.reset(seed=int(seeds[row]))[0])
    n_compared = 0
    rows = np.arange(len(seeds))
    while len(rows):
        actions = flap_below_the_middle(seen, rng)
        seen, rewards, done = batch.step(actions)
        for k, row in enumerate(rows.tolist()):
            observation, reward, crashed, _, _ = games[row].step(actions[k])
            np.testing.assert_array_equal(seen[k], observation)
            assert (rewards[k], done[k]) == (reward, crashed)
            n_compared += 1
        if done.any():
            left = np.flatnonzero(~done)
            batch.keep(left)
            rows, seen = rows[left], seen[left]
    assert n_compared > 4_000


def test_equal_seeds_begin_equal_courses() -> None:
    observations = BatchFlappyBird().reset(np.array([7, 3, 7]))
    np.testing.assert_array_equal(observations[0], observations[2])
    assert (observations[0] != observations[1]).any()


def test_there_are_pipes_enough_for_a_whole_game() -> None:
    batch = BatchFlappyBird()
    batch.reset(np.array([0]))
    for _ in range(batch.max_steps):
        seen = batch.step(np.array([0])).observations
    assert (seen[0, 2:] >= 0).all()
