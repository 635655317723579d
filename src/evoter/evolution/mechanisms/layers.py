"""Age layers: children are evaluated on samples of the data first, and only the better ones on more of them.

After Shahrzad, Hodjat and Miikkulainen, Estimating the Advantage of Age-Layering in Evolutionary Algorithms (2016).
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from evoter.evolution.problem import Evaluation, Problem, Sampled
from evoter.genome.arrays import pick
from evoter.kernels.layout import Ints, Population
from evoter.kernels.threads import Threads

GROWTH: Final = 4
"""Factor by which data grow, and the number of individuals shrinks, from layer to layer."""

Order = Callable[[Population, Evaluation], Ints]
"""Sorts individuals that were evaluated on the same data, the best first."""


class Layers:
    """Evaluates a population layer by layer; individuals compete within their layer only.

    The scores get one more column: the number of layers that were not reached. Individuals that reached more layers
    rank first, by constraint domination.
    """

    def __init__(self, problem: Problem, n_layers: int) -> None:
        self._tasks = [problem]
        for layer in range(1, n_layers):
            sample = problem.sampled(GROWTH**-layer) if isinstance(problem, Sampled) else None
            if sample is None:
                break
            self._tasks.insert(0, sample)

    def evaluate(self, population: Population, threads: Threads, seed: int, order: Order) -> Evaluation:
        """Evaluate a population on the smallest sample, the best quarter of it on the next, and so on."""
        left = np.arange(population.size)
        whole = Evaluation(*(np.empty(0) for _ in Evaluation._fields))  # type: ignore[arg-type]
        for n_missing, task in zip(reversed(range(len(self._tasks))), self._tasks, strict=True):
            some = pick(population, left)
            found = task.evaluate(some, threads, seed)
            found = found._replace(scores=np.column_stack([found.scores, np.full(len(left), float(n_missing))]))
            if len(left) == population.size:
                whole = Evaluation(*(array.copy() for array in found))  # type: ignore[arg-type]
            else:
                for array, part in zip(whole, found, strict=True):
                    array[left] = part
            left = left[np.sort(order(some, found)[: -(-len(left) // GROWTH)])]
        return whole
