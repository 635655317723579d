"""Values that a step admits, and constants with few digits: the shortest number between two neighbouring values."""

import math
from bisect import bisect_right
from fractions import Fraction

from evoter.rules.condition import Condition, Operator

_AT_BELOW = {Operator.LE: Operator.LE, Operator.LT: Operator.LE, Operator.GT: Operator.GT, Operator.GE: Operator.GT}
_AT_ABOVE = {Operator.LE: Operator.LT, Operator.LT: Operator.LT, Operator.GT: Operator.GE, Operator.GE: Operator.GE}
"""The operator that divides two neighbouring values alike, with the lower or the upper one as its constant."""

BOUNDS = tuple(_AT_BELOW)
"""The operators that divide values into those below and those above."""


def admitted_around(x: float, step: float) -> tuple[float, float]:
    """Return the largest multiple of a step that is at most x, and the next one above x.

    Multiples are decimal: with a step of 0.1 they are the doubles that are written 0.1, 0.2, 0.3 and so on.

    >>> admitted_around(0.35, 0.1), admitted_around(0.3, 0.1), admitted_around(-1.5, 1)
    ((0.3, 0.4), (0.3, 0.4), (-2.0, -1.0))
    """
    if math.isinf(x):
        return x, x
    if step <= math.ulp(x):
        return x, math.nextafter(x, math.inf)
    exact = Fraction(repr(step))
    k = math.floor(Fraction(x) / exact)
    # The double nearest to a multiple may lie on the other side of x than the multiple itself.
    if _multiple(k + 1, exact) <= x:
        k += 1
    elif _multiple(k, exact) > x:
        k -= 1
    return _multiple(k, exact), _multiple(k + 1, exact)


def admitted_from(x: float, step: float) -> float:
    """Return the smallest multiple of a step that is at least x."""
    largest, above = admitted_around(x, step)
    return x if largest == x else above


def admitted_gap(condition: Condition, step: float) -> tuple[float, float]:
    """Return the two neighbouring multiples of a step that a bound on a plain feature divides."""
    return admitted_around(_last_below(condition), step)


def value_gap(condition: Condition, ascending: list[float]) -> tuple[float, float]:
    """Return the two neighbouring values that a bound on a plain feature divides.

    Beyond the first or the last value, the gap extends as far on the other side of the constant.
    """
    constant = _constant(condition)
    at = bisect_right(ascending, _last_below(condition))
    below = ascending[at - 1] if at else -math.inf
    above = ascending[at] if at < len(ascending) else math.inf
    if math.isinf(below):
        below = constant if math.isinf(above) else 2 * constant - above
    if math.isinf(above):
        above = 2 * constant - below
    return (below, above) if math.isfinite(below) and math.isfinite(above) else (constant, constant)


def with_fewest_digits(condition: Condition, gap: tuple[float, float]) -> Condition:
    """Return a bound that divides the values on both sides of a gap in the same way, with a shorter constant if any.

    >>> from evoter.rules.condition import Term
    >>> with_fewest_digits(Condition(Term("v"), ">", -1.289473684210526), (-2.0, -1.0)).right
    -1.0
    """
    constant, (below, above) = _constant(condition), gap
    if math.isinf(below) or math.isinf(above) or below == above:
        return condition
    shortest = fewest_digits_between(below, above, constant)
    if length(shortest) >= length(constant):
        return condition
    operator = condition.operator
    if shortest == below:
        operator = _AT_BELOW[operator]
    elif shortest == above:
        operator = _AT_ABOVE[operator]
    return Condition(condition.left, operator, shortest)


def fewest_digits_between(low: float, high: float, near: float) -> float:
    """Return the number of fewest decimals from low to high, both included; of several, the one nearest to `near`.

    >>> fewest_digits_between(1.9, 3.0, 2.45), fewest_digits_between(4_910, 5_200, 5_055)
    (2.0, 5000.0)
    """
    if low == high:
        return low
    # As they are written, not as they are stored, so that the numbers that are written alike are among the candidates.
    first, last, target = (Fraction(repr(number)) for number in (low, high, near))
    exponent = math.floor(math.log10(high - low)) + 1 if math.isfinite(high - low) else 308
    while True:
        unit = Fraction(10) ** exponent
        least, greatest = math.ceil(first / unit), math.floor(last / unit)
        if least <= greatest:
            return float(min(max(round(target / unit), least), greatest) * unit)
        exponent -= 1


def length(constant: float) -> int:
    """Return how many characters a constant takes."""
    return len(repr(constant).removesuffix(".0"))


def _last_below(condition: Condition) -> float:
    """Return the largest number on the lower side of a bound."""
    constant = _constant(condition)
    is_below = condition.operator in (Operator.LE, Operator.GT)
    return constant if is_below else math.nextafter(constant, -math.inf)


def _constant(condition: Condition) -> float:
    assert isinstance(condition.right, float)
    return condition.right


def _multiple(k: int, step: Fraction) -> float:
    try:
        return float(k * step)
    except OverflowError:
        return math.inf if k > 0 else -math.inf
