"""Conditions and statements as people write them: `age < 18 AND pain > 3 -> never opioid`."""

from collections.abc import Iterable

from evoter.rules.condition import Condition
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet, check_condition
from evoter.rules.parser import parse_conditions
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition

Given = str | Condition | Iterable[Condition]
"""Conditions that are taken to hold: text, one condition, or several; an empty text for none."""

_ARROW = "->"
_NEVER = "never "


def conditions_of(given: Given, schema: Schema) -> tuple[Condition, ...]:
    """Return conditions that may be text."""
    if isinstance(given, str):
        return parse_conditions(given, schema) if given.strip() else ()
    conditions = (given,) if isinstance(given, Condition) else tuple(given)
    for condition in conditions:
        check_condition(condition, schema)
    return conditions


def read_statement(text: str, ruleset: RuleSet) -> tuple[str, str, bool]:
    """Return the conditions of a statement as text, its action, and whether that is never to be taken.

    >>> from evoter import parse
    >>> read_statement('age < 18 -> never "opioid"', parse("age > 9 -> opioid; Default -> none"))
    ('age < 18', 'opioid', True)
    """
    conditions, arrow, action = text.rpartition(_ARROW)
    action = action.strip()
    if not arrow or not action:
        raise RuleError(f"cannot read {text!r}; write 'conditions -> action' or 'conditions -> never action'")
    actions = ruleset.schema.actions
    is_never = action.lower().startswith(_NEVER) and _unquoted(action) not in actions
    return conditions.strip(), _unquoted(action[len(_NEVER) :] if is_never else action), is_never


def _unquoted(name: str) -> str:
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


def printed(conditions: Iterable[Condition], schema: Schema) -> str:
    """Print conditions that hold together."""
    return " and ".join(print_condition(condition, schema) for condition in conditions)
