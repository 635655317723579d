"""Comparison with a number: `0.5*pressure^2[3] <= 60 mmHg`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from evoter.rules.condition import SET_OPERATORS, Condition, Constant, Operator, Right, Term
from evoter.rules.files.document import read_number
from evoter.rules.files.leaf_columns import Fields, LeafKeys, comparison_fields, equality_parts, fraction_for
from evoter.rules.forms.form import NO_FEATURE, OPERATORS, Codes, Form, compare, kind_error, left_term, term_codes
from evoter.rules.forms.outcome import ConditionOutcome, named_value_text, sides_text, value_text
from evoter.rules.forms.trend import Trend, trend_in
from evoter.rules.parsing.drafts import ConditionDraft, TermDraft
from evoter.rules.parsing.terms import parse_constant, refuse_sum, take_operator
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import SPACE, Piece, Role, TimeStep, bounds_text, number_text
from evoter.rules.reasoning.description import plainest
from evoter.rules.reasoning.spans import Spans
from evoter.rules.reasoning.steps import length
from evoter.rules.reasoning.variables import Variable, solutions, variable
from evoter.rules.schema import Feature, Kind, Schema

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")


class ConstantForm(Form):
    """A numeric feature compared with a number, always in the feature's own units."""

    name = "comparison with a number"
    right_types = (float,)
    right_words = "a number"

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return compare(condition.operator, values[0], _number(condition))

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        if feature.kind is not Kind.NUMERIC:
            raise kind_error(condition, feature)

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans]:
        left = condition.left
        feature = schema.feature(left.feature)
        return variable(left), solutions(left, condition.operator, _number(condition), feature, scale=False)

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        name, values = self.satisfying(condition, nothing.schema)
        plain = plainest(condition, values, name, nothing.schema)
        if not condition.left.is_plain or not isinstance(plain.right, float):
            return plain
        feature = nothing.schema.feature(condition.left.feature)
        if feature.is_binary:
            return plain
        is_equality = condition.operator in (Operator.EQ, Operator.NE)
        if is_equality or (feature.step is not None and length(plain.right) == length(_number(condition))):
            return condition  # as plain as can be, and `<=` would say it only within the range of the feature
        return plain

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        return (trend_in(condition.left, condition.operator),)

    def thresholds(self, condition: Condition) -> tuple[float, ...]:
        return (_number(condition),)

    def with_thresholds(self, condition: Condition, thresholds: Sequence[float]) -> Condition:
        (threshold,) = thresholds
        return Condition(Term(condition.left.feature, lag=condition.left.lag), condition.operator, threshold)

    def margin(self, condition: Condition, values: Sequence[float]) -> float:
        return values[0] - _number(condition)

    def parse(self, stream: TokenStream, left: TermDraft) -> ConditionDraft | None:
        if stream.kind != "OPERATOR" or stream.peek() not in ("NUMBER", "ORDINAL"):
            return None
        operator = take_operator(stream)
        at = stream.start
        constant, remarks = parse_constant(stream)
        refuse_sum(stream)
        return ConditionDraft(self, left, operator, constant, None, at, remarks)

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        yield Role.CONSTANT, number_text(_number(condition))
        if schema is not None:
            feature = schema.feature(condition.left.feature)
            if feature.unit and condition.left.power == 1:
                yield SPACE
                yield Role.UNIT, feature.unit
            if ranges and not feature.low is feature.high is None:
                yield SPACE
                yield Role.RANGE, bounds_text(feature)

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        (reading,) = outcome.readings
        feature = schema.feature(reading.term.feature)
        if outcome.condition.left.is_plain:
            return value_text(reading, feature, outcome.condition.right)
        said = named_value_text(reading, feature, reading.value, time_step)
        if not isinstance(outcome.left, float):
            return said
        return f"{said}: {sides_text(outcome.left, _number(outcome.condition))}"

    def right_json(self, condition: Condition) -> float:
        return _number(condition)

    def read_right_json(self, value: object, path: str) -> Right:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return read_number(value, path) if is_number else None

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        term = condition.left
        feature = keys.schema.feature(term.feature)
        return [
            comparison_fields(
                keys.columns[feature.name, None],
                term,
                operator,
                fraction=fraction_for(_number(condition), feature, operator),
            )
            for operator in equality_parts(condition.operator, feature.name)
        ]

    def export(self, condition: Condition, language: "Language[T]") -> T:
        left = language.value(condition.left, scale=False)
        return language.compare(condition.operator, left, language.number(_number(condition)))

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        codes = term_codes(condition.left, condition.operator, schema)
        return codes._replace(right_number=_number(condition))

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        operator = OPERATORS[codes.operator]
        is_numeric = schema.features[codes.left].kind is Kind.NUMERIC
        if codes.right != NO_FEATURE or operator.tests_missing or operator in SET_OPERATORS or not is_numeric:
            return None
        return Condition(left_term(codes, schema), operator, codes.right_number)


def _number(condition: Condition) -> float:
    assert isinstance(condition.right, float)
    return condition.right
