"""Flappy Bird: the PyGame Learning Environment's game as a gymnasium environment without graphics."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from evoter.environments.flappy_course import (
    BIRD_START,
    BIRD_X,
    FASTEST_FALL,
    FIRST_PIPES,
    FLAP,
    GAP,
    GRAVITY,
    HIGHEST_GAP,
    LOWEST,
    LOWEST_GAP,
    MAX_STEPS,
    N_PIPES,
    NEXT_PIPE,
    PASSED,
    PIPE_SPEED,
    PIPE_WIDTH,
    REACH,
    ROOM,
    count_pipes,
    draw_gaps,
)
from evoter.environments.flappy_picture import draw
from evoter.kernels.layout import Floats

_RISE = GRAVITY - FLAP
_LOWEST_PIPE = [0.0, HIGHEST_GAP, HIGHEST_GAP + GAP]
_HIGHEST_PIPE = [FIRST_PIPES[-1] - BIRD_X, LOWEST_GAP, LOWEST_GAP + GAP]
# A bird that has collided is seen once more, two frames further on.
_LOW = [2 * _RISE, _RISE, *_LOWEST_PIPE, *_LOWEST_PIPE]
_HIGH = [LOWEST + 2 * FASTEST_FALL, FASTEST_FALL, *_HIGHEST_PIPE, *_HIGHEST_PIPE]


class FlappyBird(gymnasium.Env[Floats, np.int64]):
    """Fly a bird through gaps between pipes: flap (1) or not (0); every frame without a collision is worth 1.

    Observations are the bird's height and velocity, and for each of the next two pipes its distance and the top and
    bottom of its gap. As in the original, a pipe counts as passed when its middle is, half a pipe's breadth before
    the bird is out of it; a flap right after a flap only stops the bird; and a collision shows one frame later.
    `gymnasium.make("evoter.environments.flappy_bird:evoter/FlappyBird-v0")` ends episodes after two minutes, 3,600
    frames.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by gymnasium)
        "render_modes": ["rgb_array"],
        "render_fps": 30,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"FlappyBird renders as 'rgb_array' or not at all (None), not as {render_mode!r}")
        self.render_mode = render_mode
        self.action_space = Discrete(2)
        self.observation_space = Box(np.array(_LOW), np.array(_HIGH), dtype=np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode on a random course."""
        super().reset(seed=seed)
        self._y = BIRD_START
        self._velocity = 0.0
        self._flapping = True
        self._thrusting = False
        self._course = draw_gaps(self.np_random, count_pipes(MAX_STEPS)).tolist()
        self._pipes = list(FIRST_PIPES)  # from left to right
        self._gaps = self._course[:N_PIPES]
        self._n_drawn = N_PIPES
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Fly on for one frame."""
        if action == 1:
            self._velocity = 0.0
            self._flapping = True
        y = self._y
        next_pipe = 0 if self._pipes[0] > BIRD_X - PASSED else 1
        below_top = y - self._gaps[next_pipe]
        in_reach = self._pipes[next_pipe] < BIRD_X + REACH
        crashed = y >= LOWEST or y <= 0.0 or (in_reach and not 0.0 < below_top <= ROOM)
        if self._pipes[0] < -PIPE_WIDTH:
            self._pipes = [*self._pipes[1:], NEXT_PIPE]
            self._gaps = [*self._gaps[1:], self._next_gap()]
        first, second, third = self._pipes
        self._pipes = [first - PIPE_SPEED, second - PIPE_SPEED, third - PIPE_SPEED]
        if self._velocity < FASTEST_FALL and not self._thrusting:
            self._velocity += GRAVITY
        # A flap lasts two frames: one in which it acts, and one without gravity.
        if self._flapping and not self._thrusting:
            self._thrusting = True
            self._velocity -= FLAP
        else:
            self._thrusting = self._flapping = False
        self._y = y + self._velocity
        return self._observe(), 0.0 if crashed else 1.0, crashed, False, {}

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture of the present frame, if rendering was asked for."""
        return None if self.render_mode is None else draw(self._y, self._pipes, self._gaps)

    def _next_gap(self) -> int:
        if self._n_drawn == len(self._course):
            self._course += draw_gaps(self.np_random, count_pipes(MAX_STEPS)).tolist()
        self._n_drawn += 1
        gap: int = self._course[self._n_drawn - 1]
        return gap

    def _observe(self) -> Floats:
        k = 0 if self._pipes[0] > BIRD_X else 1
        gap, next_gap = self._gaps[k], self._gaps[k + 1]
        distance, next_distance = self._pipes[k] - BIRD_X, self._pipes[k + 1] - BIRD_X
        return np.array([self._y, self._velocity, distance, gap, gap + GAP, next_distance, next_gap, next_gap + GAP])


gymnasium.register(
    "evoter/FlappyBird-v0", entry_point="evoter.environments.flappy_bird:FlappyBird", max_episode_steps=MAX_STEPS
)
