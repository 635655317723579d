"""Sample rounds: children are evaluated on samples of the data first, and only the better ones on more of them.

All rounds belong to one generation, as in successive halving. Where individuals live on between samples, see
`age_layers`.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from evoter.evolution.executor import Executor
from evoter.evolution.problem import Evaluation, Problem, Sampled
from evoter.genome.arrays import pick
from evoter.kernels.layout import Ints, Population

GROWTH: Final = 4
"""Factor by which data grow, and the number of individuals shrinks, from round to round."""

Order = Callable[[Population, Evaluation], Ints]
"""Sorts individuals that were evaluated on the same data, the best first."""


class SampleRounds:
    """Evaluates a population round by round; individuals compete within their round only.

    The scores get one more column: the number of rounds that were not reached. Individuals that reached more rounds
    rank first, by constraint domination.
    """

    def __init__(self, problem: Problem, n_rounds: int) -> None:
        self._tasks = [problem]
        for number in range(1, n_rounds):
            sample = problem.sampled(GROWTH**-number) if isinstance(problem, Sampled) else None
            if sample is None:
                break
            self._tasks.insert(0, sample)

    def evaluate(self, population: Population, executor: Executor, seed: int, order: Order) -> Evaluation:
        """Evaluate a population on the smallest sample, the best quarter of it on the next, and so on."""
        left = np.arange(population.size)
        whole = Evaluation(*(np.empty(0) for _ in Evaluation._fields))  # type: ignore[arg-type]
        for n_missing, task in zip(reversed(range(len(self._tasks))), self._tasks, strict=True):
            some = pick(population, left)
            found = executor.evaluate(task, some, seed)
            found = found._replace(scores=np.column_stack([found.scores, np.full(len(left), float(n_missing))]))
            if len(left) == population.size:
                whole = Evaluation(*(array.copy() for array in found))  # type: ignore[arg-type]
            else:
                for array, part in zip(whole, found, strict=True):
                    array[left] = part
            left = left[np.sort(order(some, found)[: -(-len(left) // GROWTH)])]
        return whole
