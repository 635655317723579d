"""The neighbourhood of one case: the rows nearest to it, in which a local twin imitates the black box."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from evoter.distillation.queries import Surroundings
from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Kind, Schema

LEAST_ROWS: Final = 100
"""The number of nearest rows that a neighbourhood has at least, if there are as many."""

SHARE: Final = 0.1
"""The share of all rows that it has at least."""

LEAST_OTHER: Final = 0.1
"""The share of its rows that must have another answer than most: without a border there is nothing to say."""

CASE_WEIGHT: Final = 0.1
"""The weight of the case itself, as a part of that of all others."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The rows nearest to a case: how many of how many, what numbers they range over, and what is answered there.

    `original` and `twin` are the answers about the case itself; `confidence` is the probability that the original
    gives to its own, None for numbers. `widened` says that the nearest rows all had one answer, and more were
    needed to show where it changes.
    """

    n_rows: int
    n_of: int
    ranges: dict[str, tuple[float, float]]
    original: Any
    twin: Any
    confidence: float | None
    widened: bool

    @property
    def agrees(self) -> bool:
        """Whether the twin answers about the case as the original does, to the last digit."""
        return bool(self.original == self.twin)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rows": self.n_rows,
            "of": self.n_of,
            "ranges": {name: list(ends) for name, ends in self.ranges.items()},
            "original": str(self.original),
            "twin": str(self.twin),
            "confidence": self.confidence,
            "widened": self.widened,
        }


def nearest_rows(surroundings: Surroundings, case: int, codes: Ints, n_rows: int | None) -> tuple[Ints, bool]:
    """Return the rows nearest to a case without the case itself, and whether there had to be more than usual.

    `n_rows` is the number that the user wants, None for the usual one. `codes` are the answers.
    """
    others = np.delete(np.arange(surroundings.n_rows), case)
    order = others[np.argsort(surroundings.distances(np.array([case]), others)[0], kind="stable")]
    if n_rows is not None:
        return order[:n_rows], False
    usual = n_wanted = max(LEAST_ROWS, int(SHARE * len(others)))
    while n_wanted < len(others):
        found = codes[order[:n_wanted]]
        if 1.0 - np.bincount(found).max() / len(found) >= LEAST_OTHER:
            break
        n_wanted *= 2
    return order[:n_wanted], n_wanted > usual


def proximities(distances: Floats) -> Floats:
    """Return weights that fall with squared distances: 1 at the case, 0.5 at the middle of the rows.

    >>> proximities(np.array([0.0, 1.0, 4.0])).round(3)
    array([1.   , 0.5  , 0.062])
    """
    middle = float(np.median(distances)) or 1.0
    weights: Floats = np.exp2(-distances / middle)
    return weights


def number_ranges(schema: Schema, lines: Floats) -> dict[str, tuple[float, float]]:
    """Return the least and the largest value of each numeric feature, given feature by feature."""
    pairs = zip(schema.features, lines, strict=True)
    known = [(feature.name, line[~np.isnan(line)]) for feature, line in pairs if feature.kind is Kind.NUMERIC]
    return {name: (float(line.min()), float(line.max())) for name, line in known if len(line)}
