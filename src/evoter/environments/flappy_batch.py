"""Flappy Bird in batches: the game of `flappy_bird`, compiled, for many birds at once."""

import numpy as np

from evoter.environments.batch import Bools, Step, generator
from evoter.environments.flappy_course import (
    BIRD_START,
    BIRD_X,
    FASTEST_FALL,
    FIRST_PIPES,
    FLAP,
    GAP,
    GRAVITY,
    LOWEST,
    MAX_STEPS,
    NEXT_PIPE,
    PASSED,
    PIPE_SPEED,
    PIPE_WIDTH,
    REACH,
    ROOM,
    count_pipes,
    draw_gaps,
)
from evoter.kernels.compilation import entry_kernel
from evoter.kernels.layout import Floats, Ints


@entry_kernel
def fly(
    birds: Floats,
    flapping: Bools,
    thrusting: Bools,
    courses: Ints,
    gaps: Floats,
    pipe: int,
    ahead: float,
    actions: Ints,
    done: Bools,
) -> None:
    """Move every bird by one frame; the nearest pipe of its course is number `pipe`, its middle `ahead` of the bird."""
    within = -PASSED < ahead < REACH
    for row in range(len(birds)):
        y, velocity = birds[row]
        if actions[row] == 1:
            velocity = 0.0
            flapping[row] = True
        gap = gaps[courses[row], pipe]
        crashed = within and (y <= gap or y > gap + ROOM)
        done[row] = crashed or y >= LOWEST or y <= 0.0
        if velocity < FASTEST_FALL and not thrusting[row]:
            velocity += GRAVITY
        if flapping[row] and not thrusting[row]:
            thrusting[row] = True
            velocity -= FLAP
        else:
            thrusting[row] = False
            flapping[row] = False
        birds[row, 0] = y + velocity
        birds[row, 1] = velocity


@entry_kernel
def observe(birds: Floats, courses: Ints, gaps: Floats, first: int, distances: Floats, observations: Floats) -> None:
    """Write what every bird sees: itself, and the pipes number `first` and `first + 1` of its course."""
    for row in range(len(birds)):
        gap, next_gap = gaps[courses[row], first], gaps[courses[row], first + 1]
        observations[row, 0] = birds[row, 0]
        observations[row, 1] = birds[row, 1]
        observations[row, 2] = distances[0]
        observations[row, 3] = gap
        observations[row, 4] = gap + GAP
        observations[row, 5] = distances[1]
        observations[row, 6] = next_gap
        observations[row, 7] = next_gap + GAP


class BatchFlappyBird:
    """Episodes of Flappy Bird: flap (1) or not (0); every frame without a collision is worth 1.

    All birds fly at the same pace, so that the pipes stand at the same places for all; only the gaps differ.
    """

    def __init__(self, max_steps: int = MAX_STEPS) -> None:
        self.max_steps = max_steps
        self._courses = np.empty(0, np.int64)
        self._gaps = np.empty((0, 0))
        self._birds = np.empty((0, 2))

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed, on the course that `FlappyBird` has for it."""
        distinct, self._courses = np.unique(seeds, return_inverse=True)
        n_pipes = count_pipes(self.max_steps)
        self._gaps = np.array([draw_gaps(generator(int(seed)), n_pipes) for seed in distinct], np.float64)
        n = len(seeds)
        self._birds = np.tile([BIRD_START, 0.0], (n, 1))
        self._flapping = np.ones(n, np.bool_)
        self._thrusting = np.zeros(n, np.bool_)
        self._pipes = np.array(FIRST_PIPES)  # from left to right
        self._n_passed = 0
        return self._observe()

    def step(self, actions: Ints) -> Step:
        """Let every bird fly on for one frame."""
        done = np.empty(len(self._birds), np.bool_)
        nearest = int(np.argmin(np.abs(self._pipes - BIRD_X)))
        pipe, ahead = self._n_passed + nearest, float(self._pipes[nearest] - BIRD_X)
        fly(self._birds, self._flapping, self._thrusting, self._courses, self._gaps, pipe, ahead, actions, done)
        if self._pipes[0] < -PIPE_WIDTH:
            self._pipes = np.append(self._pipes[1:], NEXT_PIPE)
            self._n_passed += 1
        self._pipes -= PIPE_SPEED
        return Step(self._observe(), (~done).astype(np.float64), done)

    def keep(self, rows: Ints) -> None:
        """Go on with these episodes only."""
        self._birds, self._courses = self._birds[rows], self._courses[rows]
        self._flapping, self._thrusting = self._flapping[rows], self._thrusting[rows]

    def _observe(self) -> Floats:
        k = 0 if self._pipes[0] > BIRD_X else 1
        observations = np.empty((len(self._birds), 8))
        distances = self._pipes[k : k + 2] - BIRD_X
        observe(self._birds, self._courses, self._gaps, self._n_passed + k, distances, observations)
        return observations
