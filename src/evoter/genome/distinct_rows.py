"""Numbers the distinct rows of a table, so that code can treat a row of weight 2 like two equal rows."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from evoter.kernels.layout import Floats, Ints

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


def number_rows(lines: Iterable[Floats], classes: Ints) -> Ints:
    """Number the distinct rows, by their values and their class, independently of the order of the rows."""
    digests = classes.astype(np.uint64)
    with np.errstate(over="ignore"):
        for line in lines:
            bits = np.where(np.isnan(line), np.nan, line + 0.0).view(np.uint64)  # a single NaN, and no -0
            digests = (digests ^ bits) * _FACTOR
            digests ^= digests >> _SHIFT
    return np.unique(digests, return_inverse=True)[1].astype(np.int64)
