"""Age layers: individuals see another sample of the data in each generation, and compete with those of similar age.

After Hodjat and Shahrzad, Introducing an Age-Varying Fitness Estimation Function (2013), Hemberg and others, Learning
Decision Lists with Lags for Physiological Time Series (2014), and Shahrzad, Hodjat and Miikkulainen, Estimating the
Advantage of Age-Layering in Evolutionary Algorithms (2016): a child is evaluated on a single sample of the data. In
every generation that it survives it sees another one, and its score is the mean over those it has seen. Only the best
of each layer survive; whoever has seen four times as many samples as the layer asks for is promoted to the next, where
it must be good enough to stay. Individuals of the last layer have seen all data, and their scores are exact.
"""

from typing import Final

import numpy as np

from evoter.evolution.mechanisms.replacement import Elitism, ParetoSurvival, Ranking
from evoter.evolution.problem import Evaluation, Problem, Sampled
from evoter.evolution.settings import Settings
from evoter.genome.arrays import join, pick
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.threads import Threads

GROWTH: Final = 4
"""Factor by which the number of samples seen grows from layer to layer."""

BREEDING_SHARE: Final = 0.5
"""With several objectives, the part of a population that is replaced by children; with one, all but the elites are."""


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

    def begin(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        """Evaluate newcomers on the first sample."""
        return _with_unseen(self._samples[0].evaluate(population, threads, seed), self.n_samples - 1)

    def grow_older(self, population: Population, evaluation: Evaluation, threads: Threads, seed: int) -> Evaluation:
        """Return the evaluation after each individual has seen its next sample, if there is one it has not seen."""
        older = evaluation
        unseen = evaluation.scores[:, -1]
        for n_unseen in np.unique(unseen[np.isfinite(unseen) & (unseen > 0)]).astype(np.int64).tolist():
            members = np.flatnonzero(unseen == n_unseen)
            some = pick(population, members)
            if n_unseen == 1:  # all data are seen now: exactly instead of on average
                new = _with_unseen(self._problem.evaluate(some, threads, seed), 0)
            else:
                age = self.n_samples - n_unseen
                seen = _with_unseen(self._samples[age].evaluate(some, threads, seed), n_unseen - 1)
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

    def finish(self, population: Population, evaluation: Evaluation, threads: Threads, seed: int) -> Evaluation:
        """Return the evaluation with exact scores for the oldest individuals, if nobody has seen all data yet."""
        oldest = self.layers(evaluation) == self.layers(evaluation).max()
        if evaluation.scores[oldest, -1].min() == 0.0:
            return evaluation
        members = np.flatnonzero(oldest)
        exact = _with_unseen(self._problem.evaluate(pick(population, members), threads, seed), 0)
        return evaluation.with_rows(members, exact)

    def layers(self, evaluation: Evaluation) -> Ints:
        """Return the layer of each individual, from 0: by the number of samples that it has seen."""
        unseen = np.where(np.isfinite(evaluation.scores[:, -1]), evaluation.scores[:, -1], self.n_samples - 1)
        layers: Ints = (np.log(self.n_samples - unseen) / np.log(GROWTH) + 1e-9).astype(np.int64)
        return layers


class LayeredSurvival:
    """Survival within layers: the best of each stay, and the rest of the population are children."""

    def __init__(self, within: Elitism | ParetoSurvival, samples: Samples, settings: Settings) -> None:
        self._within = within
        self._samples = samples
        n_layers, size = settings.n_age_layers, settings.population_size
        n_kept = settings.n_elites * n_layers if isinstance(within, Elitism) else round(size * (1 - BREEDING_SHARE))
        if n_kept >= size:
            raise ValueError(
                f"{n_layers} age layers keep n_elites={settings.n_elites} each, and a population of {size} has no room "
                "for children then: raise population_size or lower n_elites"
            )
        self._n_kept = n_kept
        self.n_children = size - n_kept

    def clean(self, scores: Floats) -> Floats:
        """Return scores with NaN as the worst."""
        return self._within.clean(scores)

    def reference(self, evaluation: Evaluation) -> Floats:
        """Return the point that hypervolumes are measured from, given the first generation."""
        return self._within.reference(evaluation)

    def order(self, population: Population, evaluation: Evaluation) -> Ints:
        """Sort a population, the oldest layer first, and the best of each layer first."""
        layers = self._samples.layers(evaluation)
        order: Ints = np.lexsort((self._positions(population, evaluation), -layers))
        return order

    def remaining(self, ranks: Ints) -> Ints:
        """Return the best of each layer; where a layer has few, there is room for more of the others."""
        return np.argsort(ranks)[: self._n_kept]

    def survivors(
        self, population: Population, evaluation: Evaluation, ranks: Ints, children: Population, theirs: Evaluation
    ) -> tuple[Population, Evaluation]:
        """Return the best of each layer and the children behind them."""
        kept = self.remaining(ranks)
        parts = zip(evaluation, theirs, strict=True)
        return (
            join(pick(population, kept), children),
            Evaluation(*(np.concatenate([old[kept], new]) for old, new in parts)),
        )

    def rank(self, population: Population, evaluation: Evaluation, reference: Floats) -> Ranking:
        """Rank by the position within the layer, so that the young are not all worse than the old.

        The best is the best of the oldest layer.
        """
        layers = self._samples.layers(evaluation)
        ranks = np.empty(population.size, np.int64)
        ranks[np.lexsort((-layers, self._positions(population, evaluation)))] = np.arange(population.size)
        oldest = np.flatnonzero(layers == layers.max())
        found = self._within.rank(pick(population, oldest), _ageless(evaluation, oldest), reference)
        merit = (float(layers.max()) + found.merit[0], found.merit[1])
        return found._replace(best=int(oldest[found.best]), ranks=ranks, merit=merit)

    def prices(self, price: float, n: int, seed: int, generation: int) -> Floats:
        """Return what a condition costs each of `n` refined children."""
        return self._within.prices(price, n, seed, generation)

    def near_best(self, population: Population, evaluation: Evaluation, distance: float) -> Ints:
        """Return the individuals of the oldest layer that cost at most `distance` more than the best, in their order.

        There must be one objective.
        """
        assert isinstance(self._within, Elitism)
        layers = self._samples.layers(evaluation)
        oldest = np.flatnonzero(layers == layers.max())
        near: Ints = oldest[self._within.near_best(pick(population, oldest), _ageless(evaluation, oldest), distance)]
        return near

    def _positions(self, population: Population, evaluation: Evaluation) -> Ints:
        """Return how many of its layer are better than each individual."""
        layers = self._samples.layers(evaluation)
        positions = np.empty(population.size, np.int64)
        for layer in np.unique(layers):
            members = np.flatnonzero(layers == layer)
            order = self._within.order(pick(population, members), _ageless(evaluation, members))
            positions[members[order]] = np.arange(len(members))
        return positions


def _with_unseen(evaluation: Evaluation, n_unseen: int) -> Evaluation:
    column = np.full(len(evaluation.scores), float(n_unseen))
    return evaluation._replace(scores=np.column_stack([evaluation.scores, column]))


def _ageless(evaluation: Evaluation, members: Ints) -> Evaluation:
    """Return the evaluation of some individuals as if all of them had seen all data, unless they have none at all."""
    some = evaluation.of(members)
    scores = some.scores.copy()
    scores[:, -1] = np.where(np.isfinite(scores[:, -1]), 0.0, scores[:, -1])
    return some._replace(scores=scores)
