"""Shards: rows are cut into them by position alone, and what is counted on them adds up to the same bytes anywhere."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple, Protocol, Self, runtime_checkable

from evoter.evolution.problem import Evaluation
from evoter.kernels.layout import WORD, Floats, Ints, Population
from evoter.kernels.threads import Threads

SHARD_WORDS: Final = 512
"""Words of rows in a shard, the same for every number of workers: 64 of them find work in two million rows."""

SHARD_ROWS: Final = SHARD_WORDS * WORD
"""Rows in a shard."""


class Tally(NamedTuple):
    """What some consecutive shards say about a population.

    `counts` are whole numbers over all these shards, and may be added in any order. `sums` are not whole: each has a
    line for each shard, [shard, ...], so that they can be added in the order of the shards. Sums that happen to be
    whole, or of all shards that there are, may be added up already, and have one line.
    """

    counts: tuple[Ints, ...]
    sums: tuple[Floats, ...]


class Shards(Protocol):
    """Consecutive shards of the data of a task; they can be copied to another process."""

    @property
    def n_shards(self) -> int:
        """The number of shards."""
        ...

    def take(self, first: int, last: int) -> Self:
        """Return the shards from number `first` to number `last`, without the data of the others."""
        ...

    def count(self, population: Population, threads: Threads) -> Tally:
        """Count what a population does on these shards; equal populations give equal results."""
        ...


@runtime_checkable
class Sharded(Protocol):
    """A task whose evaluation follows from what is counted on the shards of its data."""

    @property
    def shards(self) -> Shards | None:
        """All shards; None if this task, with its measure, needs all rows in one place."""
        ...

    def evaluation(self, population: Population, tally: Tally, threads: Threads) -> Evaluation:
        """Score a population by what was counted on all shards."""
        ...


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Add up what was counted on shards, given in their order; the sums of the result have one line.

    >>> import numpy as np
    >>> halves = [Tally((np.array([2]),), (np.array([[0.5], [0.25]]),)), Tally((np.array([3]),), (np.array([[0.1]]),))]
    >>> add_up(halves)
    Tally(counts=(array([5]),), sums=(array([[0.85]]),))
    """
    counts: list[Ints] = []
    sums: list[Floats] = []
    for tally in tallies:
        if not counts and not sums:
            counts = [each.copy() for each in tally.counts]
            sums = [each[:1].copy() for each in tally.sums]
            rest = [each[1:] for each in tally.sums]
        else:
            counts = [total + each for total, each in zip(counts, tally.counts, strict=True)]
            rest = list(tally.sums)
        for summed, lines in zip(sums, rest, strict=True):
            for line in lines:  # one after the other: numpy's own sum groups them as it sees fit
                summed[0] += line
    return Tally(tuple(counts), tuple(sums))


def shard_bounds(n_shards: int, n_parts: int) -> list[tuple[int, int]]:
    """Divide shards into at most so many runs of nearly equal length.

    >>> shard_bounds(5, 2), shard_bounds(2, 3)
    ([(0, 2), (2, 5)], [(0, 1), (1, 2)])
    """
    n = max(1, min(n_shards, n_parts))
    edges = [n_shards * k // n for k in range(n + 1)]
    return list(pairwise(edges))
