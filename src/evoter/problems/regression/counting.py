"""What is added up on the rows of a regression task: what the best numbers of rules and their losses follow from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from evoter.kernels.evaluation.numbers import N_SUMS, add_sums, pinball_losses
from evoter.kernels.layout import WORD, Floats, Ints, Population, Rows
from evoter.kernels.threads import Threads
from evoter.problems.mask_cache import Masks
from evoter.problems.row_shards import RowShards
from evoter.rules.model import Mode

_COST: Final = 4.0
"""What deciding on a row costs here, in units of what it costs to count it."""

_UNLIMITED: Final = 2**40
"""A budget of bytes for masks that is never exceeded: quantiles need all rows at once."""


@dataclass(frozen=True, slots=True, eq=False)
class RowNumbers:
    """The numbers and weights of rows, the features [term, row] of linear terms, and the term of each action, or -1."""

    numbers: Floats
    weights: Floats
    terms: Floats
    term_of: Ints

    def part(self, words: slice) -> "RowNumbers":
        """Return those of some words of rows."""
        rows = slice(words.start * WORD, words.stop * WORD)
        terms = np.ascontiguousarray(self.terms[:, rows])
        return RowNumbers(self.numbers[rows].copy(), self.weights[rows].copy(), terms, self.term_of)


class NumberShards(RowShards):
    """Rows with a number each, in shards; with a `quantile`, in ascending order of the numbers and all in one piece."""

    def __init__(self, rows: Rows, numbers: RowNumbers, quantile: float | None, *, mask_budget: int) -> None:
        self._numbers = numbers
        self._quantile = quantile
        sorts = quantile is not None
        budget = max(mask_budget, _UNLIMITED) if sorts else mask_budget
        super().__init__(rows, Mode.FIRST, max_lag=0, mask_budget=budget, exact=sorts)

    def _cut(self, words: slice) -> None:
        assert self._quantile is None
        self._numbers = self._numbers.part(words)

    def _sums(
        self, population: Population, order: Ints, masks: Masks, decided: Ints, threads: Threads
    ) -> Iterator[tuple[Floats, ...]]:
        n = population.size
        for first, last in self.spans(masks):
            words = slice(masks.first_word + first, masks.first_word + last)
            some = self._numbers if words == slice(0, len(self.rows.valid)) else self._numbers.part(words)
            here = np.ascontiguousarray(masks.words[:, first:last])
            inputs = (population, masks.mask_rows, here, self.rows.valid[words], some.numbers, some.weights)
            work = float(n) * len(some.numbers) * _COST
            sums, losses = np.zeros((n, population.max_rules + 1, N_SUMS)), np.zeros(n)
            if self._quantile is None:
                threads.run(add_sums, n, work, *inputs, some.terms, some.term_of, decided, sums)
            else:
                threads.run(pinball_losses, n, work, *inputs, self._quantile, decided, losses)
            yield sums, losses
