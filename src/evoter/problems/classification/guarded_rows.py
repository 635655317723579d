"""The rows of a classification task under guardrails: who decides them, and where which class is forbidden."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evoter.genome.arrays import bit_per_row
from evoter.kernels.layout import SLOT, Floats, Ints, Population, Words
from evoter.problems.classification.fitness import Counts
from evoter.problems.classification.pinned_counts import PinnedCounts
from evoter.problems.guarding import (
    Decide,
    PinnedDecisions,
    allowed_actions,
    allowed_defaults,
    as_masks,
    keep_away,
    pinned_decisions,
)
from evoter.problems.mask_cache import Masks
from evoter.rules.guardrails.guardrails import Guardrails

MAX_CLASSES: Final = 500
"""The most classes for pinned rules, whose decisions are counted by all pairs of classes."""


@dataclass(frozen=True, eq=False)
class GuardedRows:
    """What guardrails mean for rows that are laid out in the order of `positions`, -1 for padding.

    Without pinned rules `pinned` is None, and where nothing is forbidden `allowed` [class, row] is empty: all methods
    then return what they are given.
    """

    guardrails: Guardrails
    positions: Ints
    pinned: PinnedDecisions | None
    counts: PinnedCounts | None
    allowed: NDArray[np.bool_]
    allowed_masks: Words

    @classmethod
    def of(
        cls, rails: Guardrails, decide: Decide, positions: Ints, rows: Ints, classes: Ints, weights: Floats | None
    ) -> "GuardedRows":
        """Look up what guardrails mean for some rows, which count with `classes` and weights."""
        pinned, counts = None, None
        if rails.pinned:
            n_classes = len(rails.schema.actions)
            if n_classes > MAX_CLASSES:
                raise ValueError(f"pinned rules are for at most {MAX_CLASSES:,} classes, not {n_classes:,}")
            pinned = pinned_decisions(rails, decide)
            counts = PinnedCounts.of(pinned, len(rails.pinned), rows, classes, weights)
        allowed, masks = np.empty((0, 0), np.bool_), np.empty((0, 0), np.uint64)
        if rails.forbidden:
            allowed = allowed_actions(rails, decide)
            masks = as_masks(allowed[:, positions] & (positions >= 0))
        return cls(rails, positions, pinned, counts, allowed, masks)

    def evolved(self, valid: Words) -> Words:
        """Return a mask of the rows without those that pinned rules decide: these are the same for all individuals."""
        return valid if self.pinned is None else valid & bit_per_row(self.pinned.free[self.positions])

    @property
    def defaults(self) -> Ints:
        """For each class the one that is taken if it is the default, which is never forbidden; empty if none is."""
        return allowed_defaults(self.guardrails) if len(self.allowed) else np.empty(0, np.int64)

    def with_pinned(self, counts: Counts, class_weight: Floats, *, by_rule: bool, with_log_loss: bool) -> Counts:
        """Return counts with those of the rows that pinned rules decide."""
        if self.counts is None:
            return counts
        if by_rule:
            return self.counts.put_before(counts, len(class_weight))
        return self.counts.added_to(counts, class_weight, with_log_loss=with_log_loss)

    def predicted(self, classes: Ints, certainties: Floats) -> tuple[Ints, Floats]:
        """Return predictions for all rows, in the order of the data, with those of the pinned rules in their places."""
        if self.pinned is None:
            return classes, certainties
        free = self.pinned.free
        return np.where(free, classes, self.pinned.actions), np.where(free, certainties, self.pinned.certainties)

    def is_evolved(self, rows: Ints) -> NDArray[np.bool_]:
        """Tell for some rows of the data whether evolved rules decide them."""
        return np.ones(len(rows), np.bool_) if self.pinned is None else self.pinned.free[rows]

    def penalised(self, rewards: Floats, rows: Ints) -> Floats:
        """Return rewards [row, class] that are lowest for classes that are forbidden on their rows.

        There may be more rewards than rows, for padding.
        """
        if not len(self.allowed):
            return rewards
        forbidden = np.zeros(rewards.shape, np.bool_)
        forbidden[: len(rows)] = ~self.allowed[:, rows].T
        low, spread = rewards.min(axis=1), np.ptp(rewards, axis=1)
        return np.where(forbidden, (low - spread)[:, None], rewards)


def kept_away(population: Population, judged_as: Population, masks: Masks, allowed: Words) -> tuple[Population, Masks]:
    """Return the population to count, and its masks, with rules that hold only where their class is allowed.

    `judged_as` is the population with other numbers for its classes; where nothing is forbidden, `allowed` is empty.
    """
    if not len(allowed):
        return judged_as, masks
    guarded, masks = keep_away(population, masks, allowed)
    rules = judged_as.rules.copy()
    rules[:, :, SLOT] = guarded.rules[:, :, SLOT]
    return judged_as._replace(rules=rules), masks
