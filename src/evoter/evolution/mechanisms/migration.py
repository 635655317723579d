"""Migration: every few generations, copies of the best of each island take the places of the worst of another one.

The way is fixed: the first time from each island to the next, then to the one after that, and so on, so that after as
many migrations as there are other islands, every island has had guests from each.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from evoter.evolution.history import Record
from evoter.evolution.problem import Evaluation
from evoter.genome.arrays import pick, unite
from evoter.kernels.layout import Ints, Population


class IslandState(NamedTuple):
    """An island after a generation, and how the generations of the last epoch went.

    `counts` are those of `evoter.evolution.checkpoint.ISLAND_COUNTS`; there is a merit for each record.
    """

    counts: tuple[int, ...]
    population: Population
    evaluation: Evaluation
    records: tuple[Record, ...] = ()
    merits: tuple[tuple[float, float], ...] = ()


Order = Callable[[Population, Evaluation], Ints]
"""Sorts a population, the best first."""


def migrate(islands: Sequence[IslandState], order: Order, n_migrants: int, number: int) -> list[IslandState]:
    """Return islands after migration, given how many there were before this one."""
    n = len(islands)
    orders = [order(island.population, island.evaluation) for island in islands]
    distance = 1 + number % (n - 1)
    settled = []
    for k, island in enumerate(islands):
        origin = (k - distance) % n
        guests = np.sort(orders[origin][:n_migrants])
        kept = np.sort(orders[k][: island.population.size - n_migrants])
        home = islands[origin]
        population = unite([pick(island.population, kept), pick(home.population, guests)])
        parts = zip(island.evaluation.of(kept), home.evaluation.of(guests), strict=True)
        settled.append(island._replace(population=population, evaluation=joined(*zip(*parts, strict=True))))
    return settled


def joined(*evaluations: Sequence[np.ndarray]) -> Evaluation:
    """Return evaluations one behind the other."""
    return Evaluation(*(np.concatenate(arrays) for arrays in zip(*evaluations, strict=True)))
