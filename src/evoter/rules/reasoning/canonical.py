"""The plainest conditions with the same meaning: no needless coefficient or power, short constants, few of them."""

import math
from collections.abc import Sequence
from itertools import pairwise

from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.facts import Facts
from evoter.rules.reasoning.spans import Spans, double, intersection
from evoter.rules.reasoning.variables import MISSING, Variable, domain, oriented, present, satisfying
from evoter.rules.schema import Feature, Kind, Schema


def canonical(condition: Condition, schema: Schema) -> Condition:
    """Return the plainest single condition that holds at the same points of the domain.

    A set of numbers that no plain comparison describes, such as `x^2 > 4` over both signs, is left as it is.

    >>> schema = Schema([Feature("y", low=0, high=900), Feature("x", low=-9, high=9)], actions=["go"])
    >>> canonical(Condition(Term("y", 0.17), "<=", 84.48), schema).right
    496.9411764705883
    >>> canonical(Condition(Term("x", 0.5, power=3), ">=", 4), schema)
    Condition(left=Term(feature='x', coefficient=1.0, power=1, lag=0), operator=<Operator.GE: '>='>, right=2.0)
    """
    single = satisfying(condition, schema)
    if single is None:
        return _canonical_comparison(condition, schema)
    (name, lag), values = single
    feature = schema.feature(name)
    if feature.kind is not Kind.NUMERIC or condition.operator.tests_missing or not values:
        return condition
    if values == present(feature):
        return condition if values == domain(feature, lag) else Condition(Term(name, lag=lag), Operator.IS_PRESENT)
    is_equality = condition.operator in (Operator.EQ, Operator.NE)
    if is_equality and not isinstance(condition.right, Term) and condition.left.is_plain:
        return condition
    plain = _described(values, feature, Term(name, lag=lag), as_equality=is_equality)
    return plain[0] if plain is not None and len(plain) == 1 else condition


def _canonical_comparison(condition: Condition, schema: Schema) -> Condition:
    """Make coefficients positive where both are negative, and say so where only presence matters."""
    right = condition.right
    if not isinstance(right, Term):
        return condition
    terms = dict.fromkeys(Term(term.feature, lag=term.lag) for term in condition.terms)
    tests = [Condition(term, Operator.IS_PRESENT) for term in terms]
    nothing = Facts([], schema)
    uncertain = [test for test in tests if not nothing.entail(test)]
    if len(uncertain) == 1 and Facts(uncertain, schema).entail(condition):
        return uncertain[0]
    if condition.left.coefficient < 0.0 and right.coefficient < 0.0:
        return Condition(*oriented(condition))
    return condition


def merged(conditions: Sequence[Condition], schema: Schema) -> tuple[Condition, ...]:
    """Return the conditions with those on one variable replaced where fewer conditions say the same.

    >>> schema = Schema([Feature("x", low=0, high=9)], actions=["go"])
    >>> merged([Condition(Term("x"), ">=", 5), Condition(Term("x"), "<=", 5)], schema)[0].operator
    <Operator.EQ: '='>
    """
    values: dict[Variable, Spans] = {}
    places: dict[Variable, list[int]] = {}
    for place, condition in enumerate(conditions):
        single = satisfying(condition, schema)
        if single is not None:
            read, accepted = single
            values[read] = intersection(values.get(read, accepted), accepted)
            places.setdefault(read, []).append(place)
    result: list[tuple[Condition, ...]] = [(condition,) for condition in conditions]
    for (name, lag), where in places.items():
        plain = _described(values[name, lag], schema.feature(name), Term(name, lag=lag), as_equality=True)
        if plain is not None and len(plain) < len(where):
            for place in where:
                result[place] = ()
            result[where[0]] = plain
    return tuple(condition for group in result for condition in group)


def _described(values: Spans, feature: Feature, term: Term, *, as_equality: bool) -> tuple[Condition, ...] | None:
    """Return the fewest plain conditions that accept just the given values, or None if there are none."""
    if values == domain(feature, term.lag):
        return ()
    if values == present(feature):
        return (Condition(term, Operator.IS_PRESENT),)
    if not values or values[-1][1] >= MISSING:
        return None
    if feature.kind is Kind.NUMERIC:
        return _described_numbers(values, feature, term, as_equality=as_equality)
    names = feature.categories or (False, True)
    chosen = [names[place] for first, last in values for place in range(first, last + 1)]
    if len(chosen) == 1:
        return (Condition(term, Operator.EQ, chosen[0]),)
    return tuple(Condition(term, Operator.NE, name) for name in names if name not in chosen)


def _described_numbers(
    values: Spans, feature: Feature, term: Term, *, as_equality: bool
) -> tuple[Condition, ...] | None:
    ((lowest, highest),) = present(feature)
    first, last = values[0][0], values[-1][1]
    holes = [(before + 1, after - 1) for (_, before), (after, _) in pairwise(values)]
    if any(start != end for start, end in holes):
        return None
    bounded_once = (first == lowest) != (last == highest)
    if first == last and (as_equality or not bounded_once):
        return (Condition(term, Operator.EQ, double(first)),) if math.isfinite(double(first)) else None
    conditions = []
    if first > lowest:
        conditions.append(_shortest(term, (Operator.GE, first), (Operator.GT, first - 1)))
    if last < highest:
        conditions.append(_shortest(term, (Operator.LE, last), (Operator.LT, last + 1)))
    conditions.extend(Condition(term, Operator.NE, double(hole)) for hole, _ in holes)
    return tuple(conditions)


def _shortest(term: Term, *bounds: tuple[Operator, int]) -> Condition:
    """Return the bound that is shorter to write; of two neighbouring doubles one may be much rounder."""
    candidates = [(operator, double(position)) for operator, position in bounds]
    finite = [(operator, constant) for operator, constant in candidates if math.isfinite(constant)]
    operator, constant = min(finite, key=lambda bound: len(repr(bound[1]).removesuffix(".0")))
    return Condition(term, operator, constant)
