"""Worker processes of this machine, for work that is Python, such as the steps of an environment."""

import itertools
import os

import numpy as np
from joblib import Parallel, delayed

from evoter.evolution.executor import Answer, Separate, ThreadExecutor
from evoter.genome.arrays import compact, pick
from evoter.kernels.layout import Ints, Population
from evoter.kernels.threads import Threads

_KEPT: dict[tuple[int, int], Separate] = {}
"""In a worker process: the tasks that it has worked on before, by the process that sent them and a number."""

_NUMBERS = itertools.count()


class ProcessExecutor(ThreadExecutor):
    """Works on each individual in processes, and does everything else in threads."""

    def __init__(self, n_processes: int, threads: Threads | None = None) -> None:
        super().__init__(threads)
        self.n_processes = n_processes
        self._keys: dict[int, tuple[Separate, int]] = {}

    def work_on(self, task: Separate, population: Population, argument: Ints) -> Answer:
        """Divide a population among the processes; the result does not depend on their number."""
        # Distributed round-robin: neighbours in a population are often alike, and similar ones play equally long.
        shares = [np.arange(k, population.size, self.n_processes) for k in range(self.n_processes)]
        key = (os.getpid(), self._keys.setdefault(id(task), (task, next(_NUMBERS)))[1])
        parts = Parallel(n_jobs=self.n_processes)(
            delayed(_work)(key, task, compact(pick(population, share)), argument) for share in shares if len(share)
        )
        back = np.argsort(np.concatenate(shares))
        return tuple(np.concatenate(arrays)[back] for arrays in zip(*parts, strict=True))


def _work(key: tuple[int, int], task: Separate, population: Population, argument: Ints) -> Answer:
    return _KEPT.setdefault(key, task).work(population, argument, Threads(1))
