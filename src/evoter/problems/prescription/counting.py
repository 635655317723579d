"""What is added up on the rows of a prescription task: the outcomes of the actions that rule sets prescribe."""

from collections.abc import Iterator

import numpy as np

from evoter.kernels.evaluation.prescribe import tally_outcomes
from evoter.kernels.layout import WORD, Floats, Ints, Population, Rows, Words
from evoter.kernels.threads import Threads
from evoter.problems.mask_cache import Masks
from evoter.problems.row_shards import RowShards
from evoter.rules.model import Mode


class OutcomeShards(RowShards):
    """Rows with the outcomes [action, row, goal] of each action on them, which are whole numbers, in shards.

    `allowed` has a mask of rows for each action; `defaults` says what is done where an action is the default.
    """

    def __init__(
        self, rows: Rows, outcomes: Floats, allowed: Words, defaults: Ints, mode: Mode, *, mask_budget: int
    ) -> None:
        super().__init__(rows, mode, max_lag=0, mask_budget=mask_budget, exact=True)
        self._outcomes = outcomes
        self._allowed = allowed
        self._defaults = defaults

    def _cut(self, words: slice) -> None:
        self._outcomes = np.ascontiguousarray(self._outcomes[:, words.start * WORD : words.stop * WORD])
        self._allowed = np.ascontiguousarray(self._allowed[:, words])

    def _sums(
        self, population: Population, order: Ints, masks: Masks, decided: Ints, threads: Threads
    ) -> Iterator[tuple[Floats, ...]]:
        n, words = population.size, slice(masks.first_word, masks.first_word + masks.words.shape[1])
        outcomes = self._outcomes[:, words.start * WORD : words.stop * WORD]
        tables = (self.rows.valid[words], self._allowed[:, words], self._defaults, outcomes)
        totals = np.zeros((n, outcomes.shape[2]))
        inputs = (population, order, masks.mask_rows, masks.words, *tables)
        threads.run(tally_outcomes, n, float(n) * masks.words.shape[1] * WORD, *inputs, decided, totals)
        yield (totals,)
