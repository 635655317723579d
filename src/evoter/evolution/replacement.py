"""Who survives a generation and who becomes a parent: by score and parsimony, or by NSGA-II with several objectives."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from evoter.evolution.nsga2 import as_costs, stand
from evoter.evolution.problem import Comparing, Evaluation, Objective, Problem
from evoter.evolution.settings import Settings
from evoter.genome.arrays import join, pick
from evoter.kernels.hypervolume import hypervolume
from evoter.kernels.layout import Floats, Ints, Population

REACH: Final = 10.0
"""How many times as far as the first generation the reference of hypervolumes lies, but for the first objective: rule
sets that grow far beyond the first ones count too."""

DEAREST: Final = 4.0
"""The most that a condition costs a refined child of a front, as a multiple of the parsimony."""


class Ranking(NamedTuple):
    """The best individual, ranks for tournaments (less is better), and how good the population is as a whole.

    A run stagnates while `merit` does not grow. With one objective, `hypervolume` and `front_size` are NaN.
    """

    best: int
    ranks: Ints
    merit: float
    hypervolume: float = np.nan
    front_size: float = np.nan


class Replacement(Protocol):
    """A way to rank a population and to take children in; it remembers nothing."""

    @property
    def n_children(self) -> int:
        """The number of children of a generation, the first excepted."""
        ...

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        ...

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return the point that hypervolumes are measured from, given the first generation; empty if there are none."""
        ...

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the next population."""
        ...

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank a population."""
        ...

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return what a condition costs each of `n` refined children, where `price` is the settings' parsimony."""
        ...


def replacement_for(problem: Problem, settings: Settings) -> Replacement:
    """Return the way that fits the number of objectives."""
    return Elitism(problem, settings) if len(problem.objectives) == 1 else ParetoSurvival(problem, settings)


def _worst(objectives: Sequence[Objective]) -> Floats:
    return np.array([-np.inf if objective.maximise else np.inf for objective in objectives])


class Elitism:
    """One objective: the elite of the population survives beside the children."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self._settings = settings
        self._sign = 1.0 if problem.objectives[0].maximise else -1.0
        self._worst = _worst(problem.objectives)
        self.n_children = settings.population_size - settings.n_elites

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        return np.where(np.isnan(scores), self._worst, scores)

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return no reference: there is no hypervolume."""
        return np.empty(0)

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the elite and the children behind it."""
        elite = np.argsort(ranks)[: self._settings.n_elites]
        parts = zip(evaluation, theirs, strict=True)
        return (
            join(pick(population, elite), children),
            Evaluation(*(np.concatenate([kept[elite], new]) for kept, new in parts)),
        )

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by score and parsimony, then by size."""
        complexity = population.complexity
        cost = self._settings.parsimony * complexity - self._sign * evaluation.scores[:, 0]
        order = np.lexsort((complexity, cost))
        ranks = np.empty(population.size, np.int64)
        ranks[order] = np.arange(population.size)
        return Ranking(int(order[0]), ranks, -float(cost[order[0]]))

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return the parsimony for all."""
        return np.full(n, price)


class ParetoSurvival:
    """Several objectives, NSGA-II: the best fronts of parents and children together survive, the last cut by crowding.

    The second of individuals with equal scores stands behind all first ones: scores such as sizes take few values, and
    a population would fill with copies of its front. Parsimony plays no part but in refinement.
    """

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self._problem = problem
        self._objectives = problem.objectives
        self._worst = _worst(problem.objectives)
        self._compared = isinstance(problem, Comparing) and bool(problem.relative)
        self.n_children = settings.population_size

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        return np.where(np.isnan(scores), self._worst, scores)

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return a point that is worse than the first generation in every objective.

        In the first objective it is the worst of that generation; the others are what is paid for it.
        """
        costs = as_costs(evaluation.scores, self._objectives)
        corner = np.ones(costs.shape[1])
        for m, column in enumerate(costs.T):
            finite = column[np.isfinite(column)]
            if len(finite):
                low, high = finite.min(), finite.max()
                corner[m] = high + 1.0 if high == low else low + (high - low) * (1.0 if m == 0 else REACH)
        return corner

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the best of parents and children, those in the order in which they stood."""
        scores = np.concatenate([evaluation.scores, theirs.scores])
        if self._compared:
            assert isinstance(self._problem, Comparing)
            both = Evaluation(*(np.concatenate(pair) for pair in zip(evaluation, theirs, strict=True)))
            scores = self.clean(self._problem.compare(join(population, children), both))
        standing = stand(as_costs(scores, self._objectives), copies_last=True)
        # In their old order, so that equals keep theirs.
        chosen = np.sort(standing.order[: population.size])
        old, new = chosen[chosen < population.size], chosen[chosen >= population.size] - population.size
        parts = zip(evaluation, theirs, strict=True)
        kept = Evaluation(*(np.concatenate([one[old], other[new]]) for one, other in parts))
        return join(pick(population, old), pick(children, new)), kept._replace(scores=scores[chosen])

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by front, then by crowding; the best is the one of the front that is best in the first objective."""
        costs = as_costs(evaluation.scores, self._objectives)
        standing = stand(costs, copies_last=True)
        front = standing.ranks == 0
        members = np.flatnonzero(front)
        best = members[np.lexsort((population.complexity[members], *costs[members].T[::-1]))[0]]
        volume = float(hypervolume(costs[members], reference))
        return Ranking(int(best), _tournament_ranks(standing.ranks, standing.crowding), volume, volume, len(members))

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return a price for each child, from nothing to several times the parsimony: all sizes are refined."""
        prices: Floats = price * DEAREST * np.random.default_rng([seed, generation]).random(n)
        return prices


def _tournament_ranks(fronts: Ints, crowding: Floats) -> Ints:
    """Number individuals by front, then by crowding distance; equal ones have equal numbers."""
    order = np.lexsort((-crowding, fronts))
    differs = (np.diff(fronts[order]) != 0) | (crowding[order][1:] != crowding[order][:-1])
    ranks = np.empty(len(fronts), np.int64)
    ranks[order] = np.concatenate([[0], np.cumsum(differs)])
    return ranks
