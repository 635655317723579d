"""The pieces of printed actions: names with their certainty, or numbers with the unit of the target."""

from collections.abc import Iterator

from evoter.rules.errors import RuleError
from evoter.rules.numbers.actions import read_action
from evoter.rules.parsing.tokens import NUMERIC, is_bare_name
from evoter.rules.printing.pieces import (
    ASCII,
    SPACE,
    Piece,
    Role,
    action_text,
    joined,
    names_pieces,
    number_text,
    render,
)
from evoter.rules.schema import Schema


def action_pieces(action: str, certainty: float, schema: Schema | None) -> Iterator[Piece]:
    """Take the right-hand side of a rule apart; a certainty of 1 is left out, and numbers have the target's unit."""
    if schema is not None and schema.target is not None:
        yield from _number_pieces(action, schema.target.unit)
        return
    if certainty != 1.0:
        yield Role.CERTAINTY, number_text(certainty)
        yield Role.TIMES, "*"
    yield Role.ACTION, action


def _number_pieces(action: str, unit: str) -> Iterator[Piece]:
    number = read_action(action)
    yield Role.CONSTANT, number_text(number.constant)
    if unit:
        yield SPACE
        yield Role.UNIT, unit
    if not number.feature:
        return
    yield from (SPACE, (Role.SIGN, "-" if number.coefficient < 0.0 else "+"), SPACE)
    if abs(number.coefficient) != 1.0:
        yield Role.COEFFICIENT, number_text(abs(number.coefficient))
        yield Role.TIMES, "*"
    yield Role.FEATURE, number.feature


def decision_text(action: str, schema: Schema) -> str:
    """Print an action as it is written in rules: a name, or a number with its unit.

    >>> from evoter.rules.schema import Feature, Target
    >>> decision_text("12 + 0.3*age", Schema([Feature("age")], target=Target("weight", "kg")))
    '12 kg + 0.3*age'
    """
    return joined(render(action_pieces(action, 1.0, schema), ASCII))


def bare_text(action: str) -> str:
    """Print an action where its schema is not at hand: a name, in quotes where it needs them, or a number."""
    try:
        return read_action(action).text
    except RuleError:
        return action_text(action)


def actions_pieces(schema: Schema) -> Iterator[Piece]:
    """Take the declaration of the actions apart."""
    if schema.target is None:
        yield from names_pieces(Role.ACTION, schema.actions)
        return
    yield Role.WORD, NUMERIC
    if schema.target.unit:
        yield SPACE
        yield Role.UNIT, schema.target.unit
    if name := schema.target.name:
        yield Role.WORD, ", target "
        yield Role.WORD if is_bare_name(name) else Role.LABEL, name
