"""Exploration: observations from episodes of random actions, before there is a policy."""

from typing import NamedTuple

import numpy as np

from evoter.environments.batch import BatchEnvironment, Bools
from evoter.kernels.layout import Floats, Ints

N_EPISODES = 64
STICKINESS = np.array([0.0, 0.9])
"""Probability of repeating the last action, in turn by episode: purely random actions explore few states."""

MAX_OBSERVATIONS = 50_000


class Exploration(NamedTuple):
    """Steps of random episodes, a row each, and the return of each episode."""

    observations: Floats
    actions: Ints
    rewards: Floats
    next_observations: Floats
    done: Bools
    returns: Floats

    def first(self, n: int) -> "Exploration":
        """Return the first `n` steps of all episodes together."""
        return Exploration(
            self.observations[:n],
            self.actions[:n],
            self.rewards[:n],
            self.next_observations[:n],
            self.done[:n],
            self.returns,
        )


def explore(environment: BatchEnvironment, n_actions: int, seeds: Ints) -> Exploration:
    """Play an episode of random actions for every seed, until all are done or there are enough observations."""
    rng = np.random.default_rng(seeds)
    observations = environment.reset(seeds).copy()
    episodes = np.arange(len(seeds))
    stickiness = np.resize(STICKINESS, len(seeds))
    actions = rng.integers(n_actions, size=len(seeds))
    returns = np.zeros(len(seeds))
    steps: list[tuple[Floats, Ints, Floats, Floats, Bools]] = []
    n_seen = 0
    for _ in range(environment.max_steps):
        anew = rng.random(len(episodes)) >= stickiness[episodes]
        actions = np.where(anew, rng.integers(n_actions, size=len(episodes)), actions)
        after, rewards, done = environment.step(actions)
        steps.append((observations, actions, rewards.copy(), after.copy(), done.copy()))
        returns[episodes] += rewards
        n_seen += len(episodes)
        alive = np.flatnonzero(~done)
        if len(alive) == 0 or n_seen >= MAX_OBSERVATIONS:
            break
        environment.keep(alive)
        observations, actions, episodes = steps[-1][3][alive], actions[alive], episodes[alive]
    before, taken, rewards, after, done = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    return Exploration(before, taken, rewards, after, done, returns)
