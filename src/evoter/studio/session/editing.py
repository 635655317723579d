"""Edits of rules in the studio: those of the editor, and switching rules off and on again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evoter.rules.editing.editor import Argument, Editor, NoChangeError, Step, edit
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.text import print_rule
from evoter.studio.answers.cards import EditedRules
from evoter.studio.errors import StudioError

SWITCHES = ("switch_off", "switch_on")

MAX_EDITS = 200
"""The most edits that are made at once."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Rules after some edits, not saved yet: what changed in words, and the steps for the log."""

    rules: EditedRules
    changes: tuple[str, ...]
    steps: tuple[Step, ...]


def make_edits(rules: EditedRules, schema: Schema, edits: Sequence[tuple[str, Sequence[Argument]]]) -> Draft:
    """Make edits one after the other; an error says which of them is wrong, and where.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> old; age > 40 -> old; Default -> young")
    >>> draft = make_edits(EditedRules(rules), rules.schema, [("switch_off", [1]), ("move", [2, 1])])
    >>> draft.rules.off, draft.changes
    (frozenset({2}), ('rule 1 is switched off: age > 60 -> old', 'rule 2 becomes rule 1: age > 40 -> old'))
    """
    editor, off = edit(rules.ruleset, schema), rules.off
    steps: list[Step] = []
    for number, (operation, arguments) in enumerate(edits):
        try:
            editor, off, step = make_edit(editor, off, operation, arguments)
        except RuleError as error:
            raise StudioError.about_rule(error, edit=number) from None
        steps.append(step)
    return Draft(EditedRules(editor.done(), off), tuple(step.change for step in steps), tuple(steps))


def make_edit(
    editor: Editor, off: frozenset[int], operation: str, arguments: Sequence[Argument]
) -> tuple[Editor, frozenset[int], Step]:
    """Make one edit; return the editor and the numbers of the rules that are switched off after it, and its step."""
    if operation in SWITCHES:
        step, off = _switch(editor.ruleset, off, operation, arguments)
        return editor, off, step
    editor = editor.apply(operation, *arguments)
    return editor, _renumbered(editor.steps[-1], off), editor.steps[-1]


def _switch(
    ruleset: RuleSet, off: frozenset[int], operation: str, arguments: Sequence[Argument]
) -> tuple[Step, frozenset[int]]:
    if len(arguments) != 1 or not isinstance(number := arguments[0], int) or isinstance(number, bool):
        raise RuleError(f"{operation} takes the number of a rule")
    if not 1 <= number <= len(ruleset.rules):
        raise RuleError(f"there is no rule {number}: there are {len(ruleset.rules)}")
    rule = ruleset.rules[number - 1]
    shown = print_rule(replace(rule, pinned=False), ruleset.schema)
    if (number in off) is (operation == "switch_off"):
        raise NoChangeError(f"rule {number} is switched {'off' if number in off else 'on'} already: {shown}")
    if rule.pinned:
        raise RuleError(f"rule {number} is pinned: {shown}; unpin it first")
    said = f"rule {number} is switched {'off' if operation == 'switch_off' else 'on again'}: {shown}"
    return Step(operation, (number,), said, ruleset, ruleset), off ^ {number}


def _renumbered(step: Step, off: frozenset[int]) -> frozenset[int]:
    """Return the numbers of the rules that are switched off after a step of the editor."""
    flags = [number in off for number in range(1, len(step.before.rules) + 1)]
    first = int(step.arguments[0]) - 1 if isinstance(step.arguments[0], int) else 0
    match step.operation:
        case "add":
            flags.append(False)
        case "insert":
            flags.insert(first, False)
        case "drop":
            del flags[first]
        case "move":
            flags.insert(int(step.arguments[1]) - 1, flags.pop(first))
        case "rewrite":
            flags = _found_again(step, off)
    return frozenset(number for number, is_off in enumerate(flags, start=1) if is_off)


def _found_again(step: Step, off: frozenset[int]) -> list[bool]:
    """Return which rules of a rewritten rule set are those that were switched off."""
    left = [rule for number, rule in enumerate(step.before.rules, start=1) if number in off]
    flags = []
    for rule in step.after.rules:
        is_off = rule in left
        flags.append(is_off)
        if is_off:
            left.remove(rule)
    return flags


def read_edits(given: Sequence[Mapping[str, Any]]) -> list[tuple[str, Sequence[Argument]]]:
    """Return edits as operations with their arguments."""
    if len(given) > MAX_EDITS:
        raise StudioError("invalid", f"{len(given)} edits at once", f"make at most {MAX_EDITS} at once")
    return [(str(each["operation"]), list(each["arguments"])) for each in given]
