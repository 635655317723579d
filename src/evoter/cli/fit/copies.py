"""Rows that occur more than once, and test rows that are copies of training rows, on which a test proves nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.analysis.formatting import counted, percent
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.split import Split

_SHARE = 0.01
_LEAST = 5
"""Fewer copies, as a share of the rows or as a number, are not worth a warning."""

_BY_CHANCE = 0.1
"""Copies are no surprise if at least this part of them would be there if the columns were drawn independently."""


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """How many rows repeat an earlier one in all columns that rules read, and in the class.

    `in_training` tells for each test row whether a training row has the same values. `by_chance` says that columns have
    so few different values that equal rows are to be expected.
    """

    n_rows: int
    n_repeated: int
    in_training: NDArray[np.bool_]
    by_chance: bool

    @property
    def warning(self) -> str:
        """What a person should know about it, "" if there is nothing."""
        n_test = int(self.in_training.sum())
        if self.by_chance or max(self.n_repeated, n_test) < max(_LEAST, _SHARE * self.n_rows):
            return ""
        said = f"{self.n_repeated:,} of {counted(self.n_rows, 'row')} repeat an earlier row exactly"
        if n_test:
            said += f"; {n_test:,} of {counted(len(self.in_training), 'test row')} are copies of training rows, which "
            said += "makes the test too easy"
        return f"{said}: remove copies, unless they are different cases"

    def described(self, predictions: Sequence[str] | None, labels: Sequence[str]) -> dict[str, Any]:
        """Return the figures for the record, with the accuracy on the test rows that are no copies."""
        others = np.flatnonzero(~self.in_training)
        right = None
        if predictions is not None and len(others):
            right = sum(predictions[row] == labels[row] for row in others.tolist()) / len(others)
        return {
            "rows": self.n_repeated,
            "test_rows_in_training": int(self.in_training.sum()),
            "accuracy_on_other_test_rows": right,
            "expected_by_chance": self.by_chance,
        }


def find_copies(plan: Plan, split: Split) -> Copies:
    """Count the rows that repeat others, and the test rows that repeat training rows."""
    frame = plan.frame
    labelled = frame.with_columns(pl.Series("", plan.labels))  # no column has an empty name
    n_repeated = len(frame) - labelled.n_unique()
    hashes = frame.hash_rows(seed=0).to_numpy()
    in_training = np.isin(hashes[split.test], hashes[split.train])
    n_copies = max(n_repeated, int(in_training.sum()))
    return Copies(len(frame), n_repeated, in_training, bool(n_copies) and _expected(frame) >= _BY_CHANCE * n_copies)


def _expected(frame: pl.DataFrame) -> float:
    """Return how many rows would repeat an earlier one if the columns were independent of each other."""
    n_rows = len(frame)
    chance = 1.0
    for column in frame:
        # Under names of its own: a column may be called as the counts are by default.
        shares = column.alias("value").value_counts(name="rows")["rows"].to_numpy() / n_rows
        chance *= float((shares**2).sum())
    return n_rows * -float(np.expm1(-chance * (n_rows - 1) / 2))


def about_other_rows(described: dict[str, Any], warning: str) -> str:
    """Return how often the rules are right on test rows that are no copies, "" if there is nothing to tell."""
    right = described["accuracy_on_other_test_rows"]
    if not warning or right is None or not described["test_rows_in_training"]:
        return ""
    return f"correct for {percent(right)} of the test rows that are no copies of training rows"
