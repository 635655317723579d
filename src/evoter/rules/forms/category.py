"""Comparison with a category or a truth value: `race != Asian`, `anaemia = true`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from evoter.rules.condition import SET_OPERATORS, Condition, Constant, Operator, Right
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.files.document import read_name
from evoter.rules.files.leaf_columns import Fields, LeafKeys, comparison_fields
from evoter.rules.forms.form import NO_FEATURE, OPERATORS, Codes, Form, compare, kind_error, left_term, term_codes
from evoter.rules.forms.outcome import ConditionOutcome, value_text
from evoter.rules.forms.trend import Trend
from evoter.rules.parsing.drafts import TermDraft
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import Piece, Role, TimeStep
from evoter.rules.reasoning.spans import Spans
from evoter.rules.reasoning.variables import Variable, accepted_span, present, variable
from evoter.rules.schema import Feature, Kind, Schema

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")


class CategoryForm(Form):
    """A categorical or boolean feature that is, or is not, one of its values."""

    name = "comparison with a category"
    right_types = (str, bool)
    right_words = "a category, true, false"

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return compare(condition.operator, values[0], _value(condition))

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        right = _value(condition)
        kind = Kind.CATEGORICAL if isinstance(right, str) else Kind.BOOLEAN
        if feature.kind is not kind or condition.operator not in (Operator.EQ, Operator.NE):
            raise kind_error(condition, feature)
        if isinstance(right, str) and not feature.has_category(right):
            raise SchemaError(f"{feature.name!r} has no category {right!r}{did_you_mean(right, feature.categories)}")

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans]:
        feature = schema.feature(condition.left.feature)
        position = _position(condition, feature)
        values = accepted_span(position, position + 1, present(feature)[0], condition.operator)
        return variable(condition.left), values

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        return condition

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        """Count true as more than false; categories have no order."""
        right = _value(condition)
        if isinstance(right, str):
            return (Trend.NONE,)
        return (Trend.RISING if right is (condition.operator is Operator.EQ) else Trend.FALLING,)

    def negation(self, condition: Condition) -> Condition:
        if isinstance(condition.right, bool):
            return Condition(condition.left, condition.operator, not condition.right)
        return super().negation(condition)

    def parse(self, stream: TokenStream, left: TermDraft) -> None:
        """Leave words to the comparison of two terms: only a schema can tell features from categories."""

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        right = _value(condition)
        if isinstance(right, bool):
            yield Role.CONSTANT, "true" if right else "false"
        else:
            yield Role.CATEGORY, right

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        (reading,) = outcome.readings
        return value_text(reading, schema.feature(reading.term.feature), outcome.condition.right)

    def right_json(self, condition: Condition) -> str | bool:
        return _value(condition)

    def read_right_json(self, value: object, path: str) -> Right:
        if isinstance(value, bool):
            return value
        return read_name(value, path) if isinstance(value, str) else None

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        """Compare a column of 0 and 1 with 1."""
        right = _value(condition)
        column = keys.columns[condition.left.feature, right if isinstance(right, str) else None]
        is_one = (condition.operator is Operator.EQ) is (right is not False)
        return [comparison_fields(column, condition.left, Operator.GE if is_one else Operator.LT, fraction=1.0)]

    def export(self, condition: Condition, language: "Language[T]") -> T:
        left, right = condition.left, _value(condition)
        is_equal = condition.operator is Operator.EQ
        if isinstance(right, bool):  # what is neither missing nor true is false
            return language.is_truth(left, right == is_equal)
        return language.is_one_of(left, (right,)) if is_equal else language.is_none_of(left, (right,))

    def tells_unlisted_from_missing(self, condition: Condition) -> bool:
        return condition.operator is Operator.NE

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        position = _position(condition, schema.feature(condition.left.feature))
        return term_codes(condition.left, condition.operator, schema)._replace(right_number=float(position))

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        feature, operator = schema.features[codes.left], OPERATORS[codes.operator]
        is_other = operator.tests_missing or operator in SET_OPERATORS
        if codes.right != NO_FEATURE or is_other or feature.kind is Kind.NUMERIC:
            return None
        is_boolean = feature.kind is Kind.BOOLEAN
        right = bool(codes.right_number) if is_boolean else feature.categories[int(codes.right_number)]
        return Condition(left_term(codes, schema), operator, right)


def _value(condition: Condition) -> str | bool:
    assert isinstance(condition.right, str | bool)
    return condition.right


def _position(condition: Condition, feature: Feature) -> int:
    right = _value(condition)
    return int(right) if isinstance(right, bool) else feature.categories.index(right)
