"""The parts of a table: training and validation rows for editing, and test rows that stay closed until sign-off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evoter.cli.fit.split import split_rows

Ints = NDArray[np.int64]

TRAINING: Final = "training"
VALIDATION: Final = "validation"
OPEN: Final = "open"

TEST_SHARE: Final = 0.25
VALIDATION_SHARE: Final = 0.25
"""The parts of all rows that are held out where nobody says otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Sorted positions of the rows of each part; together they are all rows, and no row is in two of them."""

    training: Ints
    validation: Ints
    test: Ints
    seed: int
    validation_share: float
    test_share: float
    grouped: bool

    @property
    def open(self) -> Ints:
        """The rows that may be looked at while rules are edited."""
        return np.sort(np.concatenate([self.training, self.validation]))


def divide_rows(
    labels: Sequence[str], identifiers: Sequence[str] | None, *, test: float, validation: float, seed: int
) -> Parts:
    """Divide rows at random, stratified by class; rows with the same identifier stay together.

    The test rows are those that `evoter fit` holds out with the same share and seed.

    >>> parts = divide_rows(["a", "b"] * 50, None, test=0.25, validation=0.2, seed=0)
    >>> len(parts.training), len(parts.validation), len(parts.test)
    (55, 20, 25)
    """
    outer = split_rows(labels, identifiers, test, seed)
    kept = outer.train
    share = validation / (1.0 - test)
    inner = split_rows(
        [labels[row] for row in kept],
        None if identifiers is None else [identifiers[row] for row in kept],
        share,
        seed + 1,
    )
    return Parts(
        kept[inner.train], kept[inner.test], outer.test, seed, validation, test, outer.grouped or inner.grouped
    )
