"""Experience: the steps of episodes that policies play, from which a surrogate learns."""

from collections.abc import Sequence

import numpy as np

from evoter.environments.batch import BatchEnvironment
from evoter.genome.codec import encode
from evoter.kernels.evaluation.policies import decide_each
from evoter.kernels.layout import Ints
from evoter.problems.control.exploration import Exploration
from evoter.problems.control.rollout import room_for
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema


def record_steps(
    rulesets: Sequence[RuleSet], schema: Schema, environment: BatchEnvironment, seeds: Ints, most_steps: int
) -> Exploration:
    """Let each policy play an episode, with a seed of its own, and return the last steps of each, `most_steps` in all.

    The last steps tell where policies fail; all policies contribute about as many. Steps of one episode follow each
    other.
    """
    population = encode(rulesets, schema)
    n = population.size
    applied = np.zeros((n, population.max_rules), np.int64)
    decided = np.zeros((n, population.max_rules + 1), np.int64)
    observations = environment.reset(seeds[:n]).copy()
    episodes, begins = np.arange(n), np.arange(n + 1)
    past = room_for(schema, n)
    returns = np.zeros(n)
    steps = []
    for step in range(environment.max_steps):
        past.ring[step % len(past.ring)] = observations
        actions = np.empty(len(episodes), np.int64)
        decide_each(0, n, population, begins, past, step, actions, applied, decided)
        after, rewards, done = environment.step(actions)
        steps.append((episodes, observations, actions, rewards.copy(), after.copy(), done.copy()))
        returns[episodes] += rewards
        alive = np.flatnonzero(~done)
        if len(alive) == 0:
            break
        environment.keep(alive)
        observations, episodes = steps[-1][4][alive], episodes[alive]
        past = past._replace(ring=np.take(past.ring, alive, axis=1))
        begins = np.searchsorted(episodes, np.arange(n + 1))
    played, before, taken, earned, after, done = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    chosen = last_of_each(played, most_steps)
    return Exploration(before[chosen], taken[chosen], earned[chosen], after[chosen], done[chosen], returns)


def last_of_each(episodes: Ints, most: int) -> Ints:
    """Return the positions of the last steps of each episode, `most` in all, ordered by episode, then by time.

    Short episodes leave room for more steps of the others.

    >>> last_of_each(np.array([0, 1, 2, 0, 1, 0, 0]), 5).tolist()
    [5, 6, 1, 4, 2]
    """
    lengths = np.bincount(episodes)
    quotas = np.zeros_like(lengths)
    left = min(most, len(episodes))
    for number, episode in enumerate(np.argsort(lengths, kind="stable")):  # the shortest first
        quotas[episode] = min(lengths[episode], left // (len(lengths) - number))
        left -= int(quotas[episode])
    places = (np.flatnonzero(episodes == episode) for episode in range(len(lengths)))
    parts = [place[len(place) - quota :] for place, quota in zip(places, quotas, strict=True)]
    chosen: Ints = np.concatenate(parts)
    return chosen


def joined(first: Exploration, second: Exploration) -> Exploration:
    """Return all steps and returns of two explorations."""
    return Exploration(*(np.concatenate(pair) for pair in zip(first, second, strict=True)))
