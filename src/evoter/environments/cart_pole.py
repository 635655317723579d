"""Cart-pole in batches: the dynamics of gymnasium's CartPole, to the last bit, for many episodes at once."""

import math
from typing import Final

import numpy as np

from evoter.environments.batch import Bools, Step, generator
from evoter.kernels.compilation import entry_kernel
from evoter.kernels.layout import Floats, Ints

GRAVITY: Final = 9.8
MASS_OF_POLE: Final = 0.1
MASS: Final = MASS_OF_POLE + 1.0
"""Of pole and cart."""
HALF_LENGTH: Final = 0.5
MASS_TIMES_LENGTH: Final = MASS_OF_POLE * HALF_LENGTH
FORCE: Final = 10.0
SECONDS: Final = 0.02
"""The time of a step."""
FARTHEST: Final = 2.4
STEEPEST: Final = 12 * 2 * math.pi / 360
START: Final = 0.05
"""Positions, angles and velocities begin within this distance of 0."""


@entry_kernel
def advance(state: Floats, cosines: Floats, sines: Floats, actions: Ints, done: Bools) -> None:
    """Move every cart by one step of Euler's method; operations come in gymnasium's order."""
    for row in range(len(state)):
        position, velocity, angle, rotation = state[row]
        force = FORCE if actions[row] == 1 else -FORCE
        push = (force + MASS_TIMES_LENGTH * (rotation * rotation) * sines[row]) / MASS
        inertia = HALF_LENGTH * (4.0 / 3.0 - MASS_OF_POLE * (cosines[row] * cosines[row]) / MASS)
        turning = (GRAVITY * sines[row] - cosines[row] * push) / inertia
        speeding = push - MASS_TIMES_LENGTH * turning * cosines[row] / MASS
        position = position + SECONDS * velocity
        angle = angle + SECONDS * rotation
        state[row, 0] = position
        state[row, 1] = velocity + SECONDS * speeding
        state[row, 2] = angle
        state[row, 3] = rotation + SECONDS * turning
        done[row] = position < -FARTHEST or position > FARTHEST or angle < -STEEPEST or angle > STEEPEST


class BatchCartPole:
    """Episodes of cart-pole: push the cart left (0) or right (1); every step is worth 1."""

    def __init__(self, max_steps: int = 500) -> None:
        self.max_steps = max_steps
        self._state = np.empty((0, 4))

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed, as gymnasium's CartPole does."""
        distinct, inverse = np.unique(seeds, return_inverse=True)
        starts = [generator(int(seed)).uniform(-START, START, size=4) for seed in distinct]
        self._state = np.array(starts)[inverse]
        return self._observe()

    def step(self, actions: Ints) -> Step:
        """Push every cart."""
        done = np.empty(len(self._state), np.bool_)
        # Sines and cosines by NumPy, as gymnasium takes them: other libraries differ in the last bit.
        angles = self._state[:, 2]
        advance(self._state, np.cos(angles), np.sin(angles), actions, done)
        return Step(self._observe(), np.ones(len(self._state)), done)

    def keep(self, rows: Ints) -> None:
        """Continue with these episodes only."""
        self._state = self._state[rows]

    def _observe(self) -> Floats:
        """Return what a policy sees: gymnasium rounds to single precision."""
        return self._state.astype(np.float32).astype(np.float64)
