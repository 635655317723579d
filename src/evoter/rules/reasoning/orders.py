"""The order of two terms, derived from their ranges or from the order of two other terms, for rounded arithmetic.

The real numbers would allow more: `x < y` and `0.5*x < 0.5*y` differ where halves of the smallest doubles round to 0.
"""

import math
import sys
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from evoter.rules.condition import Term
from evoter.rules.reasoning.variables import Range, variable

TINY = math.ulp(0.0)
"""The smallest positive double, of which every double is a multiple."""

MAX_STEPS = 20_000
"""How many products of tiny numbers are worth trying for one proof."""


class Order(IntEnum):
    """What is known of two terms: nothing, that the first is at most the second, or that it is below."""

    UNKNOWN = 0
    AT_MOST = 1
    BELOW = 2


def order_by_ranges(lower: Term, lower_range: Range, upper: Term, upper_range: Range) -> Order:
    """Return the order of two terms that follows from where their variables lie."""
    if lower_range.high < upper_range.low:
        return Order.BELOW
    if lower == upper or lower_range.high <= upper_range.low:
        return Order.AT_MOST
    if variable(lower) == variable(upper) and _is_dominated(lower, lower_range, upper, upper_range):
        return Order.AT_MOST
    return Order.UNKNOWN


def _is_dominated(lower: Term, lower_range: Range, upper: Term, upper_range: Range) -> bool:
    """Tell whether a term is at most another of the same variable, because rounded products are monotone."""
    if lower.power == upper.power:
        if lower_range.raised_low >= 0.0:
            return lower.coefficient <= upper.coefficient
        return lower_range.raised_high <= 0.0 and lower.coefficient >= upper.coefficient
    if lower_range.base_low < 0.0 or lower.coefficient > upper.coefficient:
        return False
    # Powers fall with the exponent on [0, 1] and rise with it from 1 on.
    falls = lower_range.base_high <= 1.0 and lower.power > upper.power
    rises = lower_range.base_low >= 1.0 and lower.power < upper.power
    if falls or rises:
        return upper.coefficient >= 0.0
    opposite = lower_range.base_high <= 1.0 or upper_range.base_low >= 1.0
    return opposite and lower.coefficient <= 0.0


def order_by_ratio(
    known: tuple[Term, Term], wanted: tuple[Term, Term], ranges: Sequence[Range], *, strict: bool
) -> Order:
    """Return the order of two terms that follows from that of two known ones with the same powers of variables.

    `known[0]` is at most `known[1]`, below it where `strict`; `ranges` are those of the known and the wanted terms.
    """
    if not all(math.isfinite(values.low) and math.isfinite(values.high) for values in ranges):
        return Order.UNKNOWN
    coefficients = tuple(term.coefficient for term in (*known, *wanted))
    if _is_binary_multiple(*coefficients) and all(_is_normal(values) for values in ranges):
        return Order.BELOW if strict else Order.AT_MOST
    if not all(1e-6 <= coefficient <= 1e6 for coefficient in coefficients):
        return Order.UNKNOWN
    lower, upper = ranges[:2]
    a, b, c, d = coefficients
    if lower.raised_low >= 0.0 and upper.raised_low >= 0.0:
        return _order_by_ratio(a, b, c, d, strict, _multiples(upper.raised_low))
    if lower.raised_high <= 0.0 and upper.raised_high <= 0.0:  # a*x < b*y says b*(-y) < a*(-x)
        return _order_by_ratio(b, a, d, c, strict, _multiples(-lower.raised_high))
    return Order.UNKNOWN


def _is_binary_multiple(a: float, b: float, c: float, d: float) -> bool:
    """Tell whether (c, d) is (a, b) times a power of two, by which doubles multiply without rounding."""
    if a == 0.0 or b == 0.0:
        return False
    factor = c / a
    return factor == d / b and math.frexp(factor)[0] == 0.5 and a * factor == c and b * factor == d


def _is_normal(values: Range) -> bool:
    return values.low >= sys.float_info.min or values.high <= -sys.float_info.min


def _multiples(x: float) -> int:
    return int(min(x / TINY, 2.0**53))


@lru_cache(maxsize=1 << 14)
def _order_by_ratio(a: float, b: float, c: float, d: float, strict: bool, first: int) -> Order:
    """Return what `a*x <= b*y` (or `<`) says of c*x and d*y, for x and y from 0 on and y at least `first` tiny units.

    A product is off by at most half a unit plus 2**-53 of itself. So for y of more than `last` units the gap between
    the two ratios outweighs all rounding; for the few y below, the largest x that the known order allows is tried.
    """
    gap = d - c * b / a
    if gap <= 1e-9 * d:
        return Order.UNKNOWN
    last = 1.001 * (1.0 + c / a) / gap + 1.0
    if last * (3.0 + 1.0 / a) > MAX_STEPS:
        return Order.UNKNOWN
    order = Order.BELOW
    for units in range(first, int(last) + 1):
        y = units * TINY
        x = _largest(a, b * y, int((units * b + 1.0) / a) + 2, strict=strict)
        if x is None:
            continue
        if c * x > d * y:
            return Order.UNKNOWN
        if c * x == d * y:
            order = Order.AT_MOST
    return order


def _largest(coefficient: float, bound: float, units: int, *, strict: bool) -> float | None:
    """Return the largest x, of at most some tiny units, whose product is at most the bound, or below it."""
    while units >= 0:
        x = units * TINY
        if coefficient * x < bound or (not strict and coefficient * x == bound):
            return x
        units -= 1
    return None
