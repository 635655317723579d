"""Batches of any gymnasium environment: one environment object per row, stepped one after the other in Python."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from evoter.environments.batch import Step
from evoter.kernels.layout import Floats, Ints

Make = Callable[[], gymnasium.Env[Any, Any]]


class GymnasiumBatch:
    """Episodes of a gymnasium environment that `make` makes; action number k takes `actions[k]`.

    Environments are kept and used again for the next episodes.
    """

    def __init__(self, make: Make, actions: np.ndarray[Any, Any], max_steps: int) -> None:
        self.max_steps = max_steps
        self._make = make
        self._actions = actions
        self._pool: list[gymnasium.Env[Any, Any]] = []
        self._rows: list[gymnasium.Env[Any, Any]] = []

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed."""
        while len(self._pool) < len(seeds):
            self._pool.append(self._make())
        self._rows = self._pool[: len(seeds)]
        self._done = np.zeros(len(seeds), np.bool_)
        first = [environment.reset(seed=int(seed))[0] for environment, seed in zip(self._rows, seeds, strict=True)]
        self._observations = np.array(first, np.float64).reshape(len(seeds), -1)
        return self._observations

    def step(self, actions: Ints) -> Step:
        """Step every environment whose episode is not done."""
        rewards = np.zeros(len(self._rows))
        for row in np.flatnonzero(~self._done).tolist():
            observation, rewards[row], terminated, truncated, _ = self._rows[row].step(self._actions[actions[row]])
            self._observations[row] = np.ravel(observation)
            self._done[row] = terminated or truncated
        return Step(self._observations, rewards, self._done.copy())

    def keep(self, rows: Ints) -> None:
        """Continue with these episodes only."""
        self._rows = [self._rows[row] for row in rows]
        self._observations, self._done = self._observations[rows], self._done[rows]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the environments: a process that receives the batch makes its own."""
        return {**self.__dict__, "_pool": [], "_rows": []}

    def close(self) -> None:
        """Close all environments."""
        for environment in self._pool:
            environment.close()
        self._pool, self._rows = [], []
