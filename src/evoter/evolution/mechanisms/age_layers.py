"""Age layers: individuals see another sample of the data in each generation, and compete with those of similar age.

After Hodjat and Shahrzad, Introducing an Age-Varying Fitness Estimation Function (2013), Hemberg and others, Learning
Decision Lists with Lags for Physiological Time Series (2014), and Shahrzad, Hodjat and Miikkulainen, Estimating the
Advantage of Age-Layering in Evolutionary Algorithms (2016): a child is evaluated on a single sample of the data. In
every generation that it survives it sees another one, and its score is the mean over those it has seen. Individuals are
compared with those of their own age only, since the best of many on one sample are mostly lucky ones: of those that
have completed a layer, the best quarter is promoted to the next, in which they see four times as many samples. The last
layer has seen all data; its scores are exact, and only its best stay.
"""

from typing import Final

import numpy as np

from evoter.evolution.executor import Executor
from evoter.evolution.mechanisms.replacement import Elitism, ParetoSurvival, Ranking, beside_children, first_ranks
from evoter.evolution.problem import Evaluation, Problem, Sampled
from evoter.evolution.settings import Settings
from evoter.genome.arrays import pick
from evoter.kernels.layout import Floats, Ints, Population

GROWTH: Final = 4
"""Factor by which the number of samples seen grows from layer to layer."""

FRONT_SHARE: Final = 0.25
"""With several objectives, the part of a population that the last layer may have; with one, it has the elites."""


class Samples:
    """The data of a task as samples, and what individuals have seen of them.

    The last column of the scores counts the samples that an individual has not seen; this is all that is remembered
    about its age. Everybody sees the samples in the same order, so that equal ages are compared on equal data.
    """

    def __init__(self, problem: Problem, n_layers: int) -> None:
        self._problem = problem
        n = GROWTH ** (n_layers - 1)
        samples = [problem.sampled(1.0 / n, k / n) if isinstance(problem, Sampled) else None for k in range(n)]
        found = [sample for sample in samples if sample is not None]
        self._samples = found if len(found) == n else [problem]

    @property
    def n_samples(self) -> int:
        """The number of samples that make up all data."""
        return len(self._samples)

    def begin(self, population: Population, executor: Executor, seed: int) -> Evaluation:
        """Evaluate newcomers on the first sample."""
        return _with_unseen(executor.evaluate(self._samples[0], population, seed), self.n_samples - 1)

    def grow_older(self, population: Population, evaluation: Evaluation, executor: Executor, seed: int) -> Evaluation:
        """Return the evaluation after each individual has seen its next sample, if there is one it has not seen."""
        older = evaluation
        unseen = evaluation.scores[:, -1]
        for n_unseen in np.unique(unseen[np.isfinite(unseen) & (unseen > 0)]).astype(np.int64).tolist():
            members = np.flatnonzero(unseen == n_unseen)
            some = pick(population, members)
            if n_unseen == 1:  # all data are seen now: exactly instead of on average
                new = _with_unseen(executor.evaluate(self._problem, some, seed), 0)
            else:
                age = self.n_samples - n_unseen
                seen = _with_unseen(executor.evaluate(self._samples[age], some, seed), n_unseen - 1)
                before = evaluation.of(members)
                scores = seen.scores.copy()
                scores[:, :-1] = (before.scores[:, :-1] * age + seen.scores[:, :-1]) / (age + 1)
                new = Evaluation(
                    scores,
                    before.times_applied + seen.times_applied,
                    before.times_decided + seen.times_decided,
                    before.default_applied + seen.default_applied,
                )
            older = older.with_rows(members, new)
        return older

    def finish(self, population: Population, evaluation: Evaluation, executor: Executor, seed: int) -> Evaluation:
        """Return the evaluation with exact scores for the oldest individuals, if nobody has seen all data yet."""
        members = oldest(evaluation)
        if evaluation.scores[members, -1].min() == 0.0:
            return evaluation
        exact = _with_unseen(executor.evaluate(self._problem, pick(population, members), seed), 0)
        return evaluation.with_rows(members, exact)


class LayeredSurvival:
    """Survival by age: the best quarter of those that complete a layer, the best of the last; the rest are children.

    There are so many children that all ages have room. Where there is more, as in the first generations, more survive.
    """

    def __init__(self, within: Elitism | ParetoSurvival, samples: Samples, settings: Settings) -> None:
        self._within = within
        self._n_samples = samples.n_samples
        size, n_layers = settings.population_size, settings.n_age_layers
        n_last = settings.n_elites if isinstance(within, Elitism) else round(FRONT_SHARE * size)
        # Each layer but the last has 3/4 of the children: a quarter for three generations, a sixteenth for twelve ...
        self.n_children = int((size - n_last) / (1.0 + (1.0 - 1.0 / GROWTH) * (n_layers - 1)))
        if self.n_children < GROWTH ** (n_layers - 1):
            raise ValueError(
                f"{n_layers} age layers need at least {GROWTH ** (n_layers - 1)} children in each generation, and a "
                f"population of {size} has room for {self.n_children}: raise population_size or lower n_age_layers"
            )
        ages = np.arange(1, self._n_samples + 1)
        self._quotas = self.n_children / GROWTH ** (np.floor(np.log(ages) / np.log(GROWTH) + 1e-9) + 1.0)
        self._quotas[-1] = n_last
        self._n_kept = size - self.n_children

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        return self._within.clean(scores)

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return the point that hypervolumes are measured from, given the first generation."""
        return self._within.reference(evaluation)

    def order(self, population: Population, evaluation: Evaluation) -> Ints:
        """Sort a population, the oldest first, and the best of each age first."""
        order: Ints = np.lexsort((self._positions(population, evaluation), evaluation.scores[:, -1]))
        return order

    def remaining(self, ranks: Ints) -> Ints:
        """Return those that may go on: the first in the order of the ranks."""
        return first_ranks(ranks, self._n_kept)

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the best of each layer and the children behind them."""
        return beside_children(population, evaluation, self.remaining(ranks), children, theirs)

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by the position among those of equal age, relative to how many of them may go on.

        The best is the best of the oldest.
        """
        unseen = _finite_unseen(evaluation, self._n_samples)
        quotas = self._quotas[self._n_samples - unseen - 1]
        ranks = np.empty(population.size, np.int64)
        ranks[np.lexsort((unseen, self._positions(population, evaluation) / quotas))] = np.arange(population.size)
        members = oldest(evaluation)
        found = self._within.rank(pick(population, members), _ageless(evaluation, members), reference)
        merit = (float(self._n_samples - unseen.min()) + found.merit[0], found.merit[1])
        return found._replace(best=int(members[found.best]), ranks=ranks, merit=merit)

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return what a condition costs each of `n` refined children."""
        return self._within.prices(price, n, seed, generation)

    def near_best(self, population: Population, evaluation: Evaluation, distance: float) -> Ints:
        """Return the oldest individuals that cost at most `distance` more than the best of them, in their order.

        There must be one objective.
        """
        assert isinstance(self._within, Elitism)
        members = oldest(evaluation)
        near: Ints = members[self._within.near_best(pick(population, members), _ageless(evaluation, members), distance)]
        return near

    def _positions(self, population: Population, evaluation: Evaluation) -> Ints:
        """Return how many individuals of equal age are better than each."""
        unseen = evaluation.scores[:, -1]
        positions = np.empty(population.size, np.int64)
        for age in np.unique(unseen):
            members = np.flatnonzero(unseen == age)
            order = self._within.order(pick(population, members), _ageless(evaluation, members))
            positions[members[order]] = np.arange(len(members))
        return positions


def oldest(evaluation: Evaluation) -> Ints:
    """Return the individuals that have seen most of the data."""
    unseen = evaluation.scores[:, -1]
    return np.flatnonzero(unseen == unseen.min())


def _finite_unseen(evaluation: Evaluation, n_samples: int) -> Ints:
    """Return the number of samples that each individual has not seen; those without any evaluation are newcomers."""
    unseen = evaluation.scores[:, -1]
    return np.where(np.isfinite(unseen), unseen, n_samples - 1).astype(np.int64)


def _with_unseen(evaluation: Evaluation, n_unseen: int) -> Evaluation:
    column = np.full(len(evaluation.scores), float(n_unseen))
    return evaluation._replace(scores=np.column_stack([evaluation.scores, column]))


def _ageless(evaluation: Evaluation, members: Ints) -> Evaluation:
    """Return the evaluation of some individuals as if all of them had seen all data, unless they have none at all."""
    some = evaluation.of(members)
    scores = some.scores.copy()
    scores[:, -1] = np.where(np.isfinite(scores[:, -1]), 0.0, scores[:, -1])
    return some._replace(scores=scores)
