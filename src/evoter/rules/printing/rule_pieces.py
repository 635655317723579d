"""Conditions, rules and defaults taken apart into marked pieces, from which every printed form is made."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evoter.rules.condition import MIRRORED, Operator
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.parsing.tokens import SCALED
from evoter.rules.printing.action_pieces import action_pieces
from evoter.rules.printing.pieces import SPACE, Piece, Role, number_text
from evoter.rules.schema import Schema


def condition_pieces(condition: Condition, schema: Schema | None, *, ranges: bool = False) -> Iterator[Piece]:
    """Take a condition apart."""
    return Clause(condition).pieces(schema, ranges=ranges)


class Clause(NamedTuple):
    """What is printed between two ANDs: a condition, or with `lower` an interval made of two."""

    condition: Condition
    lower: Condition | None = None

    def left_pieces(self, schema: Schema | None) -> Iterator[Piece]:
        """Take what is printed before the operator apart: the term, and before it the lower end of an interval."""
        if self.lower is not None:
            yield Role.CONSTANT, number_text(_number(self.lower))
            yield from (SPACE, (Role.OPERATOR, MIRRORED[self.lower.operator].value), SPACE)
        yield from self._marked(form_of(self.condition).left_pieces(self.condition), schema)

    def right_pieces(self, schema: Schema | None, *, ranges: bool = False) -> Iterator[Piece]:
        """Take what is printed after the operator apart."""
        pieces = form_of(self.condition).right_pieces(self.condition, schema, ranges=ranges)
        yield from self._marked(pieces, schema)

    def pieces(self, schema: Schema | None, *, ranges: bool = False) -> Iterator[Piece]:
        """Take all of it apart."""
        yield from self.left_pieces(schema)
        yield SPACE
        yield Role.OPERATOR, self.condition.operator.value
        right = list(self.right_pieces(schema, ranges=ranges))
        if right:
            yield SPACE
            yield from right

    def _marked(self, pieces: Iterable[Piece], schema: Schema | None) -> Iterator[Piece]:
        """Write `scaled(x)` for each feature x that the condition reads scaled, lest it be read in its own unit."""
        may_scale = schema is not None and form_of(self.condition).scales
        for piece in pieces:
            role, name = piece
            if may_scale and role is Role.FEATURE and schema is not None and schema.feature(name).scaled:
                yield from ((Role.WORD, f"{SCALED}("), piece, (Role.WORD, ")"))
            else:
                yield piece


def clauses(conditions: Sequence[Condition]) -> list[Clause]:
    """Divide conditions into what is printed together: a lower and an upper bound in a row are an interval.

    >>> from evoter.rules.condition import Term
    >>> len(clauses([Condition(Term("age"), ">", 30), Condition(Term("age"), "<=", 40)]))
    1
    """
    found: list[Clause] = []
    for condition in conditions:
        before = found[-1] if found else None
        if before is not None and before.lower is None and is_interval(before.condition, condition):
            found[-1] = Clause(condition, before.condition)
        else:
            found.append(Clause(condition))
    return found


def is_interval(lower: Condition, upper: Condition) -> bool:
    """Tell whether two conditions are the ends of an interval of a plain feature, the lower one first."""
    if lower.left != upper.left or not lower.left.is_plain:
        return False
    bounds = lower.operator in (Operator.GT, Operator.GE) and upper.operator in (Operator.LT, Operator.LE)
    are_numbers = isinstance(lower.right, float) and isinstance(upper.right, float)
    return bounds and are_numbers and _number(lower) < _number(upper)


def _number(condition: Condition) -> float:
    assert isinstance(condition.right, float)
    return condition.right


def label_pieces(rule: Rule) -> Iterator[Piece]:
    """Take a rule's name and its pinned mark apart, if it has any."""
    if rule.name:
        yield Role.LABEL, rule.name
        yield Role.WORD, " pinned:" if rule.pinned else ":"
    elif rule.pinned:
        yield Role.WORD, "pinned:"


def rule_pieces(rule: Rule, schema: Schema | None, *, ranges: bool = False) -> Iterator[Piece]:
    """Take a rule apart."""
    label = list(label_pieces(rule))
    if label:
        yield from label
        yield SPACE
    for position, clause in enumerate(clauses(rule.conditions)):
        if position:
            yield from (SPACE, (Role.AND, "AND"), SPACE)
        yield from clause.pieces(schema, ranges=ranges)
    yield from (SPACE, (Role.ARROW, "->"), SPACE)
    yield from action_pieces(rule.action, rule.certainty, schema)


def default_pieces(ruleset: RuleSet) -> Iterator[Piece]:
    """Take the default apart."""
    yield from ((Role.WORD, "Default"), SPACE, (Role.ARROW, "->"), SPACE)
    yield from action_pieces(ruleset.default, ruleset.default_certainty, ruleset.schema)
