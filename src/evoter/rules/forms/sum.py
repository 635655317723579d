"""Weighted sum of two features against a number: `worst texture + 0.05*worst area <= 70`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from evoter.rules.condition import MIRRORED, Condition, Constant, Operator, Right, Sum, Term
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.files.document import read_number, read_record, read_term_fields, term_fields
from evoter.rules.files.leaf_columns import Fields, LeafKeys
from evoter.rules.forms.form import (
    NO_FEATURE,
    OPERATORS,
    Codes,
    Form,
    compare,
    left_term,
    term_codes,
)
from evoter.rules.forms.outcome import ConditionOutcome, named_value_text, sides_text
from evoter.rules.forms.trend import Trend, trend_in
from evoter.rules.parsing.drafts import ConditionDraft, TermDraft
from evoter.rules.parsing.terms import at_sign, parse_addend, parse_constant, take_operator
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import SPACE, Piece, Role, TimeStep, number_text, term_pieces
from evoter.rules.reasoning.binary import decided_by_one, plain_comparison
from evoter.rules.reasoning.description import plainest, presence_instead
from evoter.rules.reasoning.spans import GREATEST, LEAST, Spans, is_subset, ordinal
from evoter.rules.reasoning.variables import Variable, accepted_span, present, sum_solutions, variable
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import Row

if TYPE_CHECKING:
    from evoter.rules.forms.language import Language
    from evoter.rules.reasoning.facts import Facts

T = TypeVar("T")

SUMMED = 0
"""The `right_power` code of a sum, which no comparison of two terms has."""


class SumForm(Form):
    """Two features in their own units, each times a coefficient, added and compared with a number by order.

    The products are rounded before they are added, as everywhere in the language.
    """

    name = "weighted sum"
    right_types = (Sum,)
    right_words = "a sum"
    version = 2
    adds = True

    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        return compare(condition.operator, _added(values), _sum(condition).constant)

    def sides(self, condition: Condition, values: Sequence[Constant | None]) -> tuple[Constant | None, Constant | None]:
        return None if None in values else _added(values), _sum(condition).constant

    def n_conditions(self, condition: Condition) -> int:
        """Count a sum as two: it reads as much as two conditions do."""
        return 2

    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        for term in condition.terms:
            each = schema.feature(term.feature)
            if each.kind is not Kind.NUMERIC:
                raise SchemaError(f"{each.name!r} is {each.kind}: a sum adds numeric features only")

    def satisfying(self, condition: Condition, schema: Schema) -> tuple[Variable, Spans] | None:
        return decided_by_one(self, condition, schema)

    def satisfying_now(self, condition: Condition, name: str, history: Sequence[Row], schema: Schema) -> Spans:
        terms, values = condition.terms, self.values(condition, history, schema)
        own, other = (0, 1) if variable(terms[0]) == (name, 0) else (1, 0)
        fixed = None if values is None else values[other]
        if not isinstance(fixed, float) or not abs(fixed) < float("inf"):
            return ()
        at = ordinal(_sum(condition).constant)
        return sum_solutions(terms[own], fixed, condition.operator, at, schema.feature(name))

    def relation(self, condition: Condition) -> "BoundedSum":
        return BoundedSum.of(condition)

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        return tuple(trend_in(term, condition.operator) for term in condition.terms)

    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        """Give the first term the coefficient 1 where an exact step does, and say it as a comparison where that is one.

        `a - 0.5*b <= 0` is `a <= 0.5*b` if comparisons read both features raw and neither is infinite: infinity less
        infinity is NaN, although the two are equal.
        """
        if (single := self.satisfying(condition, nothing.schema)) is not None:
            return plainest(condition, single[1], single[0], nothing.schema)
        if (plain := presence_instead(condition, nothing)) is not None:
            return plain
        if (plain := plain_comparison(self, condition, nothing.schema)) is not None:
            return plain
        condition = _with_plain_first(condition)
        left, right = condition.left, _sum(condition)
        features = [nothing.schema.feature(term.feature) for term in condition.terms]
        ends = [end for term in condition.terms for end in nothing.raw_range(term)]
        is_difference = right.constant == 0.0 and left.coefficient > 0.0 > right.added.coefficient
        is_raw = not any(feature.scaled for feature in features) and all(abs(end) < float("inf") for end in ends)
        if is_difference and is_raw:
            other = replace(right.added, coefficient=-right.added.coefficient)
            return Condition(left, condition.operator, other)
        return condition

    def margin(self, condition: Condition, values: Sequence[Any]) -> Any:
        return values[0] + values[1] - _sum(condition).constant

    def parse(self, stream: TokenStream, left: TermDraft) -> ConditionDraft | None:
        if not at_sign(stream):
            return None
        other = parse_addend(stream)
        if at_sign(stream):
            raise stream.error("a sum has two terms; write a rule with two conditions, or leave one term out")
        if stream.kind != "OPERATOR":
            raise stream.unexpected("an operator such as '<=' after the sum")
        operator = take_operator(stream)
        at = stream.start
        if stream.kind not in ("NUMBER", "ORDINAL"):
            raise stream.error("a sum is compared with a number, as in 'a + 0.5*b <= 3'")
        constant, remarks = parse_constant(stream)
        if remarks is not None:
            where = remarks.unit_at if remarks.unit else remarks.bounds_at
            raise stream.error("the constant of a sum has neither a unit nor a range; leave them out", where)
        if at_sign(stream):
            raise stream.error("a sum has both features on the left, as in 'a - 0.5*b <= 3'")
        return ConditionDraft(self, left, operator, constant, other, at, None)

    def resolve(self, draft: ConditionDraft, schema: Schema) -> Right:
        assert draft.other is not None
        assert isinstance(draft.right, float)
        return Sum(draft.other.term, draft.right)

    def left_pieces(self, condition: Condition) -> Iterator[Piece]:
        added = _sum(condition).added
        yield from term_pieces(condition.left)
        yield from (SPACE, (Role.SIGN, "-" if added.coefficient < 0.0 else "+"), SPACE)
        yield from term_pieces(replace(added, coefficient=abs(added.coefficient)))

    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        yield Role.CONSTANT, number_text(_sum(condition).constant)

    def explained(self, outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
        said = ", ".join(
            named_value_text(reading, schema.feature(reading.term.feature), None, time_step)
            for reading in outcome.readings
        )
        if not isinstance(outcome.left, float):
            return said
        return f"{said}: sum {sides_text(outcome.left, _sum(outcome.condition).constant)}"

    def right_json(self, condition: Condition) -> dict[str, object]:
        right = _sum(condition)
        return {"added": term_fields(right.added), "constant": right.constant}

    def read_right_json(self, value: object, path: str) -> Right:
        if not isinstance(value, dict) or not ("added" in value or "constant" in value):
            return None
        readers = {"added": read_term_fields, "constant": read_number}
        return read_record(value, path, Sum, readers, ("added", "constant"))

    def leaf_fields(self, condition: Condition, keys: LeafKeys) -> list[Fields]:
        names = " and ".join(repr(term.feature) for term in condition.terms)
        raise RuleError(f"leaf-common has no sums (of {names}): rewrite the rule with conditions on each feature")

    def export(self, condition: Condition, language: "Language[T]") -> T:
        first, second = (language.value(term, scale=False) for term in condition.terms)
        total = language.plus(first, second)
        return language.compare(condition.operator, total, language.number(_sum(condition).constant))

    def codes(self, condition: Condition, schema: Schema) -> Codes:
        right = _sum(condition)
        return term_codes(condition.left, condition.operator, schema)._replace(
            right=schema.position(right.added.feature),
            right_power=SUMMED,
            right_lag=right.added.lag,
            right_number=right.added.coefficient,
            sum_constant=right.constant,
        )

    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        if codes.right == NO_FEATURE or codes.right_power != SUMMED:
            return None
        added = Term(schema.features[codes.right].name, codes.right_number, lag=codes.right_lag)
        return Condition(left_term(codes, schema), OPERATORS[codes.operator], Sum(added, codes.sum_constant))


class BoundedSum(NamedTuple):
    """A sum of two terms and the values that a condition accepts of it, as ordinals.

    Rounded addition is commutative, and negating both terms negates the sum: so the terms are in the order of their
    variables, and the first coefficient is positive. Rounded products and sums never fall when a term rises, so that
    the sums of the ends of two ranges bound all others.
    """

    first: Term
    second: Term
    accepted: Spans

    @classmethod
    def of(cls, condition: Condition) -> "BoundedSum":
        """Return what a condition says about the sum of its terms."""
        first, second = sorted(condition.terms, key=variable)
        operator, constant = condition.operator, _sum(condition).constant
        if first.coefficient < 0.0:
            first, second = (replace(term, coefficient=-term.coefficient) for term in (first, second))
            operator, constant = MIRRORED[operator], -constant
        at = ordinal(constant)
        return cls(first, second, accepted_span(at, at + 1, (LEAST, GREATEST), operator))

    def restrict(self, facts: "Facts") -> None:
        """Keep only present values."""
        for term in (self.first, self.second):
            facts.narrow(variable(term), present(facts.schema.feature(term.feature)))

    def propagate(self, facts: "Facts") -> bool:
        """Bound the sum by its terms and each term by the other; return whether that excluded any value."""
        changed = facts.narrow_sum(self.first, self.second, self.accepted)
        for term, other in ((self.first, self.second), (self.second, self.first)):
            if facts.impossible:
                break
            changed = self._bound(facts, term, other) or changed
        return changed

    def _bound(self, facts: "Facts", term: Term, other: Term) -> bool:
        """Keep only values of a term for which some value of the other makes a sum that is accepted."""
        ((first, last),) = self.accepted
        low, high = facts.raw_range(other)
        feature = facts.schema.feature(term.feature)
        changed = False
        if last < GREATEST and abs(low) < float("inf"):
            changed = facts.narrow(variable(term), sum_solutions(term, low, Operator.LE, last, feature))
        if first > LEAST and abs(high) < float("inf") and not facts.impossible:
            kept = sum_solutions(term, high, Operator.GE, first, feature)
            changed = facts.narrow(variable(term), kept) or changed
        return changed

    def record(self, facts: "Facts") -> None:
        """Add nothing: what is known of sums was recorded while bounds travelled."""

    def is_entailed(self, facts: "Facts") -> bool:
        """Tell whether the sum is certainly a number, and one of those that are accepted."""
        if any(facts.may_be_absent(variable(term)) for term in (self.first, self.second)):
            return False
        possible = facts.possible_sums(self.first, self.second)
        return possible is not None and is_subset(possible, self.accepted)


def _with_plain_first(condition: Condition) -> Condition:
    """Return the same condition with a first coefficient of 1, if exchanging or negating the terms gives one."""
    first, second, operator, constant = *condition.terms, condition.operator, _sum(condition).constant
    if first.coefficient != 1.0 and abs(second.coefficient) == 1.0:
        first, second = second, first
    if first.coefficient == -1.0:
        first, second = (replace(term, coefficient=-term.coefficient) for term in (first, second))
        operator, constant = MIRRORED[operator], 0.0 - constant
    return Condition(first, operator, Sum(second, constant))


def _added(values: Sequence[Constant | None]) -> float:
    first, second = values
    assert isinstance(first, float)
    assert isinstance(second, float)
    return first + second


def _sum(condition: Condition) -> Sum:
    assert isinstance(condition.right, Sum)
    return condition.right
