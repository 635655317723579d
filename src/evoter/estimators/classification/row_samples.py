"""Samples of the rows of a large table: which rows rules are evaluated on, and how that is said."""

from typing import NamedTuple

import numpy as np

from evoter.kernels.layout import Ints

_SEED = 0
"""A fixed seed: the sampled rows belong to the task, not to the search."""


class RowSamples(NamedTuple):
    """How many training rows there are, on how many rules were evaluated in the search, and exact moves as well.

    >>> print(RowSamples(15_000_000, 1_000_000, 20_000))
    rules were evaluated on 1,000,000 of 15,000,000 training rows, drawn at random, and exact moves on 20,000 of these
    >>> print(RowSamples(150, 150, 150))
    rules were evaluated on all 150 training rows
    """

    n_rows: int
    n_evaluated: int
    n_refined: int

    @property
    def is_partial(self) -> bool:
        """Whether rules were evaluated on some of the rows only."""
        return self.n_evaluated < self.n_rows

    @property
    def is_sampled(self) -> bool:
        """Whether a part of the search looked at some of the rows only."""
        return self.is_partial or 0 < self.n_refined < self.n_evaluated

    def __str__(self) -> str:
        rows = f"all {self.n_rows:,} training rows"
        if self.is_partial:
            rows = f"{self.n_evaluated:,} of {self.n_rows:,} training rows, drawn at random"
        said = f"rules were evaluated on {rows}"
        if 0 < self.n_refined < self.n_evaluated:
            said += f", and exact moves on {self.n_refined:,} of these"
        return said


def draw_rows(classes: Ints, n_rows: int, seed: int = _SEED) -> Ints:
    """Draw about `n_rows` rows at random, of each class in proportion and at least one; return them in order.

    >>> classes = np.array([0] * 90 + [1] * 10)
    >>> np.bincount(classes[draw_rows(classes, 10)]).tolist()
    [9, 1]
    """
    generator = np.random.default_rng(seed)
    counts = np.bincount(classes)
    parts = []
    for c in np.flatnonzero(counts).tolist():
        n = min(max(1, round(n_rows * int(counts[c]) / len(classes))), int(counts[c]))
        chosen = np.sort(generator.choice(int(counts[c]), n, replace=False))
        parts.append(np.flatnonzero(classes == c)[chosen])
    return np.sort(np.concatenate(parts))
