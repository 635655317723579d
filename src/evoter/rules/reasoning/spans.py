"""Exact sets of values: doubles as whole numbers in order, and sets of whole numbers as sorted, disjoint spans."""

import math
import struct
from collections.abc import Callable

Spans = tuple[tuple[int, int], ...]
"""Closed spans (first, last) of whole numbers in rising order, no two of which touch."""

_DOUBLE = struct.Struct("<d")
_WHOLE = struct.Struct("<q")
_MAGNITUDE = (1 << 63) - 1


def ordinal(x: float) -> int:
    """Number the doubles in order, so that neighbours differ by one and both zeros are 0; x must not be NaN.

    >>> ordinal(-0.0), ordinal(5e-324), ordinal(-1.0) == -ordinal(1.0)
    (0, 1, True)
    """
    bits: int = _WHOLE.unpack(_DOUBLE.pack(x))[0]
    return bits if bits >= 0 else -(bits & _MAGNITUDE)


def double(position: int) -> float:
    """Return the double with the given ordinal.

    >>> double(ordinal(2.5) + 1) == math.nextafter(2.5, math.inf)
    True
    """
    x: float = _DOUBLE.unpack(_WHOLE.pack(abs(position)))[0]
    return x if position >= 0 else -x


LEAST = ordinal(-math.inf)
GREATEST = ordinal(math.inf)


def intersection(some: Spans, others: Spans) -> Spans:
    """Return the whole numbers in both sets.

    >>> intersection(((0, 5), (9, 12)), ((3, 10),))
    ((3, 5), (9, 10))
    """
    common = []
    i = j = 0
    while i < len(some) and j < len(others):
        first = max(some[i][0], others[j][0])
        last = min(some[i][1], others[j][1])
        if first <= last:
            common.append((first, last))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def is_subset(some: Spans, others: Spans) -> bool:
    """Tell whether every whole number of the one set is in the other."""
    return some == others or intersection(some, others) == some


def joined(spans: list[tuple[int, int]]) -> Spans:
    """Return the set of the given spans, which rise and are disjoint but may touch or be empty."""
    result: list[tuple[int, int]] = []
    for first, last in spans:
        if first > last:
            continue
        if result and result[-1][1] + 1 == first:
            result[-1] = (result[-1][0], last)
        else:
            result.append((first, last))
    return tuple(result)


def first_where(holds: Callable[[float], bool], first: int, last: int, near: int) -> int:
    """Return the least ordinal of a span from which on `holds` is true, or `last + 1` where it never is.

    `holds` must not turn false again once it is true. The search starts at `near`, with growing steps.

    >>> double(first_where(lambda x: x * x >= 2.0, ordinal(0.0), ordinal(9.0), near=ordinal(1.4)))
    1.4142135623730951
    """
    step = 1
    probe = min(max(near, first), last)
    forwards: bool | None = None
    while first <= probe <= last:
        is_before = not holds(double(probe))
        if is_before:
            first = probe + 1
        else:
            last = probe - 1
        if forwards is (not is_before):
            break
        forwards = is_before
        probe += step if is_before else -step
        step *= 2
    while first <= last:
        middle = (first + last) // 2
        if holds(double(middle)):
            last = middle - 1
        else:
            first = middle + 1
    return first
