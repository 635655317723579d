"""Evolution of vectors of numbers, such as the weights of a network: the black box that rule sets are compared with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.problem import Objective
from evoter.evolution.validity import checked_seed
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats, Ints


class VectorProblem(Protocol):
    """A task for the evolution of vectors."""

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """What the columns of the scores mean."""
        ...

    @property
    def n_numbers(self) -> int:
        """The length of a vector."""
        ...

    def score(self, vectors: Floats) -> Floats:
        """Return the scores [vector, objective]."""
        ...


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """Sizes and rates: tournaments choose parents, numbers come from either at random, then some are mutated."""

    population_size: int = 100
    n_elites: int = 5
    tournament_size: int = 4
    crossover_rate: float = 0.7
    mutation_rate: float = 0.1
    step: float = 1.0


DEFAULT = VectorSettings()


class VectorResult(NamedTuple):
    """The best vector by the first objective, its scores, and with several objectives the Pareto front."""

    best: Floats
    scores: Floats
    front: Floats
    front_scores: Floats


class VectorEvolution:
    """A genetic algorithm over vectors, by elitism with one objective and by NSGA-II with several.

    It has the interface of `evoter.evolution.engine.Evolution`: `ask`, `tell`, `step` and `run`.
    """

    def __init__(self, problem: VectorProblem, settings: VectorSettings = DEFAULT, *, seed: int = 0) -> None:
        self.problem = problem
        self.settings = settings
        self.generation = -1
        self._rng = np.random.default_rng(checked_seed(seed))
        self.population: Floats = np.empty((0, problem.n_numbers))
        self.scores: Floats = np.empty((0, len(problem.objectives)))
        self._order: Ints = np.empty(0, np.int64)

    def ask(self) -> Floats:
        """Return the vectors to evaluate next: at first random ones, later children."""
        settings, rng = self.settings, self._rng
        if self.generation < 0:
            return rng.normal(size=(settings.population_size, self.problem.n_numbers))
        n = settings.population_size
        if len(self.problem.objectives) == 1:
            n -= settings.n_elites
        mothers, fathers = self.population[self._parents(n)], self.population[self._parents(n)]
        crossed = rng.random((n, 1)) < settings.crossover_rate
        children = np.where(crossed & (rng.random(mothers.shape) < 0.5), fathers, mothers)
        moved = rng.random(children.shape) < settings.mutation_rate
        return np.where(moved, children + settings.step * rng.normal(size=children.shape), children)

    def _parents(self, n: int) -> Ints:
        """Draw the indices of parents, each the best of a tournament."""
        drawn = self._rng.integers(0, len(self.population), (n, self.settings.tournament_size))
        chosen: Ints = self._order[drawn.min(axis=1)]
        return chosen

    def tell(self, children: Floats, scores: Floats) -> None:
        """Add the scored children to the population and select the survivors."""
        several = len(self.problem.objectives) > 1
        kept = self._order if several else self._order[: self.settings.n_elites]
        population = np.concatenate([self.population[kept], children])
        scores = np.concatenate([self.scores[kept], scores])
        costs = as_costs(scores, self.problem.objectives)
        order = stand(costs, copies_last=True).order if several else np.argsort(costs[:, 0], kind="stable")
        order = order[: self.settings.population_size]
        self.population, self.scores = population[order], scores[order]
        self._order = np.arange(len(order))
        self.generation += 1

    def step(self) -> None:
        """Advance by one generation."""
        children = self.ask()
        self.tell(children, self.problem.score(children))

    def run(self, n_generations: int, watch: Sequence[Callable[["VectorEvolution"], object]] = ()) -> VectorResult:
        """Run until generation `n_generations`, not counting the random one; return the best."""
        while self.generation < n_generations:
            self.step()
            for watcher in watch:
                watcher(self)
        return self.result()

    def result(self) -> VectorResult:
        """Return the best so far."""
        costs = as_costs(self.scores, self.problem.objectives)
        first = np.flatnonzero(stand(costs).ranks == 0)
        best = int(np.lexsort(costs.T[::-1])[0])
        return VectorResult(self.population[best], self.scores[best], self.population[first], self.scores[first])

    def hypervolume(self, reference: Floats) -> float:
        """Return the hypervolume that the population dominates, relative to a reference point given in scores."""
        corner = as_costs(reference[None], self.problem.objectives)[0]
        return float(hypervolume(as_costs(self.scores, self.problem.objectives), corner))
