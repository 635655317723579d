"""A surrogate: an environment learned from examples, to evolve policies in where the real one is expensive."""

from typing import Protocol

import numpy as np

from evoter.environments.batch import Bools, Step
from evoter.kernels.layout import Floats, Ints

EXTRAPOLATION = 4.0
"""How much wider than that of the examples the simulated range is on sides where no real episode ended."""


class Predictor(Protocol):
    """A regressor that predicts several numbers at once, such as scikit-learn's."""

    def fit(self, X: Floats, y: Floats) -> object:
        """Learn from inputs and outputs, a row per example."""
        ...

    def predict(self, X: Floats) -> Floats:
        """Predict the outputs."""
        ...


class SurrogateEnvironment:
    """Episodes simulated by a predictor: how an observation changes, and what an action earns.

    It is reliable only near its examples: an episode begins with one of the half of the observations that are nearest
    to their median. It ends where it leaves the range of observations after which real episodes continued, on a side
    where real ones ended, and far outside of it on any other side.
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
        span = np.where(self._high > self._low, self._high - self._low, 1.0)
        from_middle = np.abs((before - np.median(before, axis=0)) / span).max(axis=1)
        self._starts = before[from_middle <= np.median(from_middle)]
        reach = (EXTRAPOLATION - 1.0) / 2.0 * (self._high - self._low)
        too_low, too_high = ending_sides(after[done], self._low, self._high)
        self._low = self._low - np.where(too_low, 0.0, reach)
        self._high = self._high + np.where(too_high, 0.0, reach)

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed."""
        self._now = self._starts[seeds % len(self._starts)]
        return self._now

    def step(self, actions: Ints) -> Step:
        """Simulate a step of every episode."""
        predicted = self._predictor.predict(self._inputs(self._now, actions))
        self._now = self._now + predicted[:, :-1]
        outside = ((self._now < self._low) | (self._now > self._high)).any(axis=1)
        return Step(self._now, predicted[:, -1], outside)

    def keep(self, rows: Ints) -> None:
        """Continue with these episodes only."""
        self._now = self._now[rows]

    def _inputs(self, observations: Floats, actions: Ints) -> Floats:
        chosen: Floats = np.eye(self._n_actions)[actions]
        return np.hstack([observations, chosen])


def ending_sides(ended: Floats, low: Floats, high: Floats) -> tuple[Bools, Bools]:
    """Tell which features ended episodes by being too low, and which by being too high: few that explain all ends.

    Greedy: the features that explain most ends, then those that explain most of the others, and so on.
    """
    too_low, too_high = ended < low, ended > high
    outside = too_low | too_high
    ending = np.zeros(len(low), np.bool_)
    while outside.any():
        explained = outside.sum(axis=0)
        best = explained == explained.max()
        ending |= best
        outside = outside[~outside[:, best].any(axis=1)]
    return ending & too_low.any(axis=0), ending & too_high.any(axis=0)
