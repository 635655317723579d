"""Worker processes of this machine, for work that is Python, such as the steps of an environment, and for islands."""

import itertools
import os
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel, delayed

from evoter.evolution.executor import Answer, Apart, Separate, ThreadExecutor, evaluation_of
from evoter.evolution.islands import Breeder, Epoch
from evoter.evolution.mechanisms.migration import IslandState
from evoter.evolution.problem import Evaluation, Problem
from evoter.evolution.sharding import Sharded
from evoter.genome.arrays import compact, pick
from evoter.kernels.layout import Ints, Population
from evoter.kernels.threads import Threads

_KEPT: dict[tuple[int, int], Any] = {}
"""In a worker process: what it has worked on before, by the process that sent it and a number, the latest last."""

_MOST_KEPT = 4
"""How many of them are kept: they hold tables, and worker processes outlive a fit."""

_NUMBERS = itertools.count()
_Sent = TypeVar("_Sent")


class ProcessExecutor(ThreadExecutor):
    """Plays episodes and lets islands evolve in processes, and does everything else in threads."""

    def __init__(self, n_processes: int, threads: Threads | None = None) -> None:
        super().__init__(threads)
        self.n_processes = n_processes
        self._apart = Apart()
        self._keys: dict[int, tuple[object, int]] = {}

    def evaluate(self, problem: Problem, population: Population, seed: int) -> Evaluation:
        """Score a population, each individual in one of the processes if it is scored by itself in Python."""
        apart = self._apart.task_of(problem)
        if apart is None:
            return super().evaluate(problem, population, seed)
        return evaluation_of(self.work_on(apart, population, np.array([seed])))

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

    def takes_islands(self, problem: Problem) -> bool:
        """Let islands that evaluate rows evolve in processes; policies play in them."""
        return isinstance(problem, Sharded)

    def advance_islands(self, breeder: Breeder, epochs: Sequence[Epoch]) -> list[IslandState]:
        """Let each island evolve in one of the processes."""
        key = (os.getpid(), self._keys.setdefault(id(breeder), (breeder, next(_NUMBERS)))[1])
        ends: list[IslandState] = Parallel(n_jobs=self.n_processes)(
            delayed(_advance)(key, breeder, epoch) for epoch in epochs
        )
        return ends

    @property
    def n_hosted(self) -> int:
        """One island for each process."""
        return self.n_processes


def _advance(key: tuple[int, int], breeder: Breeder, epoch: Epoch) -> IslandState:
    return _kept(key, breeder).advance(epoch, ThreadExecutor())


def _work(key: tuple[int, int], task: Separate, population: Population, argument: Ints) -> Answer:
    return _kept(key, task).work(population, argument, Threads(1))


def _kept(key: tuple[int, int], sent: _Sent) -> _Sent:
    """Return what was sent under a key before, or else keep what is sent now, and forget what is oldest."""
    mine: _Sent = _KEPT.pop(key, sent)
    _KEPT[key] = mine
    while len(_KEPT) > _MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    return mine
