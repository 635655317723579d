"""Conditions on two binary features, decided by trying the few values that they can have."""

from collections.abc import Iterable

from evoter.rules.condition import MIRRORED, Condition, Term
from evoter.rules.forms.form import Form, compare
from evoter.rules.reasoning.spans import Spans, joined, ordinal
from evoter.rules.reasoning.variables import Variable, variable
from evoter.rules.schema import Schema
from evoter.rules.values import term_value

_ZERO_AND_ONE = (0.0, 1.0)


def plain_comparison(form: Form, condition: Condition, schema: Schema) -> Condition | None:
    """Return the comparison of two binary features, without coefficients and powers, that holds for the same values.

    None where there is none, or where the features of the condition are not binary.
    """
    if not all(schema.feature(term.feature).is_binary for term in condition.terms):
        return None
    holding = _holding_pairs(form, condition, schema)
    left, right = (Term(term.feature, lag=term.lag) for term in condition.terms)
    for operator in MIRRORED:
        if holding == {(x, y) for x, y in _possible_pairs(condition) if compare(operator, x, y)}:
            return Condition(left, operator, right)
    return None


def _possible_pairs(condition: Condition) -> list[tuple[float, float]]:
    """Return the values that the terms of a condition may have, twice the same where they read one variable."""
    left, right = condition.terms
    is_one = variable(left) == variable(right)
    return [(x, y) for x in _ZERO_AND_ONE for y in _ZERO_AND_ONE if x == y or not is_one]


def _holding_pairs(form: Form, condition: Condition, schema: Schema) -> set[tuple[float, float]]:
    """Return the values of two binary features for which a condition on them holds."""

    def accepts(pair: tuple[float, float]) -> bool:
        terms = zip(pair, condition.terms, strict=True)
        values = [term_value(x, term, schema.feature(term.feature), scale=form.scales) for x, term in terms]
        return form.accepts(condition, values)

    return {pair for pair in _possible_pairs(condition) if accepts(pair)}


def decided_by_one(form: Form, condition: Condition, schema: Schema) -> tuple[Variable, Spans] | None:
    """Return the variable that alone decides a condition on two binary features, with its values; None if both do.

    A value that may be missing or lie beyond the history takes part: without it, the condition does not hold.
    """
    if not all(schema.feature(term.feature).is_binary for term in condition.terms):
        return None
    left, right = condition.terms
    holding = _holding_pairs(form, condition, schema)
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
