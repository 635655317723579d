"""Trends: what a rising value does to a condition."""

from enum import StrEnum

from evoter.rules.condition import Operator, Term


class Trend(StrEnum):
    """How the truth of a condition depends on a value that it reads, as that value rises and stays present."""

    RISING = "rising"
    """It can only begin to hold."""
    FALLING = "falling"
    """It can only cease to hold."""
    CONSTANT = "constant"
    """It does not change."""
    NONE = "none"
    """It may do either."""


_MIRRORED = {Trend.RISING: Trend.FALLING, Trend.FALLING: Trend.RISING}
_BY_OPERATOR = {
    Operator.GT: Trend.RISING,
    Operator.GE: Trend.RISING,
    Operator.LT: Trend.FALLING,
    Operator.LE: Trend.FALLING,
}


def mirrored(trend: Trend) -> Trend:
    """Return the trend in a value that falls."""
    return _MIRRORED.get(trend, trend)


def trend_in(term: Term, operator: Operator) -> Trend:
    """Return the trend of a condition in a term on the left of its operator, for all values there are.

    Rounded arithmetic keeps the order of numbers, so that this is exact. An even power rises and falls.

    >>> trend_in(Term("age", -0.5), Operator.GT)
    <Trend.FALLING: 'falling'>
    """
    if term.power % 2 == 0 or term.coefficient == 0.0:
        return Trend.NONE
    trend = _BY_OPERATOR.get(operator, Trend.NONE)
    return trend if term.coefficient > 0.0 else mirrored(trend)
