"""Selection of survivors and parents: by score and parsimony, or by NSGA-II with several objectives."""

from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from evoter.evolution.mechanisms.composite import composed
from evoter.evolution.mechanisms.constraints import constraints_of, violations
from evoter.evolution.mechanisms.nsga2 import Standing, as_costs, stand
from evoter.evolution.problem import Comparing, Evaluation, Problem, Relaxing
from evoter.evolution.settings import Settings
from evoter.genome.arrays import join, pick
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats, Ints, Population

REACH: Final = 10.0
"""Distance of the reference of hypervolumes, as a multiple of the first generation's range, in all but the first
objective: rule sets that grow far beyond the first ones count too."""

DEAREST: Final = 4.0
"""Maximum cost of a condition for a refined child of a front, as a multiple of the parsimony."""


class Ranking(NamedTuple):
    """The best individual, ranks for tournaments (less is better), and how good the population is as a whole.

    A run stagnates while `merit` does not grow: first constraints are kept, then scores improve. With one objective,
    `hypervolume` and `front_size` are NaN.
    """

    best: int
    ranks: Ints
    merit: tuple[float, float]
    hypervolume: float = np.nan
    front_size: float = np.nan


class Replacement(Protocol):
    """A way to rank a population and to add children; it has no state."""

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

    def order(self, population: Population, evaluation: Evaluation) -> Ints:
        """Sort a population, the best first."""
        ...

    def remaining(self, ranks: Ints) -> Ints:
        """Return the individuals that may survive beside children, the best first."""
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


def replacement_for(problem: Problem, settings: Settings) -> "Elitism | ParetoSurvival":
    """Return the way that fits the number of objectives and the constraints."""
    if len(problem.objectives) > 1:
        return ParetoSurvival(problem, settings)
    return RelaxedElitism(problem, settings) if relaxes_constraints(problem, settings) else Elitism(problem, settings)


def relaxes_constraints(problem: Problem, settings: Settings) -> bool:
    """Tell whether rule sets that break constraints may survive; those that were evaluated in part only may not."""
    on_all_data = settings.sample_rounds == 1 and settings.n_age_layers == 1
    return isinstance(problem, Relaxing) and problem.relaxes and on_all_data


class _Scores:
    """What the columns of the scores mean to both ways: objectives first, then constraints."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self._settings = settings
        self._objectives = problem.objectives
        self._constraints = constraints_of(problem, settings)
        worst = [-np.inf if objective.maximise else np.inf for objective in self._objectives]
        self._worst = np.array([*worst, *[np.inf] * len(self._constraints)])
        self._sign = -1.0 if self._objectives[0].maximise else 1.0

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        missing = np.isnan(scores)
        return np.where(missing, self._worst, scores) if missing.any() else scores

    def _costs(self, scores: Floats) -> Floats:
        return as_costs(scores[:, : len(self._objectives)], self._objectives)

    def _violations(self, scores: Floats) -> Floats:
        return violations(scores[:, len(self._objectives) :], self._constraints)


class Elitism(_Scores):
    """One objective: the elite of the population survives beside the children."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        super().__init__(problem, settings)
        self.n_children = settings.population_size - settings.n_elites

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return no reference: there is no hypervolume."""
        return np.empty(0)

    def remaining(self, ranks: Ints) -> Ints:
        """Return the elite."""
        return first_ranks(ranks, self._settings.n_elites)

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the elite and the children behind it."""
        return beside_children(population, evaluation, self.remaining(ranks), children, theirs)

    def order(self, population: Population, evaluation: Evaluation) -> Ints:
        """Sort by kept constraints, then by score and parsimony, then by size."""
        return self._sorted(population, *self._demerits(population, evaluation))

    def _sorted(self, population: Population, cost: Floats, violation: Floats) -> Ints:
        """Sort by violation, then by cost, then by size; without constraints, there are no violations."""
        if not self._constraints:
            return _by_cost(cost, population.complexity)
        order: Ints = np.lexsort((population.complexity, cost, violation))
        return order

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Number individuals in their order."""
        cost, violation = self._demerits(population, evaluation)
        order = self._sorted(population, cost, violation)
        ranks = np.empty(population.size, np.int64)
        ranks[order] = np.arange(population.size)
        best = int(order[0])
        return Ranking(best, ranks, (-float(violation[best]), -float(cost[best])))

    def near_best(self, population: Population, evaluation: Evaluation, distance: float) -> Ints:
        """Return the individuals that cost at most `distance` more than the best, in their order.

        They keep constraints as well as the best does.
        """
        cost, violation = self._demerits(population, evaluation)
        order = self._sorted(population, cost, violation)
        best = order[0]
        near: Ints = order[(violation[order] <= violation[best]) & (cost[order] <= cost[best] + distance)]
        return near

    def _demerits(self, population: Population, evaluation: Evaluation) -> tuple[Floats, Floats]:
        """Return the cost with parsimony and, weightier, by how much constraints are violated."""
        scores = self.clean(evaluation.scores)
        cost = self._settings.parsimony * population.complexity + self._sign * scores[:, 0]
        return cost, self._violations(scores)

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return the parsimony for all."""
        return np.full(n, price)


class RelaxedElitism(Elitism):
    """One objective and constraints in its way: the best for each degree of violation survive, by NSGA-II.

    The best individual is the best of those that violate constraints least, as ever.
    """

    def __init__(self, problem: Problem, settings: Settings) -> None:
        super().__init__(problem, settings)
        self.n_children = settings.population_size

    def remaining(self, ranks: Ints) -> Ints:
        """Return all."""
        return np.argsort(ranks)

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the best of parents and children, those in the order in which they stood."""
        everyone = join(population, children)
        both = Evaluation(*(np.concatenate(pair) for pair in zip(evaluation, theirs, strict=True)))
        chosen = np.sort(self._stand(everyone, both).order[: population.size])
        kept: list[Any] = [part[chosen] for part in both]
        return pick(everyone, chosen), Evaluation(*kept)

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by front, then by crowding; the best is the one that violates constraints least and costs least."""
        ranks = _tournament_ranks(self._stand(population, evaluation))
        return super().rank(population, evaluation, reference)._replace(ranks=ranks)

    def _stand(self, population: Population, evaluation: Evaluation) -> Standing:
        return stand(np.column_stack(self._demerits(population, evaluation)), copies_last=True)


def _by_cost(cost: Floats, size: Ints) -> Ints:
    """Sort by cost, equal ones by size, and those of equal size as they stand; half as long as `lexsort` takes.

    Costs become numbers without gaps, so that cost, size and place fit into one number, which NumPy sorts fastest.
    """
    n, limit = len(cost), 1 << _KEY_BITS
    if n >= limit or int(size.max(initial=0)) >= limit:
        order: Ints = np.lexsort((size, cost))
        return order
    by_cost = np.argsort(cost)
    ordered = cost[by_cost]
    keys = np.zeros(n, np.int64)
    keys[by_cost[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    keys <<= _KEY_BITS
    keys += size
    keys <<= _KEY_BITS
    keys += np.arange(n)
    keys.sort()
    keys &= limit - 1
    return keys


_KEY_BITS: Final = 20
"""The bits of a cost's number, of a size and of a place in a number by which individuals are sorted."""


def first_ranks(ranks: Ints, n: int) -> Ints:
    """Return the `n` individuals that come first, in their order, where no two have the same rank."""
    chosen = np.flatnonzero(ranks < n)
    return chosen[np.argsort(ranks[chosen])]


def beside_children(
    population: Population, evaluation: Evaluation, kept: Ints, children: Population, theirs: Evaluation
) -> tuple[Population, Evaluation]:
    """Return some individuals of a population with the children behind them."""
    parts = zip(evaluation, theirs, strict=True)
    return (
        join(pick(population, kept), children),
        Evaluation(*(np.concatenate([old[kept], new]) for old, new in parts)),
    )


class ParetoSurvival(_Scores):
    """Several objectives, NSGA-II: the best fronts of parents and children together survive, the last cut by crowding.

    The second of individuals with equal scores ranks behind all first ones: scores such as sizes take few values, and
    a population would fill with copies of its front. Parsimony plays no part but in refinement.
    """

    def __init__(self, problem: Problem, settings: Settings) -> None:
        super().__init__(problem, settings)
        self._problem = problem
        self._compared = isinstance(problem, Comparing) and bool(problem.relative)
        self.n_children = settings.population_size

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return a point that is worse than the first generation in every objective.

        In the first objective it is the worst of that generation; the others are what is paid for it.
        """
        costs = self._costs(evaluation.scores)
        corner = np.ones(costs.shape[1])
        for m, column in enumerate(costs.T):
            finite = column[np.isfinite(column)]
            if len(finite):
                low, high = finite.min(), finite.max()
                corner[m] = high + 1.0 if high == low else low + (high - low) * (1.0 if m == 0 else REACH)
        return corner

    def remaining(self, ranks: Ints) -> Ints:
        """Return all."""
        return np.argsort(ranks)

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the best of parents and children, those in the order in which they stood."""
        scores = np.concatenate([evaluation.scores, theirs.scores])
        if self._compared:
            assert isinstance(self._problem, Comparing)
            both = Evaluation(*(np.concatenate(pair) for pair in zip(evaluation, theirs, strict=True)))
            scores = self.clean(self._problem.compare(join(population, children), both))
        standing = self._stand(scores)
        # In their old order, so that equals keep theirs.
        chosen = np.sort(standing.order[: population.size])
        old, new = chosen[chosen < population.size], chosen[chosen >= population.size] - population.size
        parts = zip(evaluation, theirs, strict=True)
        kept = Evaluation(*(np.concatenate([one[old], other[new]]) for one, other in parts))
        return join(pick(population, old), pick(children, new)), kept._replace(scores=scores[chosen])

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by front, then by crowding; the best is the one of the front that is best in the first objective."""
        costs, violation = self._costs(evaluation.scores), self._violations(evaluation.scores)
        standing = self._stand(evaluation.scores)
        plain = standing if self._settings.composite == 0.0 else stand(costs, violation, copies_last=True)
        members = np.flatnonzero(plain.ranks == 0)
        best = members[np.lexsort((population.complexity[members], *costs[members].T[::-1]))[0]]
        # What breaks constraints is worth nothing.
        volume = float(hypervolume(costs[members], reference)) if violation[best] == 0.0 else 0.0
        ranks = _tournament_ranks(standing)
        return Ranking(int(best), ranks, (-float(violation[best]), volume), volume, len(members))

    def order(self, population: Population, evaluation: Evaluation) -> Ints:
        """Sort by front, then by crowding."""
        return self._stand(evaluation.scores).order

    def _stand(self, scores: Floats) -> Standing:
        costs = composed(self._costs(scores), self._settings.composite)
        return stand(costs, self._violations(scores), copies_last=True)

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return a price for each child, from nothing to several times the parsimony: all sizes are refined."""
        prices: Floats = price * DEAREST * np.random.default_rng([seed, generation]).random(n)
        return prices


def _tournament_ranks(standing: Standing) -> Ints:
    """Number individuals by front, then by crowding distance; equal ones have equal numbers."""
    fronts, crowding = standing.ranks[standing.order], standing.crowding[standing.order]
    differs = np.ones(len(fronts), np.int64)
    differs[1:] = (fronts[1:] != fronts[:-1]) | (crowding[1:] != crowding[:-1])
    ranks = np.empty(len(fronts), np.int64)
    ranks[standing.order] = np.cumsum(differs) - 1
    return ranks
