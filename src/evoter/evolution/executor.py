"""Where populations are evaluated: what the engine asks of threads, processes and clusters alike."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.problem import Evaluation, Problem, Separable
from evoter.kernels.layout import Floats, Grammar, Ints, Offspring, Population, Refinement
from evoter.kernels.refinement.refine import refine
from evoter.kernels.threads import Threads

Answer = tuple[NDArray[Any], ...]
"""Arrays with a line for each individual."""


class ExactMoves(NamedTuple):
    """Children to make by exact moves, in the order of the arguments of `refine`, which writes to `offspring`.

    There is a child for each of `prices`; they are numbered from `first_child` on, and each has its own random stream.
    """

    seed: int
    generation: int
    population: Population
    ranks: Ints
    tournament_size: int
    grammar: Grammar
    refinement: Refinement
    offspring: Offspring
    first_child: int
    prices: Floats


class Separate(Protocol):
    """Work on each individual of a population by itself, such as playing episodes; it can be copied to a process."""

    def work(self, population: Population, argument: Ints, threads: Threads) -> Answer:
        """Return arrays with a line for each individual, which must not depend on the others."""
        ...


@dataclass(frozen=True, eq=False)
class EvaluationApart:
    """The evaluation of each individual by itself as such work; the argument is the seed of the generation."""

    problem: Problem

    def work(self, population: Population, argument: Ints, threads: Threads) -> Answer:
        """Return the arrays of the evaluation."""
        return tuple(self.problem.evaluate(population, threads, int(argument[0])))


def evaluation_of(answer: Answer) -> Evaluation:
    """Return what such work found."""
    arrays: tuple[Any, ...] = answer
    return Evaluation(*arrays)


class Apart:
    """What executors remember of tasks whose individuals are evaluated apart: the same work for the same task."""

    def __init__(self) -> None:
        self._tasks: dict[int, EvaluationApart] = {}

    def task_of(self, problem: Problem) -> EvaluationApart | None:
        """Return the evaluation of a problem as work on each individual, or None if it is not that."""
        if not isinstance(problem, Separable) or not problem.scores_separately:
            return None
        return self._tasks.setdefault(id(problem), EvaluationApart(problem))


class Executor(Protocol):
    """A place where populations are evaluated. The result is the same in every place, byte for byte.

    What must be equal: a problem that is `Sharded` is evaluated from tallies of its shards, added up by `add_up` in the
    order of the shards; any other by its own `evaluate`. `evoter.execution.conformance` tests an executor.
    """

    @property
    def threads(self) -> Threads:
        """The threads of the process that breeds."""
        ...

    @property
    def n_parallel(self) -> int:
        """How many children are refined at the same time."""
        ...

    def evaluate(self, problem: Problem, population: Population, seed: int) -> Evaluation:
        """Score a population, as `problem.evaluate` does."""
        ...

    def refine(self, moves: ExactMoves) -> None:
        """Make children by exact moves."""
        ...

    def work_on(self, task: Separate, population: Population, argument: Ints) -> Answer:
        """Do work on each individual, as `task.work` does."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


class ThreadExecutor:
    """Evaluates in threads of this process."""

    def __init__(self, threads: Threads | None = None) -> None:
        self.threads = threads or Threads(1)

    @property
    def n_parallel(self) -> int:
        """One child for each thread."""
        return self.threads.n_threads

    def evaluate(self, problem: Problem, population: Population, seed: int) -> Evaluation:
        """Score a population."""
        return problem.evaluate(population, self.threads, seed)

    def refine(self, moves: ExactMoves) -> None:
        """Make children by exact moves."""
        self.threads.run(refine, len(moves.prices), np.inf, *moves)

    def work_on(self, task: Separate, population: Population, argument: Ints) -> Answer:
        """Do work on each individual."""
        return task.work(population, argument, self.threads)

    def close(self) -> None:
        """End the threads."""
        self.threads.close()
