"""What is counted on the rows of a classification task: decisions against true classes, and by group if needed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evoter.genome.deciding import row_decider
from evoter.kernels.layout import WORD, Floats, Ints, Population, Rows, Words
from evoter.kernels.threads import Threads
from evoter.problems.classification.frequencies import counted_by_rule
from evoter.problems.classification.guarded_rows import kept_away
from evoter.problems.classification.renumbering import renumbered
from evoter.problems.guarding import with_defaults
from evoter.problems.mask_cache import Masks
from evoter.problems.row_shards import RowShards
from evoter.rules.model import Mode

CONFUSION: Final = 0
LOG_LOSS: Final = 1
BY_GROUP: Final = 2
"""Where the sums of a tally are: confusion matrices, log-losses, and decisions by group if any are counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Rows sorted into cells, such as classes, each in whole words from `segments[c]` to `segments[c + 1]`.

    `valid` has a bit for each row that counts; without `weights`, rows count 1 each.
    """

    valid: Words
    segments: Ints
    weights: Floats

    def part(self, words: slice) -> "Cells":
        """Return some words of the rows."""
        return Cells(
            self.valid[words].copy(),
            np.clip(self.segments, words.start, words.stop) - words.start,
            self.weights[words.start * WORD : words.stop * WORD].copy(),
        )

    def within(self, masks: Masks, first: int, last: int) -> tuple[Words, Ints, Floats]:
        """Return valid bits, segments and weights of the rows of some masks; outside two words no cell has any."""
        if last - first == len(self.valid):
            return self.valid, self.segments, self.weights
        start = masks.first_word
        stop = start + masks.words.shape[1]
        valid, weights = self.valid, self.weights
        if masks.words.shape[1] < len(valid):
            valid, weights = valid[start:stop], weights[start * WORD : stop * WORD]
        return valid, np.clip(self.segments, start + first, start + last) - start, weights


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What is counted of decisions: by which classes, with which weights, and where which class is forbidden.

    `by_rule` counts by deciding rule instead of its class, `all_pairs` by all pairs of classes, however many there are.
    Without forbidden classes, `allowed` [class, word] and `defaults` are empty.
    """

    n_classes: int
    class_weight: Floats
    with_log_loss: bool
    by_rule: bool
    all_pairs: bool
    allowed: Words
    defaults: Ints

    @property
    def weights(self) -> Floats:
        """The weights of classes while rows are counted."""
        # Weighted afterwards, so that sums over rows of weight 1 are exact, and equal ones tie.
        return np.ones(self.n_classes) if self.by_rule else self.class_weight

    def judged(self, population: Population) -> tuple[Population, Ints | None, int]:
        """Return the population with the numbers that its actions are counted by, what they mean, and how many."""
        if self.by_rule:
            return counted_by_rule(population), None, population.max_rules + 1
        if self.n_classes <= MAX_DENSE or self.all_pairs:
            return population, None, self.n_classes
        renamed, predicted = renumbered(population)
        return renamed, predicted, predicted.shape[1]


MAX_DENSE: Final = 64
"""Among more classes than this, individuals are counted by the few classes that they can predict."""


class ClassShards(RowShards):
    """Rows sorted by class, and within it by group if `by_group` says so, in shards."""

    def __init__(
        self,
        rows: Rows,
        by_class: Cells,
        counted: Counted,
        by_group: Cells | None,
        mode: Mode,
        *,
        max_lag: int,
        mask_budget: int,
    ) -> None:
        self.by_class = by_class
        self.by_group = by_group
        self.counted = counted
        weighted = len(by_class.weights) > 0 or (by_group is not None and len(by_group.weights) > 0)
        exact = not weighted and not counted.with_log_loss and bool((counted.weights % 1.0 == 0.0).all())
        super().__init__(rows, mode, max_lag=max_lag, mask_budget=mask_budget, exact=exact)

    def prepared(self, population: Population) -> Population:
        """Return a population whose defaults are never forbidden."""
        defaults = self.counted.defaults
        return with_defaults(population, defaults) if len(defaults) else population

    def _cut(self, words: slice) -> None:
        self.by_class = self.by_class.part(words)
        self.by_group = None if self.by_group is None else self.by_group.part(words)
        self.counted = replace(self.counted, allowed=self.counted.allowed[:, words].copy())

    def _sums(
        self, population: Population, order: Ints, masks: Masks, decided: Ints, threads: Threads
    ) -> Iterator[tuple[Floats, ...]]:
        n, n_classes = population.size, self.counted.n_classes
        decider = row_decider(self.mode)
        judged, _, n_counted = self.counted.judged(population)
        tallied, own = kept_away(population, judged, masks, self.counted.allowed)
        for first, last in self.spans(masks):
            work = float(population.n_rules.sum()) * (last - first) * decider.cost
            inputs = (tallied, decider.code, order, own.mask_rows, own.words)
            sums = (np.zeros((n, n_counted, n_classes)), np.zeros(n))
            outputs = (self.counted.weights, self.counted.with_log_loss, decided, *sums)
            threads.run(decider.tally, n, work, *inputs, *self.by_class.within(masks, first, last), *outputs)
            if self.by_group is None:
                yield sums
                continue
            n_cells = len(self.by_group.segments) - 1
            groups = np.zeros((n, n_classes, n_cells))
            ignored = np.zeros_like(decided)
            outputs = (np.ones(n_cells), False, ignored, groups, np.zeros(n))
            threads.run(decider.tally, n, work, *inputs, *self.by_group.within(masks, first, last), *outputs)
            yield (*sums, groups)
