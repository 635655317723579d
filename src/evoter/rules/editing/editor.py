"""Edits of a rule set: small steps that are checked, say what they change, and can be undone."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from evoter.rules.editing.difference import difference
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.parser import parse, parse_condition, parse_rule
from evoter.rules.printing.pieces import ASCII, joined, render
from evoter.rules.printing.rule_pieces import default_pieces
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition, print_rule

Argument = int | float | str
_Item = TypeVar("_Item")

_DECLARATIONS = re.compile(r"(?:^|;)\s*where\b", re.IGNORECASE | re.MULTILINE)


class NoChangeError(RuleError):
    """An edit that leaves the rules as they are."""


@dataclass(frozen=True, slots=True)
class Step:
    """One edit: its operation with arguments that JSON can hold, what changed in words, and the rules around it."""

    operation: str
    arguments: tuple[Argument, ...]
    change: str
    before: RuleSet
    after: RuleSet


@dataclass(frozen=True, slots=True)
class Editor:
    """A rule set with the edits made to it so far; every method returns a new editor and leaves this one as it is.

    Rules and conditions are numbered from 1, as they are printed, and the numbers are those after the edits before. An
    edit that does not fit the schema, changes nothing, or touches a pinned rule raises a `RuleError`; a pinned rule is
    edited after `unpin`. Rules may read all features of `offered`, which may be more than those of the original.
    """

    original: RuleSet
    offered: Schema
    steps: tuple[Step, ...] = ()

    @property
    def ruleset(self) -> RuleSet:
        """The rules after all edits, over the whole schema."""
        return self.steps[-1].after if self.steps else _over(self.original, self.offered)

    @property
    def schema(self) -> Schema:
        """The features that rules may read, and the actions."""
        return self.ruleset.schema

    @property
    def changes(self) -> tuple[str, ...]:
        """What each edit changed, in words."""
        return tuple(step.change for step in self.steps)

    def done(self) -> RuleSet:
        """Return the edited rule set, over the features that it had before and those that it reads now."""
        edited = self.ruleset
        idle = {*self.offered.names} - {*self.original.schema.names, *edited.features_used}
        features = [feature for feature in edited.schema.features if feature.name not in idle]
        return _over(edited, edited.schema.over(features))

    def undo(self, n: int = 1) -> "Editor":
        """Take back the last edits, by default one."""
        if not 0 < n <= len(self.steps):
            there = f"there are {len(self.steps)} to undo" if self.steps else "there is none to undo"
            raise RuleError(f"cannot undo {n} {'edit' if n == 1 else 'edits'}: {there}")
        return replace(self, steps=self.steps[:-n])

    def replace(self, number: int, rule: Rule | str) -> "Editor":
        """Replace a rule, with its name and its mark as pinned, by another."""
        old, new = self._free_rule(number), self._read_rule(rule)
        change = f"rule {number}: {self._shown(old)} becomes {self._shown(new)}"
        return self._with_rules("replace", (number, self._shown(new)), change, _put(self.ruleset.rules, number, new))

    def add(self, rule: Rule | str) -> "Editor":
        """Add a rule after all others, just before the default."""
        new = self._read_rule(rule)
        change = f"rule {len(self.ruleset.rules) + 1} added: {self._shown(new)}"
        return self._with_rules("add", (self._shown(new),), change, (*self.ruleset.rules, new))

    def insert(self, number: int, rule: Rule | str) -> "Editor":
        """Add a rule that gets this number; the one that had it, and those after it, follow."""
        rules, new = self.ruleset.rules, self._read_rule(rule)
        if number != len(rules) + 1:
            self._rule(number)
        change = f"rule {number} added: {self._shown(new)}"
        inserted = (*rules[: number - 1], new, *rules[number - 1 :])
        return self._with_rules("insert", (number, self._shown(new)), change, inserted)

    def drop(self, number: int) -> "Editor":
        """Remove a rule."""
        old, rules = self._free_rule(number), self.ruleset.rules
        change = f"rule {number} removed: {self._shown(old)}"
        return self._with_rules("drop", (number,), change, (*rules[: number - 1], *rules[number:]))

    def move(self, number: int, to: int) -> "Editor":
        """Give a rule another number; the rules between the two numbers close up."""
        rule = self._free_rule(number)
        self._rule(to)
        rules = list(self.ruleset.rules)
        rules.insert(to - 1, rules.pop(number - 1))
        change = f"rule {number} becomes rule {to}: {self._shown(rule)}"
        return self._with_rules("move", (number, to), change, rules)

    def pin(self, number: int) -> "Editor":
        """Mark a rule as pinned: neither simplification nor an edit changes it."""
        return self._marked("pin", number, pinned=True)

    def unpin(self, number: int) -> "Editor":
        """Remove the mark that a rule is pinned."""
        return self._marked("unpin", number, pinned=False)

    def rename(self, number: int, name: str) -> "Editor":
        """Give a rule a name, or with an empty one take it away."""
        rule = self._rule(number)
        change = f"rule {number} is now called {name!r}" if name else f"rule {number} no longer has a name"
        return self._with_notes("rename", (number, name), change, number, replace(rule, name=name))

    def set_default(self, action: str, certainty: float | None = None) -> "Editor":
        """Set the action that is taken where no rule holds, and with it its certainty (by default as it is)."""
        before = self.ruleset
        arguments: tuple[Argument, ...] = (action,) if certainty is None else (action, certainty)
        after = before.replace(
            default=action, default_certainty=before.default_certainty if certainty is None else certainty
        )
        change = f"the default: {_default_text(before)} becomes {_default_text(after)}"
        return self._with("set_default", arguments, change, after)

    def replace_condition(self, number: int, condition: int, by: Condition | str) -> "Editor":
        """Replace a condition of a rule, both given by number."""
        rule, new = self._free_rule(number), self._read_condition(by)
        old = _numbered(rule.conditions, condition, "condition", f"rule {number}")
        change = f"rule {number}, condition {condition}: {self._printed(old)} becomes {self._printed(new)}"
        conditions = _put(rule.conditions, condition, new)
        return self._with_conditions(
            "replace_condition", (number, condition, self._printed(new)), change, rule, conditions
        )

    def add_condition(self, number: int, condition: Condition | str) -> "Editor":
        """Add a condition to a rule, after the others."""
        rule, new = self._free_rule(number), self._read_condition(condition)
        change = f"rule {number}: condition added: {self._printed(new)}"
        conditions = (*rule.conditions, new)
        return self._with_conditions("add_condition", (number, self._printed(new)), change, rule, conditions)

    def drop_condition(self, number: int, condition: int) -> "Editor":
        """Remove a condition of a rule, both given by number."""
        rule = self._free_rule(number)
        old = _numbered(rule.conditions, condition, "condition", f"rule {number}")
        if len(rule.conditions) == 1:
            raise RuleError(f"rule {number} has no other condition; drop the rule, or set the default to its action")
        change = f"rule {number}: condition removed: {self._printed(old)}"
        conditions = (*rule.conditions[: condition - 1], *rule.conditions[condition:])
        return self._with_conditions("drop_condition", (number, condition), change, rule, conditions)

    def rewrite(self, rules: RuleSet | str) -> "Editor":
        """Replace the whole rule set, as after editing its text; pinned rules must still be there, in their order.

        Text that declares no features is about those of the schema.
        """
        before = self.ruleset
        after = self._read_text(rules) if isinstance(rules, str) else rules
        _check_pinned(before, after)
        change = difference(self.done(), after) or "nothing"
        return self._with("rewrite", (str(after),), change, after)

    def apply(self, operation: str, *arguments: Argument) -> "Editor":
        """Make an edit given by its name and arguments, as a `Step` has them: what a log or a form hands over."""
        if operation not in OPERATIONS:
            raise RuleError(f"unknown edit {operation!r}{did_you_mean(operation, OPERATIONS)}")
        try:
            return OPERATIONS[operation](self, *arguments)
        except TypeError:
            raise RuleError(f"{operation} does not take the arguments {arguments!r}") from None

    def __str__(self) -> str:
        edits = "\n".join(f"- {change}" for change in self.changes) or "- no edits yet"
        return f"{self.ruleset.to_text('aligned', declarations=False)}\n{edits}"

    def _rule(self, number: int) -> Rule:
        return _numbered(self.ruleset.rules, number, "rule", "the rule set")

    def _free_rule(self, number: int) -> Rule:
        """Return a rule that may be changed."""
        rule = self._rule(number)
        if rule.pinned:
            raise RuleError(f"rule {number} is pinned: {self._shown(replace(rule, pinned=False))}; unpin it first")
        return rule

    def _read_rule(self, rule: Rule | str) -> Rule:
        return rule if isinstance(rule, Rule) else parse_rule(rule, self.schema)

    def _read_condition(self, condition: Condition | str) -> Condition:
        return condition if isinstance(condition, Condition) else parse_condition(condition, self.schema)

    def _read_text(self, text: str) -> RuleSet:
        return parse(text) if _DECLARATIONS.search(text) else parse(text, self.schema, mode=self.ruleset.mode)

    def _shown(self, rule: Rule) -> str:
        return print_rule(rule, self.schema)

    def _printed(self, condition: Condition) -> str:
        return print_condition(condition, self.schema)

    def _marked(self, operation: str, number: int, *, pinned: bool) -> "Editor":
        rule = self._rule(number)
        change = (
            f"rule {number} is {'now' if pinned else 'no longer'} pinned: {self._shown(replace(rule, pinned=False))}"
        )
        return self._with_notes(operation, (number,), change, number, replace(rule, pinned=pinned))

    def _with_conditions(
        self,
        operation: str,
        arguments: tuple[Argument, ...],
        change: str,
        rule: Rule,
        conditions: Iterable[Condition],
    ) -> "Editor":
        number = int(arguments[0])
        edited = _put(self.ruleset.rules, number, replace(rule, conditions=tuple(conditions)))
        return self._with_rules(operation, arguments, change, edited)

    def _with_notes(
        self, operation: str, arguments: tuple[Argument, ...], change: str, number: int, rule: Rule
    ) -> "Editor":
        """Change what decides nothing, so that track records stay."""
        before = self.ruleset
        after = before.replace(rules=_put(before.rules, number, rule), records=before.records)
        return self._with(operation, arguments, change, after)

    def _with_rules(
        self, operation: str, arguments: tuple[Argument, ...], change: str, rules: Iterable[Rule]
    ) -> "Editor":
        return self._with(operation, arguments, change, self.ruleset.replace(rules=tuple(rules)))

    def _with(self, operation: str, arguments: tuple[Argument, ...], change: str, after: RuleSet) -> "Editor":
        if after == self.ruleset:
            raise NoChangeError(f"{operation} changes nothing: the rules are so already")
        step = Step(operation, arguments, change, self.ruleset, after)
        return replace(self, steps=(*self.steps, step))


OPERATIONS: Mapping[str, Callable[..., Editor]] = {
    method.__name__: method
    for method in (
        Editor.replace,
        Editor.add,
        Editor.insert,
        Editor.drop,
        Editor.move,
        Editor.pin,
        Editor.unpin,
        Editor.rename,
        Editor.set_default,
        Editor.replace_condition,
        Editor.add_condition,
        Editor.drop_condition,
        Editor.rewrite,
    )
}
"""The edits by name."""


def edit(rules: Any, schema: Schema | None = None) -> Editor:
    r"""Begin to edit a rule set, which may also be text, the path of a rule file, or a fitted estimator.

    Parameters
    ----------
    rules : RuleSet, str, path or fitted estimator
        What to edit. It stays as it is: edits make new rule sets.
    schema : Schema or None, default=None
        What new rules may read. None is the rule set's own schema, or for an estimator all features of its training
        data, though its rules read only some of them.

    Returns
    -------
    Editor
        Has a method for each kind of edit, `undo`, and `done` for the result.

    Examples
    --------
    >>> import evoter
    >>> rules = evoter.parse('''
    ... age > 60 -> high
    ... bmi > 30 -> high
    ... Default -> low
    ... ''')
    >>> editor = evoter.edit(rules).replace(1, "age > 65 -> high").move(2, 1).pin(1)
    >>> print(*editor.changes, sep="\n")
    rule 1: age > 60 -> high becomes age > 65 -> high
    rule 2 becomes rule 1: bmi > 30 -> high
    rule 1 is now pinned: bmi > 30 -> high
    >>> print(editor.undo().done().to_text(declarations=False))
    1. bmi > 30 -> high
    2. age > 65 -> high
    3. Default -> low
    >>> editor.drop(1)
    Traceback (most recent call last):
    evoter.rules.errors.RuleError: rule 1 is pinned: bmi > 30 -> high; unpin it first
    """
    fitted = getattr(rules, "ruleset_", None)
    original = fitted if isinstance(fitted, RuleSet) else _read(rules)
    if schema is None:
        known = getattr(rules, "schema_", None)
        schema = _wider(original.schema, known) if isinstance(known, Schema) else original.schema
    return Editor(original, _over(original, schema).schema)


def _read(rules: Rules) -> RuleSet:
    if not isinstance(rules, RuleSet | str | os.PathLike):
        kind = type(rules).__name__
        raise TypeError(f"edit takes a rule set, rule text, a path or a fitted estimator, not {kind}: call fit first")
    return read_ruleset(rules)


def _wider(own: Schema, known: Schema) -> Schema:
    """Return a schema with all known features, of which the rule set's own stay as they are."""
    features = [own.feature(each.name) if each.name in own else each for each in known.features]
    return own.over(features, max(own.max_lag, known.max_lag))


def _over(ruleset: RuleSet, schema: Schema) -> RuleSet:
    return ruleset if ruleset.schema == schema else ruleset.replace(schema=schema)


def _numbered(items: tuple[_Item, ...], number: int, what: str, where: str) -> _Item:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(items):
        have = f"it has {what}s 1 to {len(items)}" if items else f"it has no {what}s"
        default = ", and the default is changed by set_default" if what == "rule" and number == len(items) + 1 else ""
        raise RuleError(f"{where} has no {what} {number!r}; {have}{default}")
    return items[number - 1]


def _put(items: tuple[_Item, ...], number: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[: number - 1], item, *items[number:])


def _default_text(ruleset: RuleSet) -> str:
    return joined(render(default_pieces(ruleset), ASCII))


def _check_pinned(before: RuleSet, after: RuleSet) -> None:
    """Refuse a rule set that lacks a pinned rule, or has it in another order; it may have lost its mark."""
    left = [replace(rule, pinned=True, name="") for rule in after.rules]
    for number, rule in enumerate(before.rules, start=1):
        if rule.pinned:
            same = replace(rule, name="")
            if same not in left:
                shown = print_rule(replace(rule, pinned=False), before.schema)
                raise RuleError(f"rule {number} is pinned, and was changed, moved or removed: {shown}; unpin it first")
            del left[: left.index(same) + 1]
