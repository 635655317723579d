"""The plainest conditions that accept a given set of values of one variable: short constants, few of them."""

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.membership import MAX_SET_CATEGORIES
from evoter.rules.reasoning.spans import Spans, double
from evoter.rules.reasoning.steps import admitted_around, admitted_from, admitted_gap, length, with_fewest_digits
from evoter.rules.reasoning.variables import MISSING, Variable, domain, present
from evoter.rules.schema import Feature, Kind, Schema

if TYPE_CHECKING:
    from evoter.rules.reasoning.facts import Facts


def plainest(condition: Condition, values: Spans, name: Variable, schema: Schema) -> Condition:
    """Return the plainest condition for a comparison of numbers that accepts the given values of one variable.

    A set of numbers that no plain comparison describes, such as `x^2 > 4` over both signs, is left as it is.
    """
    feature = schema.feature(name[0])
    term = Term(name[0], lag=name[1])
    if not values:
        return condition
    if values == present(feature):
        return condition if values == domain(feature, term.lag) else Condition(term, Operator.IS_PRESENT)
    plain = describe(values, feature, term, as_equality=condition.operator in (Operator.EQ, Operator.NE))
    return plain[0] if plain is not None and len(plain) == 1 else condition


def presence_instead(condition: Condition, nothing: "Facts") -> Condition | None:
    """Return the test for the one value that may be missing, if a condition of two terms holds wherever it is there."""
    terms = dict.fromkeys(Term(term.feature, lag=term.lag) for term in condition.terms)
    tests = [Condition(term, Operator.IS_PRESENT) for term in terms]
    uncertain = [test for test in tests if not nothing.entail(test)]
    if len(uncertain) == 1 and nothing.given(uncertain).entail(condition):
        return uncertain[0]
    return None


def describe(
    values: Spans, feature: Feature, term: Term, *, as_equality: bool, excludes: bool = False
) -> tuple[Condition, ...] | None:
    """Return the fewest plain conditions that accept just the given values, or None if there are none.

    With `excludes`, sets of categories are said by those that are not in them, which leaves categories that the schema
    does not list accepted.
    """
    if values == domain(feature, term.lag):
        return ()
    if values == present(feature):
        return (Condition(term, Operator.IS_PRESENT),)
    if not values or values[-1][1] >= MISSING:
        return None
    if feature.kind is Kind.NUMERIC:
        return _describe_numbers(values, feature, term, as_equality=as_equality)
    names = feature.categories or (False, True)
    chosen = [names[position] for first, last in values for position in range(first, last + 1)]
    if len(chosen) == 1:
        return (Condition(term, Operator.EQ, chosen[0]),)
    others = [name for name in feature.categories if name not in chosen]
    if len(others) > 1 and len(feature.categories) <= MAX_SET_CATEGORIES:
        return (
            Condition(term, Operator.NOT_IN, others) if excludes else Condition(term, Operator.IN, map(str, chosen)),
        )
    return tuple(Condition(term, Operator.NE, name) for name in others)


def _describe_numbers(
    values: Spans, feature: Feature, term: Term, *, as_equality: bool
) -> tuple[Condition, ...] | None:
    lowest, highest = present(feature)[0][0], present(feature)[-1][1]
    first, last = values[0][0], values[-1][1]
    if feature.is_binary:
        return (Condition(term, Operator.EQ, double(first)),)
    holes = [_only_value(before + 1, after - 1, feature) for (_, before), (after, _) in pairwise(values)]
    if None in holes:
        return None
    bounded_once = (first == lowest) != (last == highest)
    if first == last and (as_equality or not bounded_once):
        return (Condition(term, Operator.EQ, double(first)),) if math.isfinite(double(first)) else None
    conditions = []
    if first > lowest:
        conditions.append(_shortest(term, feature, (Operator.GE, first), (Operator.GT, first - 1)))
    if last < highest:
        conditions.append(_shortest(term, feature, (Operator.LE, last), (Operator.LT, last + 1)))
    conditions.extend(Condition(term, Operator.NE, hole) for hole in holes)
    return tuple(conditions)


def _only_value(first: int, last: int, feature: Feature) -> float | None:
    """Return the one value of a feature within a span of ordinals; None where there are several."""
    if feature.step is None:
        return double(first) if first == last else None
    value = admitted_from(double(first), feature.step)
    return value if value == admitted_around(double(last), feature.step)[0] else None


def _shortest(term: Term, feature: Feature, *bounds: tuple[Operator, int]) -> Condition:
    """Return the bound that is shortest to write.

    Of two neighbouring doubles one may be much rounder; where the feature has a step, so may be any number between two
    neighbouring values.
    """
    candidates = [(operator, double(position)) for operator, position in bounds]
    finite = [(operator, constant) for operator, constant in candidates if math.isfinite(constant)]
    operator, constant = min(finite, key=lambda bound: length(bound[1]))
    condition = Condition(term, operator, constant)
    return condition if feature.step is None else with_fewest_digits(condition, admitted_gap(condition, feature.step))
