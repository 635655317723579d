"""Noise: whole numbers from the discrete Laplace distribution, with a budget that is kept, and refused when spent."""

import hashlib
import json
import math
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from evoter.federated.errors import RefusedError
from evoter.kernels.layout import Ints
from evoter.rules.files.writing import FileInUseError, locked, write_file

_ROUNDING: Final = 1e-9
"""Sums of budgets differ by less than this if only their rounding differs."""

_PATIENCE: Final = 10.0
_PAUSE: Final = 0.02
"""How many seconds to wait for another process to write to the ledger, and between two attempts."""


class LaplaceNoise:
    """Noise for the counts of a site, so that answers hardly tell whether any one row is there.

    A *table* divides the rows into cells, such as the rules and classes of one rule set, or the bins of one feature:
    adding or removing a row changes one cell by one. Each cell gets noise k with probability proportional to
    `exp(-per_table * |k|)`, which makes a table `per_table`-differentially private. Budgets of tables add up, and
    requests that would bring the sum above `epsilon` are refused.

    `ledger` is a file that keeps what is spent when the process ends; without it, a new object starts at 0.

    >>> noise = LaplaceNoise(epsilon=1.0, per_table=0.25)
    >>> noise.spend(3)
    >>> noise.n_tables_left
    1
    """

    def __init__(self, *, epsilon: float, per_table: float, ledger: str | os.PathLike[str] | None = None) -> None:
        for name, value in (("epsilon", epsilon), ("per_table", per_table)):
            if not 0.0 < value < math.inf:
                raise ValueError(f"{name} must be a number above 0, got {value!r}")
        self.epsilon = float(epsilon)
        self.per_table = float(per_table)
        self.ledger = None if ledger is None else Path(ledger)
        self._lock = Lock()
        self._n_tables = self._read()

    @property
    def spent(self) -> float:
        """The budget that answers have used so far."""
        return self._n_tables * self.per_table

    @property
    def n_tables_left(self) -> int:
        """How many more tables can be answered."""
        return max(0, int((self.epsilon + _ROUNDING) / self.per_table) - self._n_tables)

    def spend(self, n_tables: int) -> None:
        """Take the budget of some tables, or refuse; it is written down before anything is answered.

        Other processes that keep their budget in the same ledger have spent a part of this one.
        """
        with self._lock, self._sole_use():
            self._n_tables = max(self._n_tables, self._read())
            self._take(n_tables)

    def _take(self, n_tables: int) -> None:
        if n_tables > self.n_tables_left:
            raise RefusedError(
                f"the privacy budget is spent: {n_tables} more tables at {self.per_table:g} each, and "
                f"{max(0.0, self.epsilon - self.spent):g} of {self.epsilon:g} are left",
                is_spent=True,
            )
        self._n_tables += n_tables
        if self.ledger is not None:
            write_file(self.ledger, json.dumps({"per_table": self.per_table, "n_tables": self._n_tables}) + "\n")

    def draw(self, n: int) -> Ints:
        """Return `n` whole numbers of noise, which nobody can predict."""
        return discrete_laplace(n, self.per_table, secrets.token_bytes(32))

    @contextmanager
    def _sole_use(self) -> Iterator[None]:
        """Keep other processes from the ledger while the context lasts; they are done in a moment."""
        deadline = time.monotonic() + _PATIENCE
        with ExitStack() as stack:
            while self.ledger is not None:
                try:
                    stack.enter_context(locked(self.ledger))
                    break
                except FileInUseError:
                    if time.monotonic() > deadline:
                        raise RefusedError("the ledger of the privacy budget is in use by another process") from None
                    time.sleep(_PAUSE)
            yield

    def _read(self) -> int:
        if self.ledger is None or not self.ledger.exists():
            return 0
        try:
            kept = json.loads(self.ledger.read_text("utf-8"))
            per_table, n_tables = float(kept["per_table"]), int(kept["n_tables"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.ledger}: this is no ledger of a privacy budget; restore it from a copy") from error
        # In units of the present tables, rounded up: what was spent at another price stays spent.
        return math.ceil(max(0, n_tables) * per_table / self.per_table - _ROUNDING)


def discrete_laplace(n: int, rate: float, seed: bytes) -> Ints:
    """Return `n` whole numbers k with probabilities proportional to exp(-rate * |k|), determined by a secret seed.

    The difference of two geometric numbers is distributed so. The bits come from SHAKE-256.

    >>> numbers = discrete_laplace(10_000, 0.5, b"a seed that is no secret")
    >>> print(abs(numbers.mean()) < 0.1, abs(numbers.var() - 2 * np.exp(-0.5) / (1 - np.exp(-0.5)) ** 2) < 0.4)
    True True
    """
    bits = np.frombuffer(hashlib.shake_256(seed).digest(16 * n), np.dtype("<u8")).reshape(2, n)
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 1.0) * 2.0**-53  # above 0 and at most 1
    geometric = np.floor(-np.log(uniform) / rate).astype(np.int64)
    difference: Ints = geometric[0] - geometric[1]
    return difference


def suppressed(counts: Ints, least: int) -> Ints:
    """Return counts with 0 in place of all that are below `least`.

    >>> suppressed(np.array([7, 4, 5, 0]), 5).tolist()
    [7, 0, 5, 0]
    """
    return np.where(counts < least, 0, counts) if least > 1 else counts
