"""Conditions, rules and defaults taken apart into marked pieces, from which every printed form is made."""

from collections.abc import Iterator

from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.printing.pieces import SPACE, Piece, Role, action_pieces
from evoter.rules.schema import Schema


def condition_pieces(condition: Condition, schema: Schema | None, *, ranges: bool = False) -> Iterator[Piece]:
    """Take a condition apart."""
    form = form_of(condition)
    yield from form.left_pieces(condition)
    yield SPACE
    yield Role.OPERATOR, condition.operator.value
    right = list(form.right_pieces(condition, schema, ranges=ranges))
    if right:
        yield SPACE
        yield from right


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
    for position, condition in enumerate(rule.conditions):
        if position:
            yield from (SPACE, (Role.AND, "AND"), SPACE)
        yield from condition_pieces(condition, schema, ranges=ranges)
    yield from (SPACE, (Role.ARROW, "->"), SPACE)
    yield from action_pieces(rule.action, rule.certainty)


def default_pieces(ruleset: RuleSet) -> Iterator[Piece]:
    """Take the default apart."""
    yield from ((Role.WORD, "Default"), SPACE, (Role.ARROW, "->"), SPACE)
    yield from action_pieces(ruleset.default, ruleset.default_certainty)
