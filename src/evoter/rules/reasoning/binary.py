"""Comparisons of two binary features, decided by trying the few values that they can have."""

from collections.abc import Iterable

from evoter.rules.condition import Condition, Term
from evoter.rules.forms.form import compare
from evoter.rules.reasoning.spans import Spans, joined, ordinal
from evoter.rules.reasoning.variables import Variable, variable
from evoter.rules.schema import Schema
from evoter.rules.values import term_value

_ZERO_AND_ONE = (0.0, 1.0)


def holding_pairs(condition: Condition, schema: Schema) -> frozenset[tuple[float, float]]:
    """Return the values of two binary features, or twice that of a single one, for which a comparison holds."""
    left, right = condition.terms
    pairs = [(x, y) for x in _ZERO_AND_ONE for y in _ZERO_AND_ONE if x == y or variable(left) != variable(right)]

    def value(x: float, term: Term) -> float:
        return term_value(x, term, schema.feature(term.feature), scale=True)

    return frozenset((x, y) for x, y in pairs if compare(condition.operator, value(x, left), value(y, right)))


def decided_by_one(condition: Condition, schema: Schema) -> tuple[Variable, Spans] | None:
    """Return the variable that alone decides a comparison of binary features, with its values; None if it takes both.

    A value that may be missing or lie beyond the history takes part: without it, the comparison does not hold.
    """
    left, right = condition.terms
    holding = holding_pairs(condition, schema)
    if variable(left) == variable(right):
        return variable(left), _ordinals(x for x, _ in holding)
    is_certain = [not schema.feature(term.feature).missing and not term.lag for term in (left, right)]
    xs, ys = ({pair[side] for pair in holding} for side in (0, 1))
    if len(holding) != len(xs) * len(ys):
        return None
    if is_certain[1] and len(ys) != 1:
        return variable(left), _ordinals(xs)
    if is_certain[0] and len(xs) != 1:
        return variable(right), _ordinals(ys)
    return None


def _ordinals(values: Iterable[float]) -> Spans:
    return joined([(ordinal(value), ordinal(value)) for value in sorted(values)])
