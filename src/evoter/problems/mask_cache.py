"""Masks kept across generations: only antecedents never seen before are computed."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import WORD, Ints, Population, Rows, Words
from evoter.kernels.pool import claim_mask_rows
from evoter.kernels.threads import Threads
from evoter.problems.condition_masks import ConditionMasks

MASK_BUDGET = 512 * 2**20
"""Maximum bytes for masks; populations that need more are evaluated in chunks of rows without a cache."""


class Masks(NamedTuple):
    """The masks of a population's antecedents on some words of rows; `mask_rows` maps slots to rows of `words`."""

    first_word: int
    mask_rows: Ints
    words: Words
    applied: Ints


class MaskCache:
    """Computes the masks of antecedents on fixed rows, and keeps them as long as they are in use.

    Chunks of rows, where masks of all rows exceed the budget, have a multiple of `step` words, and one `step` at least.
    """

    def __init__(self, rows: Rows, budget: int = MASK_BUDGET, *, step: int = 1) -> None:
        self._rows = rows
        self._step = step
        # A quarter for conditions, a fifth for the engine's own arrays beside the masks, the rest for antecedents.
        self._conditions = ConditionMasks(rows, budget // 4)
        self._budget = budget - budget // 4 - budget // 5
        self._most_places = max(1, self._budget // (8 * max(len(rows.valid), 1)))
        self._pool: Ints | None = None
        self._now = 0

    def chunks(self, population: Population, threads: Threads) -> Iterator[Masks]:
        """Yield the masks of a population: all rows at once where the budget allows it, else chunk by chunk."""
        masks = self._cached(population, threads)
        if masks is not None:
            yield masks
            return
        yield from self._uncached(population, threads)

    def _reset(self, population: Population, n_places: int) -> None:
        pool = population.antecedents.facts
        self._now = 3  # unused rows have age 0, which is older than any age that is looked for
        self._places = np.full(len(pool), -1, np.int64)
        self._serials = np.zeros(n_places, np.int64)
        self._last_used = np.zeros(n_places, np.int64)
        self._words = np.empty((n_places, len(self._rows.valid)), np.uint64)
        self._applied = np.zeros(n_places, np.int64)
        self._new_slots = np.empty(len(pool), np.int64)
        self._new_places = np.empty(len(pool), np.int64)

    def _claim(self, population: Population) -> int:
        self._now += 1
        return claim_mask_rows(
            population,
            self._places,
            self._serials,
            self._last_used,
            self._now,
            self._new_slots,
            self._new_places,
        )

    def _cached(self, population: Population, threads: Threads) -> Masks | None:
        pool = population.antecedents.facts
        if self._pool is not pool:
            self._reset(population, min(2 * int(population.n_rules.sum()), self._most_places))
        self._pool = None  # the claimed rows are not filled yet, and Ctrl-C may come before they are
        n_new = self._claim(population)
        if n_new < 0:
            needed = len(np.unique(population.used_slots))
            if needed > self._most_places:
                return None
            # More than needed now: the next generation adds antecedents while those of its parents are still in use.
            self._reset(population, min(4 * needed, self._most_places))
            n_new = self._claim(population)
        claimed = (self._new_slots, self._new_places, self._words, self._applied)
        if not self._conditions.fill(population.antecedents, threads, n_new, *claimed):
            self._fill(population, threads, self._rows, n_new, *claimed)
        self._pool = pool
        return Masks(0, self._places, self._words, self._applied)

    def _uncached(self, population: Population, threads: Threads) -> Iterator[Masks]:
        slots = np.unique(population.used_slots)
        n_words = max(1, self._budget // (8 * len(slots) * self._step)) * self._step
        places = np.full(len(population.antecedents.facts), -1, np.int64)
        places[slots] = np.arange(len(slots), dtype=np.int64)
        words = np.empty((len(slots), n_words), np.uint64)
        for first in range(0, len(self._rows.valid), n_words):
            valid = self._rows.valid[first : first + n_words]
            some = slice(first * WORD, (first + n_words) * WORD)
            history, steps = self._rows.history[some], self._rows.steps[some]
            starts = self._rows.starts if len(steps) > 0 else self._rows.starts + first * WORD
            chunk = self._rows._replace(starts=starts, valid=valid, history=history, steps=steps)
            applied = np.zeros(len(slots), np.int64)
            self._fill(population, threads, chunk, len(slots), slots, places[slots], words, applied)
            yield Masks(first, places, words[:, : len(valid)], applied)

    @staticmethod
    def _fill(
        population: Population,
        threads: Threads,
        rows: Rows,
        n: int,
        slots: Ints,
        places: Ints,
        words: Words,
        applied: Ints,
    ) -> None:
        if n > 0:
            work = float(n) * len(rows.valid) * WORD
            threads.run(fill_masks, n, work, rows, population.antecedents, slots, places, words, applied)
