"""The game obeys gymnasium's protocol and the original's physics."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from evoter.environments.flappy_bird import FlappyBird


def play(*actions: int) -> list[list[float]]:
    game = FlappyBird()
    game.reset(seed=0)
    return [game.step(np.int64(action))[0].tolist() for action in actions]


def test_it_is_a_gymnasium_environment() -> None:
    check_env(FlappyBird(render_mode="rgb_array"), skip_render_check=True)


def test_it_is_registered_with_the_papers_length() -> None:
    game = gymnasium.make("evoter.environments.flappy_bird:evoter/FlappyBird-v0")
    assert game.spec is not None
    assert game.spec.max_episode_steps == 3_600


def test_the_first_observation() -> None:
    observation, _ = FlappyBird().reset(seed=0)
    y, velocity, distance, top, bottom, next_distance, next_top, next_bottom = observation
    assert (y, velocity, distance, next_distance) == (256, 0, 340 - 57, 484 - 57)
    assert bottom - top == next_bottom - next_top == 100


def test_a_game_begins_with_a_flap_and_falls_ever_faster() -> None:
    velocities = [observation[1] for observation in play(*[0] * 25)]
    assert velocities == [-8, -8, *range(-7, 11), *[10] * 5]


def test_a_flap_lifts_for_two_frames() -> None:
    assert [observation[1] for observation in play(0, 0, 0, 1, 0, 0)] == [-8, -8, -7, -8, -8, -7]


def test_a_flap_right_after_a_flap_only_stops_the_bird() -> None:
    assert [observation[1] for observation in play(0, 0, 0, 1, 1, 0)] == [-8, -8, -7, -8, 0, 1]


def test_heights_add_up_and_pipes_come_nearer() -> None:
    seen = play(*[0] * 10)
    heights = np.cumsum([256.0, *(observation[1] for observation in seen)])[1:]
    assert [observation[0] for observation in seen] == heights.tolist()
    assert [observation[2] for observation in seen] == [283 - 4 * k for k in range(1, 11)]


def test_a_bird_that_does_nothing_falls_on_the_ground() -> None:
    game = FlappyBird()
    seen, _ = game.reset(seed=0)
    n_frames = 0
    crashed = False
    while not crashed:
        before = seen
        seen, reward, crashed, truncated, _ = game.step(np.int64(0))
        n_frames += 1
        assert reward == (0.0 if crashed else 1.0)
        assert not truncated
        assert game.observation_space.contains(seen)
    assert before[0] >= 0.79 * 512 - 24
    assert n_frames == 33


def test_a_bird_that_always_climbs_leaves_the_screen() -> None:
    game = FlappyBird()
    seen, _ = game.reset(seed=0)
    crashed = False
    for frame in range(200):
        before = seen
        seen, _, crashed, _, _ = game.step(np.int64(frame % 2 == 0))
        if crashed:
            break
    assert crashed
    assert before[0] <= 0


def test_a_long_course_is_drawn_on() -> None:
    """Pipes are drawn for one length of the game at a time."""
    game = FlappyBird()
    game.reset(seed=0)
    tops = {float(game.step(np.int64(0))[0][3]) for _ in range(20_000)}
    assert len(tops) > 100


def test_only_pictures_as_arrays_are_rendered() -> None:
    with pytest.raises(ValueError, match="'rgb_array' or not at all"):
        FlappyBird(render_mode="human")
    assert FlappyBird().render() is None
