"""Roll-outs in worker processes, for environments whose steps are Python."""

import uuid

import numpy as np
from joblib import Parallel, delayed

from evoter.environments.batch import BatchEnvironment
from evoter.genome.arrays import compact, pick
from evoter.kernels.layout import Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.control.rollout import Rollout, roll_out
from evoter.rules.schema import Schema

_KEPT: dict[str, BatchEnvironment] = {}
"""In a worker process: the environments that it has used before."""


class Processes:
    """Plays each part of a population in its own process; the result does not depend on the number of processes."""

    def __init__(self, environment: BatchEnvironment, n_processes: int) -> None:
        self._environment = environment
        self._n_processes = n_processes
        self._key = uuid.uuid4().hex

    def roll_out(self, population: Population, schema: Schema, seeds: Ints) -> Rollout:
        """Let every individual play an episode for every seed, as `evoter.problems.control.rollout.roll_out` does."""
        # Distributed round-robin: neighbours in a population are often alike, and similar ones play equally long.
        shares = [np.arange(k, population.size, self._n_processes) for k in range(self._n_processes)]
        parts = Parallel(n_jobs=self._n_processes)(
            delayed(_play)(self._key, self._environment, compact(pick(population, share)), schema, seeds)
            for share in shares
            if len(share)
        )
        back = np.argsort(np.concatenate(shares))
        returns, applied, decided, n_steps = zip(*parts, strict=True)
        return Rollout(
            np.concatenate(returns)[back], np.concatenate(applied)[back], np.concatenate(decided)[back], sum(n_steps)
        )


def _play(key: str, environment: BatchEnvironment, population: Population, schema: Schema, seeds: Ints) -> Rollout:
    return roll_out(population, schema, _KEPT.setdefault(key, environment), seeds, Threads(1))
