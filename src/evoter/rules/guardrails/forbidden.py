"""Forbidden actions: where one must not be taken, and what keeps rules for it away from there."""

from collections.abc import Iterable
from dataclasses import dataclass

from evoter.rules.errors import RuleError
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition
from evoter.rules.printing.pieces import action_text
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An action that must not be taken where all of some conditions hold."""

    conditions: tuple[Condition, ...]
    action: str

    def __init__(self, conditions: Iterable[Condition], action: str) -> None:
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "action", action)
        if not self.conditions:
            raise RuleError(f"forbidding {action!r} needs a condition: to forbid it everywhere, leave the action out")

    def text(self, schema: Schema) -> str:
        """Return it as text, such as `age < 18 -> never opioid`."""
        return f"{context_text(self.conditions, schema)} -> never {action_text(self.action)}"


def context_text(conditions: Iterable[Condition], schema: Schema) -> str:
    """Return conditions as text, joined by AND."""
    return " AND ".join(print_condition(condition, schema) for condition in conditions)


def opposite(condition: Condition) -> Condition:
    """Return the condition that holds where this one does not, and no value is missing.

    >>> from evoter.rules.model import Term
    >>> opposite(Condition(Term("creatinine"), ">", 1.5)).operator
    <Operator.LE: '<='>
    """
    return form_of(condition).negation(condition)
