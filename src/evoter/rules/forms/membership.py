"""Membership in a set of categories: `month in {jan, feb}`, `month not in {jul, aug}`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from evoter.rules.condition import SET_OPERATORS, Condition, Constant, Operator, Right
from evoter.rules.errors import RuleError, SchemaError, did_you_mean
from evoter.rules.files.document import read_list, read_name
from evoter.rules.files.leaf_columns import Fields, LeafKeys, comparison_fields
from evoter.rules.forms.form import NO_FEATURE, OPERATORS, Codes, Form, kind_error, left_term, term_codes
from evoter.rules.forms.outcome import ConditionOutcome, value_text
from evoter.rules.parsing.drafts import ConditionDraft, Sighting, TermDraft
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import Piece, Role, TimeStep
from evoter.rules.reasoning.spans import Spans, joined
from evoter.rules.reasoning.variables import Variable, variable
from evoter.rules.schema import Feature, Kind, Schema

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")

SET_BITS = 52
"""Categories per number of a condition's codes: a double holds whole numbers of so many bits exactly."""

MAX_SET_CATEGORIES = 2 * SET_BITS
"""Features with more categories are compared with single ones only: their sets are neither readable nor compiled."""


class MembershipForm(Form):
    """A categorical feature that is, or is not, in a set of two or more of its categories; one missing is neither."""

    name = "membership in a set"
    right_types = (tuple,)
    right_words = "a list of categories"
    version = 2

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return (values[0] in _categories(condition)) is (condition.operator is Operator.IN)

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        if feature.kind is not Kind.CATEGORICAL:
            raise SchemaError(f"{feature.name!r} is {feature.kind}: only categorical features have sets of categories")
        if condition.operator not in SET_OPERATORS:
            raise kind_error(condition, feature)
        if len(feature.categories) > MAX_SET_CATEGORIES:
            raise SchemaError(
                f"{feature.name!r} has {len(feature.categories):,} categories, and sets are for features with at most "
                f"{MAX_SET_CATEGORIES}: compare it with single categories, or merge some"
            )
        for category in _categories(condition):
            if not feature.has_category(category):
                hint = did_you_mean(category, feature.categories)
                raise SchemaError(f"{feature.name!r} has no category {category!r}{hint}")

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans]:
        inside = set(_categories(condition))
        names = enumerate(schema.feature(condition.left.feature).categories)
        wanted = condition.operator is Operator.IN
        return variable(condition.left), joined([(at, at) for at, name in names if (name in inside) is wanted])

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        return condition

    def parse(self, stream: TokenStream, left: TermDraft) -> ConditionDraft | None:
        if stream.kind not in ("IN", "NOT_IN"):
            return None
        operator = Operator.IN if stream.kind == "IN" else Operator.NOT_IN
        stream.advance()
        at = stream.start
        stream.take("OPEN_SET", f"'{{' after '{operator}'")
        names = [stream.take_name("a category")]
        while stream.kind == "COMMA":
            stream.advance()
            names.append(stream.take_name("a category after ','"))
        stream.take("CLOSE_SET", "',' or '}' after the category")
        try:
            made = Condition(left.term, operator, names)
        except RuleError as error:
            raise stream.error(str(error), at) from None
        # In the order of the text, in which a schema that is inferred from it lists the categories.
        return ConditionDraft(self, left, made.operator, tuple(names) if len(names) > 1 else names[0], None, at, None)

    def note(self, draft: ConditionDraft, sighting: Sighting, certain: frozenset[str]) -> None:
        names = draft.right if isinstance(draft.right, tuple) else (str(draft.right),)
        sighting.words |= dict.fromkeys(names, False)

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        """List the categories in the order of the schema, if there is one."""
        inside = _categories(condition)
        known = () if schema is None else schema.feature(condition.left.feature).categories
        yield Role.WORD, "{"
        for number, category in enumerate([each for each in known if each in inside] or inside):
            if number:
                yield Role.WORD, ", "
            yield Role.CATEGORY, category
        yield Role.WORD, "}"

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        (reading,) = outcome.readings
        return value_text(reading, schema.feature(reading.term.feature), outcome.condition.right)

    def right_json(self, condition: Condition) -> list[str]:
        return list(_categories(condition))

    def read_right_json(self, value: object, path: str) -> Right:
        return tuple(read_list(value, path, read_name)) if isinstance(value, list) else None

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        """Require 0 in the column of each category that is excluded."""
        term = condition.left
        if condition.operator is Operator.IN:
            raise RuleError(
                f"leaf-common has no sets of categories ({term.feature!r} in ...): write a rule for each category"
            )
        columns = [keys.columns[term.feature, category] for category in _categories(condition)]
        return [comparison_fields(column, term, Operator.LT, fraction=1.0) for column in columns]

    def export(self, condition: Condition, language: "Language[T]") -> T:
        write = language.is_one_of if condition.operator is Operator.IN else language.is_none_of
        return write(condition.left, _categories(condition))

    def tells_unlisted_from_missing(self, condition: Condition) -> bool:
        return condition.operator is Operator.NOT_IN

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        """Return a bit for each category: those of the first 52 in one number, the others in the second."""
        positions = schema.feature(condition.left.feature).categories
        bits = sum(1 << positions.index(category) for category in _categories(condition))
        low, high = bits % (1 << SET_BITS), bits >> SET_BITS
        codes = term_codes(condition.left, condition.operator, schema)
        return codes._replace(left_coefficient=float(low), right_number=float(high))

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        if OPERATORS[codes.operator] not in SET_OPERATORS or codes.right != NO_FEATURE:
            return None
        bits = int(codes.left_coefficient) + (int(codes.right_number) << SET_BITS)
        names = schema.features[codes.left].categories
        inside = [name for position, name in enumerate(names) if bits >> position & 1]
        term = left_term(codes._replace(left_coefficient=1.0), schema)
        return Condition(term, OPERATORS[codes.operator], inside)


def _categories(condition: Condition) -> tuple[str, ...]:
    assert isinstance(condition.right, tuple)
    return condition.right
