"""A surrogate: an environment that was learnt from examples, to evolve policies in where the real one is dear."""

from typing import Protocol

import numpy as np

from evoter.environments.batch import Bools, Step
from evoter.kernels.layout import Floats, Ints


class Predictor(Protocol):
    """A regressor that predicts several numbers at once, such as scikit-learn's."""

    def fit(self, X: Floats, y: Floats) -> object:
        """Learn from inputs and outputs, a row per example."""
        ...

    def predict(self, X: Floats) -> Floats:
        """Predict the outputs."""
        ...


class SurrogateEnvironment:
    """Episodes that a predictor imagines: how an observation changes, and what an action earns.

    It knows no more than its examples: an episode begins with an observation from the inner half of the region that
    they cover, and ends where it leaves the region of observations after which real episodes went on.
    """

    def __init__(self, predictor: Predictor, n_actions: int, max_steps: int) -> None:
        self.max_steps = max_steps
        self._predictor = predictor
        self._n_actions = n_actions
        self._starts = np.empty((0, 0))
        self._now = np.empty((0, 0))

    def learn(self, before: Floats, actions: Ints, rewards: Floats, after: Floats, done: Bools) -> None:
        """Learn from single steps of real episodes, a row each."""
        self._predictor.fit(self._inputs(before, actions), np.column_stack([after - before, rewards]))
        inside = np.concatenate([before, after[~done]])
        self._low, self._high = inside.min(axis=0), inside.max(axis=0)
        from_centre = np.abs(before - (self._low + self._high) / 2.0)
        inner = (from_centre <= (self._high - self._low) / 4.0).all(axis=1)
        self._starts = before[inner] if inner.any() else before

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed."""
        self._now = self._starts[seeds % len(self._starts)]
        return self._now

    def step(self, actions: Ints) -> Step:
        """Imagine a step of every episode."""
        predicted = self._predictor.predict(self._inputs(self._now, actions))
        self._now = self._now + predicted[:, :-1]
        outside = ((self._now < self._low) | (self._now > self._high)).any(axis=1)
        return Step(self._now, predicted[:, -1], outside)

    def keep(self, rows: Ints) -> None:
        """Go on with these episodes only."""
        self._now = self._now[rows]

    def _inputs(self, observations: Floats, actions: Ints) -> Floats:
        chosen: Floats = np.eye(self._n_actions)[actions]
        return np.hstack([observations, chosen])
