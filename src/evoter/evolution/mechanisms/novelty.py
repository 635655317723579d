"""Novelty selection: in some generations, parents are those of the best that behave unlike most others.

After Shahrzad, Fink and Miikkulainen (2018), and the pulsation of Shahrzad, Hodjat, Dolle, Denissov, Lau, Goodhew, Dyer
and Miikkulainen, Enhanced Optimization with Composite Objectives and Novelty Pulsation (2020).
"""

from typing import Final

import numpy as np

from evoter.evolution.problem import Behaving
from evoter.evolution.settings import Settings
from evoter.genome.arrays import pick
from evoter.kernels.evaluation.behaviour import nearest_distances
from evoter.kernels.layout import WORD, Floats, Ints, Population, Words
from evoter.kernels.threads import Threads

N_NEIGHBOURS: Final = 15
"""Number of nearest others that an individual is compared with."""


class NoveltySelection:
    """Ranks for tournaments, by novelty every `novelty_interval` generations and by score in between.

    The elite is left alone: what survives is decided by scores in every generation.
    """

    def __init__(self, task: Behaving, settings: Settings) -> None:
        self._task = task
        self._interval = settings.novelty_interval
        self._pool = settings.novelty_pool
        # As many as a tournament prefers: the best of four are the best quarter.
        self._n_parents = max(1, settings.population_size // settings.tournament_size)

    def ranks(self, ranks: Ints, population: Population, generation: int, threads: Threads) -> Ints:
        """Return the ranks by which the parents of a generation's children are drawn; less is better."""
        if self._interval == 0 or generation % self._interval != 0:
            return ranks
        pool = np.argsort(ranks, kind="stable")[: self._pool * self._n_parents]
        planes = self._task.behaviours(pick(population, pool), threads)
        novelties = nearest_behaviours(planes, planes.shape[2] * WORD, N_NEIGHBOURS, threads)
        return prefer(ranks, pool[np.argsort(-novelties, kind="stable")[: self._n_parents]])


def prefer(ranks: Ints, chosen: Ints) -> Ints:
    """Return ranks in which the chosen come first, with equal ranks, and the others follow in their order.

    >>> prefer(np.array([0, 1, 2, 3]), np.array([3, 1])).tolist()
    [1, 0, 3, 0]
    """
    preferred = ranks + 1
    preferred[chosen] = 0
    return preferred


def nearest_behaviours(planes: Words, n_rows: int, k: int, threads: Threads, archive: Words | None = None) -> Floats:
    """Return the mean distance of each behaviour to its `k` nearest, an archive's included, as a share of the rows."""
    means = np.empty(len(planes))
    others = planes[:0] if archive is None else archive
    work = float(len(planes)) * (len(planes) + len(others)) * planes.shape[1] * planes.shape[2]
    threads.run(nearest_distances, len(planes), work, planes, others, k, n_rows, means)
    return means
