"""The domain of one variable, and exactly which of its values a term compares with a number, rounding included.

A variable is a feature at a lag. Its values are numbered: doubles by their ordinal, categories and truth values by
their position; one more number stands for a missing value, and one for a lag beyond the history.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from evoter.rules.condition import MIRRORED, Operator, Term
from evoter.rules.reasoning.spans import Spans, double, first_where, intersection, joined, ordinal
from evoter.rules.reasoning.steps import admitted_around, admitted_from
from evoter.rules.schema import Feature, Kind
from evoter.rules.values import term_value

Variable = tuple[str, int]
"""A feature's name and a lag: values of one feature at two lags are independent."""

MISSING = 1 << 64
UNAVAILABLE = MISSING + 2
"""Beyond the ordinals of all doubles, and not neighbours."""

ZERO_OR_ONE: Spans = ((ordinal(0.0), ordinal(0.0)), (ordinal(1.0), ordinal(1.0)))
"""The values of a binary feature."""


class Range(NamedTuple):
    """The values that a term takes: `base` is the feature as read, `raised` its power, `value` the whole."""

    base_low: float
    base_high: float
    raised_low: float
    raised_high: float
    low: float
    high: float
    may_be_nan: bool


def variable(term: Term) -> Variable:
    """Return the variable that a term reads."""
    return term.feature, term.lag


@lru_cache(maxsize=4096)
def present(feature: Feature) -> Spans:
    """Return the values of a feature that are not missing."""
    if feature.kind is Kind.NUMERIC:
        return _admitted((_extent(feature),), feature)
    return ((0, 1 if feature.kind is Kind.BOOLEAN else len(feature.categories) - 1),)


def _extent(feature: Feature) -> tuple[int, int]:
    low, high = feature.bounds
    return ordinal(low), ordinal(high)


def _admitted(spans: Spans, feature: Feature) -> Spans:
    """Return spans that begin and end with values that the step of a numeric feature admits.

    Between them others remain: a proof over more values than there are holds for those that there are.
    """
    if feature.step is None:
        return spans
    if feature.is_binary:
        return intersection(spans, ZERO_OR_ONE)
    ends = [
        (admitted_from(double(first), feature.step), admitted_around(double(last), feature.step)[0])
        for first, last in spans
    ]
    return joined([(ordinal(first), ordinal(last)) for first, last in ends])


def domain(feature: Feature, lag: int) -> Spans:
    """Return all that a variable can be, a missing or unavailable value included."""
    spans = present(feature)
    if feature.missing:
        spans += ((MISSING, MISSING),)
    if lag:
        spans += ((UNAVAILABLE, UNAVAILABLE),)
    return spans


@lru_cache(maxsize=1 << 14)
def constant_value(term: Term, feature: Feature) -> float | None:
    """Return the value of a term of a two-term comparison that has the same value everywhere, None for others."""
    if feature.missing or term.lag:
        return None
    values = term_range(term, feature, present(feature))
    return values.low if values.low == values.high and not values.may_be_nan else None


@lru_cache(maxsize=1 << 16)
def solutions(term: Term, operator: Operator, bound: float, feature: Feature, *, scale: bool) -> Spans:
    """Return the doubles of a feature's range for which a term, as it is evaluated, compares so with a bound.

    Rounded multiplication is monotone, hence bisection over the ordinals finds the exact ends. Where the feature has a
    step, they are values that it admits.
    """
    return _admitted(_solutions(term, operator, bound, feature, scale=scale), feature)


def _solutions(term: Term, operator: Operator, bound: float, feature: Feature, *, scale: bool) -> Spans:
    span = _extent(feature)
    is_scaled = scale and feature.scaled
    if term.is_plain and not is_scaled:
        at = ordinal(bound)
        return accepted_span(at, at + 1, span, operator)
    if term.coefficient == 0.0:  # zero wherever the power is finite, NaN elsewhere
        if not accepted_span(ordinal(bound), ordinal(bound) + 1, (0, 0), operator):
            return ()
        _, power = _parts(term)
        below = _solutions(power, Operator.LT, math.inf, feature, scale=scale)
        return intersection(below, _solutions(power, Operator.GT, -math.inf, feature, scale=scale))

    def value(x: float) -> float:
        return term_value(x, term, feature, scale=scale)

    near = _near(term, bound, feature, is_scaled=is_scaled)
    rises = term.coefficient > 0.0
    if term.power == 2 and not is_scaled:
        negative = _monotone_solutions(value, (span[0], min(span[1], -1)), operator, bound, -near, is_rising=not rises)
        positive = _monotone_solutions(value, (max(span[0], 0), span[1]), operator, bound, near, is_rising=rises)
        return joined([*negative, *positive])
    if is_scaled:
        span = (span[0], _last_scalable(feature, span))
    return _monotone_solutions(value, span, operator, bound, near, is_rising=rises)


@lru_cache(maxsize=1 << 14)
def sum_solutions(term: Term, other: float, operator: Operator, bound: int, feature: Feature) -> Spans:
    """Return the values of a term's feature for which `term + other`, raw and rounded, compares so with an ordinal."""
    limit = double(bound)
    near = (limit - other) / term.coefficient
    values = _monotone_solutions(
        lambda x: term.coefficient * x + other,
        _extent(feature),
        operator,
        limit,
        0 if math.isnan(near) else ordinal(near),
        is_rising=term.coefficient > 0.0,
    )
    return _admitted(values, feature)


@lru_cache(maxsize=1 << 14)
def _parts(term: Term) -> tuple[Term, Term]:
    """Return a term's feature alone, and its power without the coefficient."""
    return replace(term, coefficient=1.0, power=1), replace(term, coefficient=1.0)


def _near(term: Term, bound: float, feature: Feature, *, is_scaled: bool) -> int:
    """Return about the ordinal at which a term takes a value, the positive one of two."""
    root = bound / term.coefficient
    if term.power == 2:
        root = math.sqrt(abs(root))
    elif term.power == 3:
        root = math.cbrt(root)
    if is_scaled:
        low, high = feature.bounds
        root = low + root * (high - low)
    return 0 if math.isnan(root) else ordinal(root)


def _monotone_solutions(
    value: Callable[[float], float],
    span: tuple[int, int],
    operator: Operator,
    bound: float,
    near: int,
    *,
    is_rising: bool,
) -> Spans:
    if not is_rising:  # x -> -value(x) rises, and negation is exact
        return _monotone_solutions(lambda x: -value(x), span, MIRRORED[operator], -bound, near, is_rising=True)
    reaching = exceeding = span[0]
    if operator not in (Operator.LE, Operator.GT):
        reaching = first_where(lambda x: value(x) >= bound, *span, near)
    if operator not in (Operator.LT, Operator.GE):
        exceeding = first_where(lambda x: value(x) > bound, reaching, span[1], near)
    return accepted_span(reaching, exceeding, span, operator)


def accepted_span(reaching: int, exceeding: int, span: tuple[int, int], operator: Operator) -> Spans:
    """Return the part of a span that a comparison accepts, given where the bound is reached and exceeded."""
    first, last = span
    match operator:
        case Operator.LT:
            parts = [(first, min(reaching - 1, last))]
        case Operator.LE:
            parts = [(first, min(exceeding - 1, last))]
        case Operator.EQ:
            parts = [(max(first, reaching), min(exceeding - 1, last))]
        case Operator.NE:
            parts = [(first, min(reaching - 1, last)), (max(first, exceeding), last)]
        case Operator.GE:
            parts = [(max(first, reaching), last)]
        case Operator.GT:
            parts = [(max(first, exceeding), last)]
        case _:
            raise ValueError(f"'{operator}' does not compare two values")
    return joined(parts)


def _last_scalable(feature: Feature, span: tuple[int, int]) -> int:
    """Return the last ordinal whose scaled value is a number: too wide a range ends in infinity / infinity."""
    low, high = feature.bounds
    if math.isfinite(high - low):
        return span[1]
    return first_where(lambda x: math.isinf(x - low), *span, near=span[1]) - 1


def term_range(term: Term, feature: Feature, values: Spans) -> Range:
    """Bound what a term of a two-term comparison takes while its variable has one of some present values."""
    ends = double(values[0][0]), double(values[-1][1])
    plain, power = _parts(term)
    may_be_nan = feature.scaled and values[-1][1] > _last_scalable(feature, _extent(feature))
    if may_be_nan:  # all that is a number is finite / infinity
        return Range(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, may_be_nan)
    low, high = (term_value(x, plain, feature, scale=True) for x in ends)
    raised = [term_value(x, power, feature, scale=True) for x in ends]
    if low < 0.0 < high and term.power == 2:
        raised.append(0.0)
    raised.sort()
    if term.coefficient == 0.0:
        may_be_nan = math.isinf(raised[0]) or math.isinf(raised[-1])
        return Range(low, high, raised[0], raised[-1], 0.0, 0.0, may_be_nan)
    least, greatest = sorted((term.coefficient * raised[0], term.coefficient * raised[-1]))
    return Range(low, high, raised[0], raised[-1], least, greatest, may_be_nan)
