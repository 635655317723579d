"""Test for a missing or a present value: `glucose is missing`, `glucose[1] is present`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from evoter.rules.condition import Condition, Constant, Operator, Right
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.files.leaf_columns import Fields, LeafKeys, comparison_fields
from evoter.rules.forms.form import OPERATORS, Codes, Form, left_term, term_codes
from evoter.rules.forms.outcome import ConditionOutcome, value_text
from evoter.rules.forms.trend import Trend
from evoter.rules.parsing.drafts import ConditionDraft, Sighting, TermDraft
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import Piece, TimeStep
from evoter.rules.reasoning.spans import Spans
from evoter.rules.reasoning.variables import MISSING, Variable, present, variable
from evoter.rules.schema import Feature, Kind, Schema

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")

_WORDS = {
    "missing": Operator.IS_MISSING,
    "not present": Operator.IS_MISSING,
    "present": Operator.IS_PRESENT,
    "not missing": Operator.IS_PRESENT,
}


class PresenceForm(Form):
    """Whether a feature of any kind has a value; with too little history it neither has one nor lacks one."""

    name = "test for missing"
    right_types = (type(None),)
    compares = False

    def holds_if_missing(self, condition: Condition) -> bool:
        return condition.operator is Operator.IS_MISSING

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return condition.operator is Operator.IS_PRESENT

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        """Accept features of every kind."""

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans]:
        feature = schema.feature(condition.left.feature)
        if condition.operator is Operator.IS_PRESENT:
            return variable(condition.left), present(feature)
        return variable(condition.left), ((MISSING, MISSING),) if feature.missing else ()

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        return (Trend.CONSTANT,)

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        return condition

    def parse(self, stream: TokenStream, left: TermDraft) -> ConditionDraft | None:
        if stream.kind != "IS":
            return None
        stream.advance()
        at = stream.start
        test = stream.take_name("'missing' or 'present' after 'is'")
        operator = _WORDS.get(test.lower())
        if operator is None:
            raise stream.error(
                f"expected 'missing' or 'present' after 'is', got {test!r}{did_you_mean(test, _WORDS)}", at
            )
        return ConditionDraft(self, left, operator, None, None, at, None)

    def note(self, draft: ConditionDraft, sighting: Sighting, certain: frozenset[str]) -> None:
        sighting.missing = True

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        return iter(())

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        (reading,) = outcome.readings
        return value_text(reading, schema.feature(reading.term.feature), None)

    def right_json(self, condition: Condition) -> None:
        return None

    def read_right_json(self, value: object, path: str) -> Right:
        return None

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        term = condition.left
        feature = keys.schema.feature(term.feature)
        if condition.operator is Operator.IS_MISSING:
            raise RuleError(
                f"{feature.name!r}: leaf-common has no test for a missing value; rewrite the rule without it"
            )
        key = keys.columns[feature.name, feature.categories[0] if feature.categories else None]
        if feature.kind is Kind.NUMERIC:  # only a missing value, NaN, is not equal to itself
            return [comparison_fields(key, term, Operator.GE, second_key=key, second=term)]
        return [comparison_fields(key, term, Operator.GE, fraction=0.0)]  # a column of 0 and 1

    def export(self, condition: Condition, language: "Language[T]") -> T:
        if condition.operator is Operator.IS_MISSING:
            return language.missing(condition.left)
        return language.present(condition.left)

    def tells_unlisted_from_missing(self, condition: Condition) -> bool:
        return True

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        return term_codes(condition.left, condition.operator, schema)

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        operator = OPERATORS[codes.operator]
        return Condition(left_term(codes, schema), operator) if operator.tests_missing else None
