"""Comparison of two terms: `0.11*velocity^3 < 0.87*angle[2]`."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from evoter.rules.condition import MIRRORED, Condition, Constant, Operator, Right, Term
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.files.document import read_term_fields, term_fields
from evoter.rules.files.leaf_columns import (
    ZERO_TO_ONE,
    Fields,
    LeafKeys,
    comparison_fields,
    equality_parts,
)
from evoter.rules.forms.form import (
    NO_FEATURE,
    OPERATOR_WORDS,
    OPERATORS,
    Codes,
    Form,
    compare,
    kind_error,
    left_term,
    term_codes,
)
from evoter.rules.forms.outcome import ConditionOutcome, named_value_text, sides_text
from evoter.rules.forms.trend import Trend, trend_in
from evoter.rules.parsing.drafts import ConditionDraft, Sighting, TermDraft
from evoter.rules.parsing.terms import parse_term, refuse_sum, take_operator
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.own_units import in_own_units
from evoter.rules.printing.pieces import Piece, TimeStep, term_pieces
from evoter.rules.reasoning.binary import decided_by_one, plain_comparison
from evoter.rules.reasoning.description import plainest, presence_instead
from evoter.rules.reasoning.orders import Order
from evoter.rules.reasoning.spans import Spans, double, joined, ordinal
from evoter.rules.reasoning.variables import Variable, constant_value, present, solutions, variable
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import Row, term_value

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")

_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


class ComparisonForm(Form):
    """Two numeric terms compared with each other; features that the schema scales are read scaled."""

    name = "comparison of two terms"
    right_types = (Term,)
    right_words = "a term"
    scales = True

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return compare(condition.operator, values[0], values[1])

    def sides(self, condition: Condition, values: Sequence[Constant | None]) -> tuple[Constant | None, Constant | None]:
        return values[0], values[1]

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        if feature.kind is not Kind.NUMERIC:
            raise kind_error(condition, feature)
        other = schema.feature(_other(condition).feature)
        if other.kind is not Kind.NUMERIC:
            raise SchemaError(
                f"{feature.name!r} is numeric and cannot be compared with {other.name!r}, which is {other.kind}"
            )

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans] | None:
        """Return the variable and its values where the other term has the same value everywhere."""
        left, operator, right = condition.left, condition.operator, _other(condition)
        feature, other = schema.feature(left.feature), schema.feature(right.feature)
        if (constant := constant_value(right, other)) is not None:
            return variable(left), solutions(left, operator, constant, feature, scale=True)
        if (constant := constant_value(left, feature)) is not None:
            return variable(right), solutions(right, MIRRORED[operator], constant, other, scale=True)
        return decided_by_one(self, condition, schema)

    def satisfying_now(self, condition: Condition, name: str, history: Sequence[Row], schema: Schema) -> Spans:
        left, operator, right = condition.left, condition.operator, _other(condition)
        values = self.values(condition, history, schema)
        feature = schema.feature(name)
        if variable(left) == variable(right):
            return _own_solutions(left, operator, right, feature)
        if variable(right) == (name, 0):
            left, operator, right = right, MIRRORED[operator], left
            values = values and values[::-1]
        fixed = None if values is None else values[1]
        if not isinstance(fixed, float) or fixed != fixed:
            return ()
        return solutions(left, operator, fixed, feature, scale=True)

    def relation(self, condition: Condition) -> "TermOrder":
        return TermOrder(*oriented(condition))

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        operator = condition.operator
        return trend_in(condition.left, operator), trend_in(_other(condition), MIRRORED[operator])

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        """Make coefficients positive where both are negative, and say so where only presence matters.

        A comparison of binary features loses its coefficients and powers where one without them says the same.
        """
        single = self.satisfying(condition, nothing.schema)
        if single is not None:
            return plainest(condition, single[1], single[0], nothing.schema)
        if (plain := presence_instead(condition, nothing)) is not None:
            return plain
        if (plain := plain_comparison(self, condition, nothing.schema)) is not None:
            return plain
        if condition.left.coefficient < 0.0 and _other(condition).coefficient < 0.0:
            return Condition(*oriented(condition))
        return condition

    def margin(self, condition: Condition, values: Sequence[Any]) -> Any:
        return values[0] - values[1]

    def parse(self, stream: TokenStream, left: TermDraft) -> ConditionDraft | None:
        """Read an operator and a term; a lone word may turn out to be a category or a truth value."""
        if stream.kind != "OPERATOR":
            return None
        operator = take_operator(stream)
        at = stream.start
        other = parse_term(stream)
        refuse_sum(stream)
        return ConditionDraft(self, left, operator, None, other, at, None)

    def resolve(self, draft: ConditionDraft, schema: Schema) -> Right:
        assert draft.other is not None
        kind = schema.feature(draft.left.term.feature).kind
        word = draft.other.term.feature
        if draft.other.is_word and kind is Kind.CATEGORICAL:
            return word
        if draft.other.is_word and kind is Kind.BOOLEAN:
            return word if draft.other.quoted else _TRUTH.get(word.lower(), word)
        return draft.other.term

    def certain_features(self, draft: ConditionDraft) -> list[str]:
        """Return all names but a lone word after `=` or `!=`, which may be a category."""
        assert draft.other is not None
        may_be_category = draft.other.is_word and draft.operator in (Operator.EQ, Operator.NE)
        sides = (draft.left,) if may_be_category else draft.terms
        return [side.term.feature for side in sides]

    def note(self, draft: ConditionDraft, sighting: Sighting, certain: frozenset[str]) -> None:
        assert draft.other is not None
        word = draft.other.term.feature
        if word not in certain:
            sighting.words[word] = not draft.other.quoted and word.lower() in ("true", "false")

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        return term_pieces(_other(condition))

    def requirement(self, condition: Condition, schema: Schema) -> str:
        return OPERATOR_WORDS[condition.operator]

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        readings = outcome.readings
        features = [schema.feature(reading.term.feature) for reading in readings]
        said = ", ".join(
            named_value_text(reading, feature, other.value, time_step)
            for reading, feature, other in zip(readings, features, reversed(readings), strict=True)
        )
        scaled = any(feature.scaled for feature in features)
        as_read = not scaled and all(term.is_plain for term in outcome.condition.terms)
        if as_read or not isinstance(outcome.left, float) or not isinstance(outcome.right, float):
            return said
        said = f"{said}: {'scaled, ' if scaled else ''}{sides_text(outcome.left, outcome.right)}"
        plain = in_own_units(outcome.condition, features, time_step) if scaled else ""
        return f"{said}; in own units about {plain}" if plain else said

    def right_json(self, condition: Condition) -> dict[str, object]:
        return term_fields(_other(condition))

    def read_right_json(self, value: object, path: str) -> Right:
        if value is None or isinstance(value, int | float | str | list):
            return None
        return read_term_fields(value, path)

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        left, right = condition.left, _other(condition)
        for term in condition.terms:
            _check_raw(keys.schema.feature(term.feature))
        first, second = keys.columns[left.feature, None], keys.columns[right.feature, None]
        return [
            comparison_fields(first, left, operator, second_key=second, second=right)
            for operator in equality_parts(condition.operator, left.feature)
        ]

    def export(self, condition: Condition, language: "Language[T]") -> T:
        left, right = (language.value(term, scale=True) for term in condition.terms)
        return language.compare(condition.operator, left, right)

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        right = _other(condition)
        return term_codes(condition.left, condition.operator, schema)._replace(
            right=schema.position(right.feature),
            right_power=right.power,
            right_lag=right.lag,
            right_number=right.coefficient,
        )

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        if codes.right == NO_FEATURE:
            return None
        other = Term(schema.features[codes.right].name, codes.right_number, codes.right_power, codes.right_lag)
        return Condition(left_term(codes, schema), OPERATORS[codes.operator], other)


class TermOrder(NamedTuple):
    """A comparison of two terms as an order: the operator is `<`, `<=`, `=` or `!=`."""

    lower: Term
    operator: Operator
    upper: Term

    def restrict(self, facts: "Facts") -> None:
        """Keep only the values for which both terms are numbers."""
        facts.narrow_to_numbers(self.lower)
        facts.narrow_to_numbers(self.upper)

    def propagate(self, facts: "Facts") -> bool:
        """Bound each of the terms by the range of the other; return whether that excluded any value."""
        lower, operator, upper = self
        if operator is Operator.NE:
            return _exclude(facts, lower, upper) or _exclude(facts, upper, lower)
        changed = _keep_below(facts, lower, operator, upper)
        if operator is Operator.EQ:
            changed = _keep_below(facts, upper, operator, lower) or changed
        return changed

    def record(self, facts: "Facts") -> None:
        """Record the order, or that the terms differ."""
        lower, operator, upper = self
        if operator is Operator.NE:
            facts.add_distinct(lower, upper)
            return
        facts.add_order(lower, upper, strict=operator is Operator.LT)
        if operator is Operator.EQ:
            facts.add_order(upper, lower, strict=False)

    def is_entailed(self, facts: "Facts") -> bool:
        """Tell whether this order certainly holds wherever the facts do."""
        lower, operator, upper = self
        if facts.may_be_undefined(lower) or facts.may_be_undefined(upper):
            return False
        if operator is Operator.LT:
            return facts.order(lower, upper) is Order.BELOW
        if operator is Operator.LE:
            return facts.order(lower, upper) is not Order.UNKNOWN
        both_ways = (facts.order(lower, upper), facts.order(upper, lower))
        if operator is Operator.EQ:
            return Order.UNKNOWN not in both_ways
        return Order.BELOW in both_ways or facts.are_distinct(lower, upper)


def oriented(condition: Condition) -> tuple[Term, Operator, Term]:
    """Return the terms and the operator of a comparison of two terms such that the operator is < <= = or !=.

    Where both coefficients are negative, both are negated, which is exact.
    """
    left, operator, right = condition.left, condition.operator, condition.right
    if not isinstance(right, Term):
        raise TypeError(f"a comparison of two terms is needed, not one of {left} with {right!r}")
    if left.coefficient < 0.0 and right.coefficient < 0.0:
        left = replace(left, coefficient=-left.coefficient)
        right = replace(right, coefficient=-right.coefficient)
        operator = MIRRORED[operator]
    if operator in (Operator.GT, Operator.GE):
        return right, MIRRORED[operator], left
    return left, operator, right


def _other(condition: Condition) -> Term:
    assert isinstance(condition.right, Term)
    return condition.right


def _own_solutions(left: Term, operator: Operator, right: Term, feature: Feature) -> Spans:
    """Return the values for which two terms of one feature compare so: between their crossings, the order is one."""
    values = present(feature)
    first, last = values[0][0], values[-1][1]
    crossings = {0.0}
    if left.power != right.power and left.coefficient and right.coefficient:
        high, low = (left, right) if left.power > right.power else (right, left)
        ratio = low.coefficient / high.coefficient
        if high.power - low.power == 1:
            crossings.add(ratio)
        elif ratio > 0.0:
            crossings |= {math.sqrt(ratio), -math.sqrt(ratio)}
    if feature.scaled:
        low_end, high_end = feature.bounds
        crossings = {low_end + crossing * (high_end - low_end) for crossing in crossings}
    ordinals = sorted({ordinal(crossing) for crossing in crossings if first <= ordinal(crossing) <= last})
    starts = sorted({first, *ordinals, *(each + 1 for each in ordinals if each < last)})
    spans = []
    for start, following in zip(starts, [*starts[1:], last + 1], strict=True):
        inside = _inside(double(start), double(following - 1))
        sides = [term_value(inside, term, feature, scale=True) for term in (left, right)]
        if compare(operator, *sides):
            spans.append((start, following - 1))
    return joined(spans)


def _inside(low: float, high: float) -> float:
    """Return a number between two others, one of which may be infinite, that is far from both."""
    if math.isinf(low) or math.isinf(high):
        return high - 1.0 - abs(high) if math.isinf(low) else low + 1.0 + abs(low)
    return low / 2.0 + high / 2.0


def _keep_below(facts: "Facts", lower: Term, operator: Operator, upper: Term) -> bool:
    strict = operator is Operator.LT
    changed = False
    if not facts.impossible:
        least, greatest = facts.range_of(lower).high, facts.range_of(upper).high
        if least > greatest or (strict and least == greatest):
            changed = facts.limit(lower, Operator.LT if strict else Operator.LE, greatest)
    if not facts.impossible:
        least, greatest = facts.range_of(lower).low, facts.range_of(upper).low
        if least > greatest or (strict and least == greatest):
            changed = facts.limit(upper, Operator.GT if strict else Operator.GE, least) or changed
    return changed


def _exclude(facts: "Facts", term: Term, other: Term) -> bool:
    values = facts.range_of(other)
    return values.low == values.high and facts.limit(term, Operator.NE, values.low)


def _check_raw(feature: Feature) -> None:
    if feature.scaled and (feature.low, feature.high) != ZERO_TO_ONE:
        raise RuleError(f"{feature.name!r}: leaf-common compares raw values only, but the schema has it scaled")
