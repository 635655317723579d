"""What a classifier remembers of its training rows: enough to recognise them, not enough to restore them."""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.tables.panel import Panel

Hashes = NDArray[np.uint64]

N_KEPT = 20_000
"""The number of rows that are remembered of a larger table."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


class TrainingRows(NamedTuple):
    """The smallest hashes of the distinct training rows, in ascending order; all of them if there are at most `N_KEPT`.

    Of a row whose hash is at most `limit` it is known whether it was a training row; of others it is not.
    """

    hashes: Hashes
    limit: np.uint64

    @classmethod
    def of(cls, data: Floats | Panel) -> Self:
        """Remember rows given feature by feature, or the instances of a panel."""
        return cls._smallest(np.unique(_hashes(data)))

    @classmethod
    def of_parts(cls, parts: Iterable[Floats]) -> Self:
        """Remember the rows of a table that is given part by part."""
        smallest = np.empty(0, np.uint64)
        for part in parts:
            smallest = np.unique(np.concatenate([smallest, _hashes(part)]))[: N_KEPT + 1]
        return cls._smallest(smallest)

    @classmethod
    def _smallest(cls, distinct: Hashes) -> Self:
        if len(distinct) <= N_KEPT:
            return cls(distinct, np.uint64(2**64 - 1))
        return cls(distinct[:N_KEPT], distinct[N_KEPT - 1])

    def share(self, data: Floats | Panel) -> float:
        """Return the share of rows that equal a training row, estimated from those of which it is known; else NaN."""
        hashes = _hashes(data)
        hashes = hashes[hashes <= self.limit]
        return float(np.isin(hashes, self.hashes).mean()) if len(hashes) else float("nan")


def _hashes(data: Floats | Panel) -> Hashes:
    if isinstance(data, Panel):
        return np.array([_instance_hash(data[number]) for number in range(len(data))], np.uint64)
    return _column_hashes(data, np.zeros(data.shape[1], np.uint64))


def _column_hashes(columns: Floats, start: Hashes) -> Hashes:
    hashes = start
    for column in columns:
        hashes = _mixed(hashes, _bits(column))
    return hashes


def _instance_hash(instance: Floats) -> np.uint64:
    """Return the hash of one instance [channel, step]."""
    steps = _column_hashes(instance, np.arange(1, instance.shape[1] + 1, dtype=np.uint64))
    return np.uint64(steps.sum(dtype=np.uint64))


def _bits(values: Floats) -> Hashes:
    """Return numbers as bits; equal numbers, and all missing ones, have the same."""
    plain = np.where(np.isnan(values), np.nan, values + 0.0)  # 0.0 for -0.0, and one NaN for all
    return plain.view(np.uint64)


def _mixed(hashes: Hashes, bits: Hashes) -> Hashes:
    """Return hashes of hashes and bits; unsigned integers wrap around."""
    mixed = (hashes ^ bits) * _FACTOR
    mixed ^= mixed >> _SHIFT
    mixed *= _FACTOR
    return mixed ^ (mixed >> _SHIFT)
