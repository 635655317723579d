"""Rows in shards: what every task counts on its rows, and how a run of shards is taken out of all of them."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final, Self

import numpy as np

from evoter.evolution.sharding import SHARD_WORDS, Tally, add_up
from evoter.genome.deciding import claim_order
from evoter.kernels.evaluation.decide import add_applied
from evoter.kernels.layout import WORD, Floats, Ints, Population, Rows
from evoter.kernels.threads import Threads
from evoter.problems.mask_cache import MaskCache, Masks
from evoter.rules.model import Mode

APPLIED: Final = 0
DECIDED: Final = 1
"""Where the counts of a tally are: how often each rule held, and decided; the default decides last."""


class RowShards(ABC):
    """Rows as the kernels read them, in shards of whole words; a subclass says what is added up over them.

    With `exact`, all sums are whole numbers, so that they may be added in any order; otherwise each shard has its own.
    """

    def __init__(self, rows: Rows, mode: Mode, *, max_lag: int, mask_budget: int, exact: bool) -> None:
        self.rows = rows
        self.mode = mode
        self._max_lag = max_lag
        self._mask_budget = mask_budget
        self._exact = exact
        self._is_all = True
        self.cache = self._new_cache()

    def _new_cache(self) -> MaskCache:
        return MaskCache(self.rows, self._mask_budget, step=1 if self._exact else SHARD_WORDS)

    @property
    def n_shards(self) -> int:
        """The number of shards; the last one may be shorter."""
        return max(1, -(-len(self.rows.valid) // SHARD_WORDS))

    def take(self, first: int, last: int) -> Self:
        """Return the shards from number `first` to number `last`, without the rows of the others."""
        words = slice(first * SHARD_WORDS, min(last * SHARD_WORDS, len(self.rows.valid)))
        part = copy.copy(self)
        part.rows = cut_rows(self.rows, words, self._max_lag)
        part._is_all = self._is_all and first == 0 and last == self.n_shards
        part._cut(words)
        part.cache = part._new_cache()
        return part

    def with_budget(self, mask_budget: int) -> Self:
        """Return the same shards with another budget of bytes for masks, which changes no result."""
        other = copy.copy(self)
        other._mask_budget = mask_budget
        other.cache = other._new_cache()
        return other

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "cache"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.cache = self._new_cache()

    def count(self, population: Population, threads: Threads) -> Tally:
        """Count how often rules hold and decide, and add up what the task asks for, shard by shard."""
        population = self.prepared(population)
        order = claim_order(population, self.mode)
        applied = np.zeros((population.size, population.max_rules), np.int64)
        decided = np.zeros((population.size, population.max_rules + 1), np.int64)
        lines: list[tuple[Floats, ...]] = []
        for masks in self.cache.chunks(population, threads):
            add_applied(population, masks.mask_rows, masks.applied, applied)
            for sums in self._sums(population, order, masks, decided, threads):
                lines.append(sums)
                if len(lines) > 1 and (self._exact or self._is_all):
                    lines = [_added(*lines)]
        counts = (applied, decided)
        if len(lines) == 1:
            return Tally(counts, tuple(each[None] for each in lines[0]))
        return Tally(counts, tuple(np.stack(each) for each in zip(*lines, strict=True)))

    def total(self, population: Population, threads: Threads) -> Tally:
        """Count and add up all shards."""
        tally = self.count(population, threads)
        return tally if all(len(each) == 1 for each in tally.sums) else add_up([tally])

    def prepared(self, population: Population) -> Population:
        """Return a population as it decides on these rows."""
        return population

    def spans(self, masks: Masks) -> list[tuple[int, int]]:
        """Return the words of the shards within some masks, or all at once where that makes no difference."""
        n_words = masks.words.shape[1]
        if self._exact:
            return [(0, n_words)]
        return [(first, min(first + SHARD_WORDS, n_words)) for first in range(0, n_words, SHARD_WORDS)]

    @abstractmethod
    def _cut(self, words: slice) -> None:
        """Keep of all that belongs to rows, beside `rows` themselves, only these words."""

    @abstractmethod
    def _sums(
        self, population: Population, order: Ints, masks: Masks, decided: Ints, threads: Threads
    ) -> Iterator[tuple[Floats, ...]]:
        """Yield the sums of each span within some masks, and add to `decided`."""


def _added(first: tuple[Floats, ...], second: tuple[Floats, ...]) -> tuple[Floats, ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def cut_rows(rows: Rows, words: slice, max_lag: int) -> Rows:
    """Return some words of rows, with a copy of the values that conditions can read on them and of no others."""
    some = slice(words.start * WORD, words.stop * WORD)
    n_features = max(len(rows.starts), 1)
    shorter = rows._replace(valid=rows.valid[words].copy(), history=rows.history[some].copy())
    if len(rows.steps) > 0:
        return _cut_series(shorter, rows.steps[some], max_lag)
    width = len(rows.valid) * WORD
    values = rows.values.reshape(n_features, -1, width)[:, :, some]
    depth, n_rows = values.shape[1:]
    return shorter._replace(
        values=np.ascontiguousarray(values).reshape(-1),
        starts=(np.arange(len(rows.starts), dtype=np.int64) * depth + depth - 1) * n_rows,
        lag_stride=n_rows if rows.lag_stride > 0 else 0,
    )


def _cut_series(rows: Rows, steps: Ints, max_lag: int) -> Rows:
    """Keep the steps of series that some row reaches: neighbours among them stay neighbours."""
    n_features = max(len(rows.starts), 1)
    values = rows.values.reshape(n_features, -1)
    reached = rows.history >= 0
    last = steps[reached]
    edges = np.zeros(values.shape[1] + 1, np.int64)
    np.add.at(edges, last - np.minimum(rows.history[reached], max_lag), 1)
    np.add.at(edges, last + 1, -1)
    needed = np.cumsum(edges[:-1]) > 0
    moved = np.cumsum(needed) - 1
    return rows._replace(
        values=np.ascontiguousarray(values[:, needed]).reshape(-1),
        starts=np.arange(len(rows.starts), dtype=np.int64) * int(needed.sum()),
        steps=np.where(reached, moved[steps], 0),
    )
