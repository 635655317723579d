"""What pinned rules contribute to the counts of every individual: they decide the same rows in all of them."""

from typing import NamedTuple, Self

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.fitness import Counts
from evoter.problems.guarding import PinnedDecisions

LEAST_PROBABILITY = 1e-15
"""Keeps logarithms finite, as for decisions of evolved rules."""


class PinnedCounts(NamedTuple):
    """The weights of the classes among the rows that each pinned rule decides [rule, class], and what it decides."""

    weights: Floats
    actions: Ints
    certainties: Floats

    @classmethod
    def of(cls, given: PinnedDecisions, n_rules: int, rows: Ints, classes: Ints, weights: Floats | None) -> Self:
        """Count `rows`, which have `classes` and weights, by the pinned rule that decides them."""
        totals = np.zeros((n_rules, int(classes.max(initial=0)) + 1))
        decided = ~given.free[rows]
        worth = np.ones(len(rows)) if weights is None else weights
        np.add.at(totals, (given.rules[rows][decided], classes[decided]), worth[decided])
        actions, certainties = np.zeros(n_rules, np.int64), np.ones(n_rules)
        taken = np.flatnonzero(~given.free)
        actions[given.rules[taken]], certainties[given.rules[taken]] = given.actions[taken], given.certainties[taken]
        return cls(totals, actions, certainties)

    def added_to(self, counts: Counts, class_weight: Floats, *, with_log_loss: bool) -> Counts:
        """Return the counts of individuals [action, class] with those of the pinned rules."""
        weights = self._padded(len(class_weight)) * class_weight
        confusion, log_loss = counts.confusion, counts.log_loss
        for action, row in zip(self.actions, weights, strict=True):
            confusion[:, action] += row
        if with_log_loss:
            log_loss = log_loss + float((weights * self._losses(len(class_weight))).sum())
        return counts._replace(confusion=confusion, log_loss=log_loss)

    def put_before(self, counts: Counts, n_classes: int) -> Counts:
        """Return the counts of individuals [rule, class] with the pinned rules as their first rules."""
        weights = self._padded(n_classes)
        before = np.broadcast_to(weights, (len(counts.confusion), *weights.shape))
        return counts._replace(confusion=np.concatenate([before, counts.confusion], axis=1))

    def _padded(self, n_classes: int) -> Floats:
        return np.pad(self.weights, ((0, 0), (0, n_classes - self.weights.shape[1])))

    def _losses(self, n_classes: int) -> Floats:
        """Return the negative logarithm of the probability that each pinned rule gives each class."""
        others = (1.0 - self.certainties) / max(n_classes - 1, 1)
        probabilities = np.tile(others[:, None], (1, n_classes))
        probabilities[np.arange(len(self.actions)), self.actions] = self.certainties
        losses: Floats = -np.log(np.maximum(probabilities, LEAST_PROBABILITY))
        return losses
