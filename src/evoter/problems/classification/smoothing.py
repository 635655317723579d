"""Smoothing: rows repeated with a little noise, so that decision boundaries do not depend on single rows."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Kind, Schema

MAX_COPIES: Final = 10
ENOUGH_ROWS: Final = 5_000
"""Rows are repeated up to `MAX_COPIES` times if there are fewer distinct ones than this."""

_SEED: Final = 0
"""A fixed seed: every run on the same rows sees the same noise."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


def count_copies(n_distinct: int) -> int:
    """Return how often rows are repeated: small tables need copies, large ones do not.

    >>> count_copies(150), count_copies(1_500), count_copies(10_000)
    (10, 4, 1)
    """
    return min(MAX_COPIES, -(-ENOUGH_ROWS // max(n_distinct, 1)))


def number_rows(columns: Iterable[Floats], classes: Ints) -> tuple[Ints, int]:
    """Number the distinct rows, by values and class, independently of their order; return the numbers and their count.

    Code that uses only these numbers treats a row of weight 2 like two equal rows.
    """
    digests = classes.astype(np.uint64)
    with np.errstate(over="ignore"):
        for column in columns:
            bits = np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint64)  # a single NaN, and no -0
            digests = (digests ^ bits) * _FACTOR
            digests ^= digests >> _SHIFT
    distinct, numbers = np.unique(digests, return_inverse=True)
    return numbers.astype(np.int64), len(distinct)


def smoothed(schema: Schema, columns: Floats, numbers: Ints, amount: float) -> tuple[Floats, Ints]:
    """Return the columns followed by their copies, and the index of the row that each entry copies.

    Numbers in the copies get normal noise of `amount` standard deviations of their feature and stay within its range;
    categories, booleans and missing values do not change. Rows with equal `numbers` get the same noise.
    """
    n_rows = columns.shape[1]
    n_distinct = int(numbers.max()) + 1
    n_copies = count_copies(n_distinct) if amount > 0.0 else 1
    origins = np.tile(np.arange(n_rows), n_copies)
    if n_copies == 1:
        return columns, origins
    generator = np.random.default_rng(_SEED)
    repeated = columns[:, origins]
    _, representatives = np.unique(numbers, return_index=True)
    for feature, column, copies in zip(schema.features, columns, repeated[:, n_rows:], strict=True):
        values = column[representatives]
        present = values[np.isfinite(values)]
        if feature.kind is not Kind.NUMERIC or len(present) == 0:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            scale = amount * present.std()
        if not np.isfinite(scale):
            continue  # Values so large that their squares overflow do not change.
        noise = generator.normal(scale=scale, size=(n_copies - 1, n_distinct))[:, numbers].reshape(-1)
        finite = np.isfinite(copies)
        copies[finite] = np.clip(copies[finite] + noise[finite], present.min(), present.max())
    return repeated, origins
