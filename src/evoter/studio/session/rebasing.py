"""Edits of one version made on another: each is applied to the rule that was meant, or refused with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evoter.rules.editing.editor import Argument, Editor, NoChangeError, edit
from evoter.rules.errors import RuleError
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Schema
from evoter.rules.text import print_rule
from evoter.studio.answers.cards import EditedRules
from evoter.studio.errors import StudioError
from evoter.studio.session.editing import make_edit

_MARKS = ("pin", "unpin", "rename", "move", "switch_off", "switch_on")
"""Edits of a rule that do not change what it says."""

_NEW = 1_000_000
"""More than a rule set has rules: from its multiples on, the rules that edits add are numbered."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit that cannot be applied to the other version: its index, what it would have changed, and why not."""

    edit: int
    change: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {"edit": self.edit, "change": self.change, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class RebasedEdits:
    """Edits as the other version needs them, those that it refuses, and how many are in it already."""

    edits: tuple[tuple[str, tuple[Argument, ...]], ...]
    refused: tuple[Refusal, ...]
    n_made_already: int


class _UnclearError(RuleError):
    """Nothing in the other version is what an edit was about."""


@dataclass(slots=True)
class _Side:
    """One of the two versions while the edits are made on it; `ids` tell its rules apart whatever their numbers are."""

    editor: Editor
    off: frozenset[int]
    ids: list[int]

    def identity(self, number: int) -> int:
        """Return the identity of the rule that has a number."""
        if not 1 <= number <= len(self.ids):
            raise _UnclearError(f"there is no rule {number}: there are {len(self.ids)}")
        return self.ids[number - 1]

    def make(self, operation: str, arguments: Sequence[Argument], new: int) -> str:
        """Make an edit; rules that it adds get identities from `new` on. Return what changed."""
        self.editor, self.off, step = make_edit(self.editor, self.off, operation, arguments)
        match step.operation, step.arguments:
            case "add", _:
                self.ids.append(new)
            case "insert", (int(number), *_):
                self.ids.insert(number - 1, new)
            case "drop", (int(number), *_):
                del self.ids[number - 1]
            case "move", (int(number), int(to)):
                self.ids.insert(to - 1, self.ids.pop(number - 1))
            case "rewrite", _:
                self.ids = [new + at for at in range(len(self.editor.ruleset.rules))]
        return step.change


@dataclass(slots=True)
class _Rebasing:
    mine: _Side
    theirs: _Side
    version: int
    unusable: dict[int, str] = field(default_factory=dict)
    alike: set[int] = field(default_factory=set)
    """Rules of which both versions have made the same."""
    same_default: bool = False
    """Whether both have changed the default to the same."""

    def translated(self, operation: str, arguments: Sequence[Argument]) -> tuple[Argument, ...] | None:
        """Return the arguments of an edit for the other version; None if both have made the same of its rule."""
        if operation == "rewrite":
            raise _UnclearError(f"it replaces all rules, and version {self.version} has others")
        if operation == "set_default":
            if self.same_default:
                return None
            if self.mine.editor.original.default != self.theirs.editor.original.default:
                raise _UnclearError(f"version {self.version} has another default too")
            return tuple(arguments)
        if operation == "add" or not arguments or not isinstance(number := arguments[0], int):
            return tuple(arguments)
        if operation == "insert":
            return (self._position(self.mine.ids, number), *arguments[1:])
        identity = self.mine.identity(number)
        if identity in self.alike and (operation not in _MARKS or identity not in self.theirs.ids):
            return None
        here = self._number(number)
        if operation != "move" or not isinstance(to := arguments[1], int):
            return (here, *arguments[1:])
        # A rule keeps its neighbour: the numbers of the others may be different ones in the other version.
        moved = self.mine.identity(number)
        others = [each for each in self.mine.ids if each != moved]
        position = self._position(others, to, without=moved)
        return (here, position)

    def _number(self, number: int) -> int:
        """Return the number, in the other version, of the rule that has a number in mine."""
        identity = self.mine.identity(number)
        if identity in self.unusable:
            raise _UnclearError(self.unusable[identity])
        if identity not in self.theirs.ids:
            raise _UnclearError("it needs an earlier edit that cannot be applied")
        return self.theirs.ids.index(identity) + 1

    def _position(self, ids: list[int], number: int, without: int | None = None) -> int:
        """Return the number that a rule gets which is to have this number among `ids`."""
        there = [each for each in self.theirs.ids if each != without]
        if number <= 1:
            return 1
        if number > len(ids):
            return len(there) + 1
        before, after = ids[number - 2], ids[number - 1]
        if before in there:
            return there.index(before) + 2
        if after in there:
            return there.index(after) + 1
        raise _UnclearError(f"the rules around its place are no longer in version {self.version}")


def rebase_edits(
    base: tuple[EditedRules, Schema],
    onto: tuple[EditedRules, Schema],
    version: int,
    edits: Sequence[tuple[str, Sequence[Argument]]],
) -> RebasedEdits:
    """Return edits that were made on `base` as `onto` needs them, where rules may have other numbers.

    A rule is recognised by what it says. An edit of a rule that says something else in `onto`, or is not there, is
    refused, and so is every later edit of the same rule; no edit is applied to another rule. Where both have made the
    same of a rule or of the default, there is nothing left to do.

    >>> from evoter.rules.parser import parse
    >>> mine, theirs = parse("a > 1 -> x; b > 1 -> x; Default -> y"), parse("b > 1 -> x; Default -> y")
    >>> sides = [(EditedRules(each), mine.schema) for each in (mine, theirs)]
    >>> found = rebase_edits(*sides, 2, [("pin", [2]), ("rename", [1, "first"])])
    >>> found.edits, [each.reason for each in found.refused]
    ((('pin', (1,)),), ['a > 1 -> x was changed or removed in version 2'])
    """
    mine = _Side(edit(base[0].ruleset, base[1]), base[0].off, list(range(len(base[0].ruleset.rules))))
    found = _recognised(base[0].ruleset, onto[0].ruleset)
    theirs = _Side(edit(onto[0].ruleset, onto[1]), onto[0].off, [-1 - at for at in range(len(onto[0].ruleset.rules))])
    work = _Rebasing(mine, theirs, version)
    for identity, rule in enumerate(base[0].ruleset.rules):
        if identity in found:
            theirs.ids[found[identity]] = identity
        else:
            said = print_rule(replace(rule, pinned=False), base[0].ruleset.schema)
            work.unusable[identity] = f"{said} was changed or removed in version {version}"
    _recognise_alike(work, replace(mine, ids=list(mine.ids)), edits)
    rebased: list[tuple[str, tuple[Argument, ...]]] = []
    refused: list[Refusal] = []
    for index, (operation, arguments) in enumerate(edits):
        new = _NEW * (index + 1)
        about, reason, here = None, "", None
        try:
            about = _about(mine, operation, arguments, new)
            here = work.translated(operation, arguments)
        except _UnclearError as error:
            reason = str(error)
        try:
            change = mine.make(operation, arguments, new)
        except RuleError as error:
            raise StudioError.about_rule(error, edit=index) from None
        if here is None and not reason:
            continue
        if here is not None:
            try:
                theirs.make(operation, here, new)
                rebased.append((operation, here))
                continue
            except NoChangeError:
                continue  # they have made the same edit
            except RuleError as error:
                reason = str(error)
        refused.append(Refusal(index, change, reason))
        if about is not None and operation != "move":
            work.unusable.setdefault(about, "an earlier edit of the same rule cannot be applied")
    return RebasedEdits(tuple(rebased), tuple(refused), len(edits) - len(rebased) - len(refused))


def _recognise_alike(work: _Rebasing, mine: _Side, edits: Sequence[tuple[str, Sequence[Argument]]]) -> None:
    """Recognise the rules and the default of which both versions have made the same, after all edits of mine."""
    if any(operation == "rewrite" for operation, _ in edits):
        return
    for index, (operation, arguments) in enumerate(edits):
        try:
            mine.make(operation, arguments, _NEW * (index + 1))
        except RuleError:
            return  # it is reported when the edits are rebased
    before, after = mine.editor.original, work.theirs.editor.original
    defaults = [(each.default, each.default_certainty) for each in (before, after, mine.editor.ruleset)]
    work.same_default = defaults[0] != defaults[1] == defaults[2]
    others = {_saying(rule): at for at, rule in enumerate(after.rules) if work.theirs.ids[at] < 0}
    changed = {each: mine.editor.ruleset.rules[mine.ids.index(each)] for each in work.unusable if each in mine.ids}
    found = {identity: others.pop(_saying(rule)) for identity, rule in changed.items() if _saying(rule) in others}
    for identity, at in found.items():
        work.theirs.ids[at] = identity
    # Where the other version has a rule that is not recognised, that may be what has become of one removed here.
    removed = {each for each in work.unusable if each not in mine.ids} if not others else set()
    work.alike = removed.union(found)
    work.unusable = {each: reason for each, reason in work.unusable.items() if each not in work.alike}


def _about(side: _Side, operation: str, arguments: Sequence[Argument], new: int) -> int | None:
    """Return the identity of the rule that an edit is about; None if it is about all of them or the default."""
    if operation in ("add", "insert"):
        return new
    if operation in ("rewrite", "set_default") or not arguments or not isinstance(number := arguments[0], int):
        return None
    return side.identity(number)


def _recognised(before: RuleSet, after: RuleSet) -> dict[int, int]:
    """Return where rules that say the same are: by the index before, the index after."""
    left = list(enumerate(_saying(rule) for rule in after.rules))
    found = {}
    for index, rule in enumerate(before.rules):
        same = next((each for each in left if each[1] == _saying(rule)), None)
        if same is not None:
            found[index] = same[0]
            left.remove(same)
    return found


def _saying(rule: Rule) -> Rule:
    """Return what a rule decides and when, without a person's notes."""
    return replace(rule, name="", pinned=False)
