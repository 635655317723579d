"""Stable sorting of points by a coordinate, byte by byte: the first step of every sweep over a Pareto front."""

from typing import NamedTuple

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.layout import Floats, Ints, Words

_BYTES = 8
_VALUES = 256
_SIGN = np.uint64(1) << np.uint64(63)
_BYTE = np.uint64(_VALUES - 1)

_SHORT = 48
"""Fewer points are sorted by insertion: counting all bytes would take longer."""


class Sorting(NamedTuple):
    """Scratch space for sorting points: coordinates, the same bits as whole numbers, a second order, and counts."""

    values: Floats
    keys: Words
    buffer: Ints
    counts: Ints


@allocating_kernel
def room_for_sorting(n: int) -> Sorting:
    """Allocate scratch space for sorting up to `n` points."""
    values = np.empty(n)
    return Sorting(values, values.view(np.uint64), np.empty(n, np.int64), np.empty((_BYTES, _VALUES), np.int64))


@kernel
def _write_keys(points: Floats, m: int, order: Ints, sorting: Sorting) -> None:
    """Write a whole number for each point that grows with its coordinate."""
    for i in order:
        sorting.values[i] = points[i, m] + 0.0  # which makes -0.0 equal to 0.0
    for i in order:
        key = sorting.keys[i]
        sorting.keys[i] = ~key if key & _SIGN != 0 else key | _SIGN


@kernel
def _insertion_sort(keys: Words, order: Ints) -> None:
    for i in range(1, len(order)):
        moved = order[i]
        j = i
        while j > 0 and keys[moved] < keys[order[j - 1]]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = moved


@kernel
def _count_bytes(keys: Words, order: Ints, counts: Ints) -> None:
    for b in range(_BYTES):
        for value in range(_VALUES):
            counts[b, value] = 0
    for i in order:
        key = keys[i]
        for b in range(_BYTES):
            counts[b, (key >> np.uint64(8 * b)) & _BYTE] += 1


@kernel
def _scatter(keys: Words, shift: np.uint64, ends: Ints, source: Ints, target: Ints) -> None:
    """Move points to where the counts of one byte say; `ends` becomes where the next point of each value goes."""
    end = 0
    for value in range(_VALUES):
        count = ends[value]
        ends[value] = end
        end += count
    for i in source:
        value = (keys[i] >> shift) & _BYTE
        target[ends[value]] = i
        ends[value] += 1


@kernel
def sort_by_column(points: Floats, m: int, order: Ints, sorting: Sorting) -> None:
    """Sort the numbers of points in `order` by coordinate `m`, none NaN; equal coordinates keep their order."""
    n = len(order)
    _write_keys(points, m, order, sorting)
    if n <= _SHORT:
        _insertion_sort(sorting.keys, order)
        return
    _count_bytes(sorting.keys, order, sorting.counts)
    buffer = sorting.buffer[:n]
    in_buffer = False
    for b in range(_BYTES):
        shift = np.uint64(8 * b)
        if sorting.counts[b, (sorting.keys[order[0]] >> shift) & _BYTE] == n:
            continue  # all have the same byte here
        if in_buffer:
            _scatter(sorting.keys, shift, sorting.counts[b], buffer, order)
        else:
            _scatter(sorting.keys, shift, sorting.counts[b], order, buffer)
        in_buffer = not in_buffer
    if in_buffer:
        for k in range(n):
            order[k] = buffer[k]


@kernel
def sort_by_columns(points: Floats, order: Ints, sorting: Sorting) -> None:
    """Sort the numbers of points by the first coordinate, then the second, and so on; equal points keep their order."""
    for m in range(points.shape[1] - 1, -1, -1):
        sort_by_column(points, m, order, sorting)


@kernel
def equal_points(points: Floats, a: int, b: int) -> bool:
    """Tell whether two points are the same."""
    m = 0
    while m < points.shape[1] and points[a, m] == points[b, m]:
        m += 1
    return m == points.shape[1]
