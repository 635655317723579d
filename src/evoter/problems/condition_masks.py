"""Masks of single conditions, kept across generations: most conditions of a new antecedent have been seen before."""

import numpy as np

from evoter.kernels.conditions.codes import LEFT, N_CODES, N_NUMBERS
from evoter.kernels.evaluation.sharing import combine, fill_conditions, find_conditions
from evoter.kernels.layout import WORD, Antecedents, Ints, Rows, Words
from evoter.kernels.threads import Threads

_MOST = 4_096
"""If there are more conditions than this, all are dropped at once: those still in use are soon computed again."""

_INVALID = -1
"""The number of known conditions while the cache is being filled."""


class ConditionMasks:
    """Computes masks of antecedents from masks of conditions, within a budget of bytes."""

    def __init__(self, rows: Rows, budget: int) -> None:
        self._rows = rows
        self._capacity = max(1, min(_MOST, budget // (8 * max(len(rows.valid), 1))))
        self._words: Words | None = None
        self._table = np.empty(1 << (4 * self._capacity - 1).bit_length(), np.int64)
        self._codes = np.empty((self._capacity, N_CODES), np.int64)
        self._numbers = np.empty((self._capacity, N_NUMBERS))
        self._parts = np.empty((0, 0), np.int64)
        self._n_known = _INVALID

    def fill(
        self, antecedents: Antecedents, threads: Threads, n: int, slots: Ints, places: Ints, masks: Words, applied: Ints
    ) -> bool:
        """Compute the masks of `n` antecedents into the rows `places` of `masks`; False where there is no room."""
        if n == 0:
            return True
        if self._words is None:
            self._words = np.empty((self._capacity, len(self._rows.valid)), np.uint64)
        width = antecedents.codes.shape[1]
        if len(self._parts) < n or self._parts.shape[1] < width:
            self._parts = np.empty((2 * n, width), np.int64)
        # New conditions are not filled yet, and Ctrl-C may come before they are: until then the cache is not valid.
        first, self._n_known = self._n_known, _INVALID
        n_known = _INVALID if first == _INVALID else self._find(antecedents, slots, n, first)
        if n_known < 0:
            self._table[:] = -1
            first = 0
            n_known = self._find(antecedents, slots, n, first)
        if n_known < 0:
            return False
        if n_known > first:
            # By feature, so that a thread reads the columns of its conditions once.
            order = first + np.argsort(self._codes[first:n_known, LEFT], kind="stable")
            work = float(n_known - first) * len(self._rows.valid) * WORD
            conditions = (self._codes, self._numbers, self._words)
            threads.run(fill_conditions, n_known - first, work, order, self._rows, *conditions)
        self._n_known = n_known
        work = float(n) * len(self._rows.valid) * width
        threads.run(combine, n, work, antecedents, slots, self._parts, self._words, places, masks, applied)
        return True

    def _find(self, antecedents: Antecedents, slots: Ints, n: int, n_known: int) -> int:
        return find_conditions(antecedents, slots, n, n_known, self._codes, self._numbers, self._table, self._parts)
