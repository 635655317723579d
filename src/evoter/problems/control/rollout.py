"""Roll-outs: the rule sets of a population play episodes side by side, with one kernel call per step for all."""

from typing import NamedTuple

import numpy as np

from evoter.environments.batch import BatchEnvironment, Playing
from evoter.genome.arrays import scales
from evoter.kernels.evaluation.policies import Past, decide_each
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.threads import Threads
from evoter.rules.schema import Schema


class Rollout(NamedTuple):
    """The return of each individual in each episode, and what its rules did in all of them together.

    The last column of `decided` is the default's; `n_steps` counts the steps of all episodes.
    """

    returns: Floats
    applied: Ints
    decided: Ints
    n_steps: int


def roll_out(
    population: Population,
    schema: Schema,
    environment: BatchEnvironment,
    seeds: Ints,
    threads: Threads,
    n_counted: int | None = None,
) -> Rollout:
    """Let every individual play an episode for every seed; all play the same episodes.

    Episodes that are done leave the batch, so that bad policies, which often end early, cost little.
    With `n_counted`, an environment that plays whole episodes may count in the first of them only which rules hold: a
    rule after the one that decides need not be looked at in the others.
    """
    n, n_seeds = population.size, len(seeds)
    applied = np.zeros((n, population.max_rules), np.int64)
    decided = np.zeros((n, population.max_rules + 1), np.int64)
    if isinstance(environment, Playing):
        whole = np.zeros((n, n_seeds))
        counted = n_seeds if n_counted is None else n_counted
        environment.play(population, room_for(schema, 0), seeds, threads, counted, whole, applied, decided)
        return Rollout(whole, applied, decided, int(decided.sum()))  # one decision a step
    observations = environment.reset(np.tile(seeds, n))
    episodes = np.arange(n * n_seeds)
    begins = np.arange(n + 1) * n_seeds
    past = room_for(schema, len(episodes))
    returns = np.zeros(len(episodes))
    n_steps = 0
    for step in range(environment.max_steps):
        past.ring[step % len(past.ring)] = observations
        actions = np.empty(len(episodes), np.int64)
        work = float(len(episodes)) * population.complexity.mean()
        threads.run(decide_each, n, work, population, begins, past, step, actions, applied, decided)
        observations, rewards, done = environment.step(actions)
        returns[episodes] += rewards
        n_steps += len(episodes)
        if done.any():
            alive = np.flatnonzero(~done)
            if len(alive) == 0:
                break
            environment.keep(alive)
            episodes, observations = episodes[alive], observations[alive]
            past = past._replace(ring=np.take(past.ring, alive, axis=1))
            begins = np.searchsorted(episodes, np.arange(n + 1) * n_seeds)
    return Rollout(returns.reshape(n, n_seeds), applied, decided, n_steps)


def room_for(schema: Schema, n_rows: int) -> Past:
    """Return room for as many observations as the lags of a schema reach."""
    ring = np.full((schema.max_lag + 1, n_rows, len(schema.features)), np.nan)
    return Past(ring, *scales(schema))
