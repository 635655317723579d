"""What records hold: the set-up of a project, versions of its rules, openings of the test rows, and signatures."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from typing import Any

from evoter.rules.editing.chain import MAX_LINKS, read_hash, read_text
from evoter.rules.editing.log import read_steps, rules_document
from evoter.rules.files.document import Reader, read_choice, read_list, read_object, read_record, read_whole
from evoter.rules.json_codec import loads
from evoter.rules.model import RuleSet
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.records import Record

read_number_of = partial(read_whole, low=1, high=MAX_LINKS)


class Origin(StrEnum):
    """Where a version comes from."""

    BEGIN = "begin"
    EDIT = "edit"
    EVOLVE = "evolve"
    REPAIR = "repair"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a project is about: the column to predict, the table's name, protected columns, and the identifier."""

    target: str
    table: str = ""
    protected: tuple[str, ...] = ()
    identifier: str | None = None
    title: str = ""

    def document(self) -> dict[str, Any]:
        """Return the set-up as a record holds it."""
        return {
            "target": self.target,
            "table": self.table,
            "protected": list(self.protected),
            "identifier": self.identifier,
            "title": self.title,
        }


@dataclass(frozen=True)
class Version:
    """A version of the rules: its parent, who made it when and why, what changed, and the rules themselves.

    `off` are the numbers of rules that are switched off, `sha256` the hash of the file of all others, and `hash` that
    of the record.
    """

    number: int
    parent: int | None
    time: str
    author: str
    reason: str
    origin: Origin
    rules: Mapping[str, Any]
    off: tuple[int, ...]
    deciding: Mapping[str, Any] | None
    sha256: str
    steps: tuple[tuple[Any, ...], ...]
    changes: tuple[str, ...]
    effect: Mapping[str, Any]
    hash: str

    @cached_property
    def ruleset(self) -> RuleSet:
        """All rules, also those that are switched off."""
        return loads(json.dumps(self.rules))

    @cached_property
    def active(self) -> RuleSet:
        """The rules that decide, which are all but those that are switched off."""
        return self.ruleset if self.deciding is None else loads(json.dumps(self.deciding))

    def rule_file(self) -> bytes:
        """Return the file of the rules that decide; its SHA-256 is that of the version."""
        return _rule_file(self.rules if self.deciding is None else self.deciding)


@dataclass(frozen=True, slots=True)
class TestOpening:
    """One look at the test rows: of which version, by whom and why, and the figures that were shown."""

    number: int
    version: int
    time: str
    author: str
    reason: str
    figures: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class SignOff:
    """A signature: who vouches for which version, in which words, after which opening and with which report.

    `sha256` is that of the rule file, `proved` are the guardrails that were proved, and `unproved` those that the
    author accepted without a proof.
    """

    number: int
    version: int
    time: str
    author: str
    statement: str
    sha256: str
    opening: int | None
    report_sha256: str | None
    hash: str
    proved: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()


def version_document(
    number: int,
    parent: int | None,
    origin: Origin,
    ruleset: RuleSet,
    off: Sequence[int],
    steps: Sequence[Sequence[Any]],
    changes: Sequence[str],
    effect: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a version as a record holds it."""
    off = sorted({*off})
    deciding = rules_document(switched_off(ruleset, off)) if off else None
    rules = rules_document(ruleset)
    return {
        "number": number,
        "parent": parent,
        "origin": origin.value,
        "rules": rules,
        "off": off,
        "deciding": deciding,
        "sha256": hashlib.sha256(_rule_file(rules if deciding is None else deciding)).hexdigest(),
        "steps": [list(step) for step in steps],
        "changes": list(changes),
        "effect": dict(effect),
    }


def switched_off(ruleset: RuleSet, off: Sequence[int]) -> RuleSet:
    """Return the rules without those of some numbers.

    >>> from evoter.rules.parser import parse
    >>> print(
    ...     switched_off(parse("age > 60 -> old; age < 5 -> child; Default -> adult"), [1]).to_text(declarations=False)
    ... )
    1. age < 5 -> child
    2. Default -> adult
    """
    for number in off:
        if not 1 <= number <= len(ruleset.rules):
            raise ProjectError(f"there is no rule {number} to switch off; the rules are 1 to {len(ruleset.rules)}")
    left = [rule for number, rule in enumerate(ruleset.rules, start=1) if number not in off]
    return ruleset.replace(rules=tuple(left)) if off else ruleset


def _rule_file(document: Mapping[str, Any]) -> bytes:
    """Return a rule file that depends on nothing but its rules, so that later releases write the same bytes."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def read_setup(content: Mapping[str, Any]) -> Setup:
    """Read what `Setup.document` returned."""
    return Setup(**_read(content, _SETUP))


def read_version(record: Record) -> Version:
    """Read the version that a record holds."""
    fields = _read(record.content, _VERSION)
    return Version(time=record.time, author=record.author, reason=record.reason, hash=record.hash, **fields)


def read_opening(record: Record) -> TestOpening:
    """Read the opening of the test rows that a record holds."""
    fields = _read(record.content, _OPENING)
    return TestOpening(time=record.time, author=record.author, reason=record.reason, hash=record.hash, **fields)


def read_sign_off(record: Record) -> SignOff:
    """Read the signature that a record holds; the statement is the reason of the record."""
    required = [name for name in _SIGN_OFF if name not in ("proved", "unproved")]  # which early signatures lack
    fields: dict[str, Any] = read_record(record.content, "content", dict, _SIGN_OFF, required)
    return SignOff(time=record.time, author=record.author, statement=record.reason, hash=record.hash, **fields)


def read_columns(content: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Read the corrections of columns that a record holds."""
    columns: dict[str, dict[str, Any]] = _read(content, {"columns": _read_objects})["columns"]
    return columns


def read_guardrails(content: Mapping[str, Any]) -> dict[str, Any]:
    """Read the guardrails that a record holds, as a JSON object."""
    guardrails: dict[str, Any] = _read(content, {"guardrails": read_object, "changes": _read_texts})["guardrails"]
    return guardrails


def read_favourable(content: Mapping[str, Any]) -> str:
    """Read the favourable decision that a record holds."""
    action: str = _read(content, {"favourable": read_text})["favourable"]
    return action


def read_move(content: Mapping[str, Any]) -> int:
    """Read the version that a move leads to."""
    to: int = _read(content, {"to": read_number_of, "how": read_text})["to"]
    return to


def _read(content: Mapping[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
    return read_record(content, "content", dict, readers, readers)


def _or_none(reader: Reader) -> Reader:
    return lambda value, path: None if value is None else reader(value, path)


def _read_texts(value: object, path: str) -> tuple[str, ...]:
    return tuple(read_list(value, path, reader=read_text))


def _read_objects(value: object, path: str) -> dict[str, dict[str, object]]:
    return {name: read_object(each, f"{path}.{name}") for name, each in read_object(value, path).items()}


_SETUP: dict[str, Reader] = {
    "target": read_text,
    "table": read_text,
    "protected": _read_texts,
    "identifier": _or_none(read_text),
    "title": read_text,
}
_VERSION: dict[str, Reader] = {
    "number": read_number_of,
    "parent": _or_none(read_number_of),
    "origin": partial(read_choice, choices=Origin),
    "rules": read_object,
    "off": lambda value, path: tuple(read_list(value, path, reader=read_number_of)),
    "deciding": _or_none(read_object),
    "sha256": read_hash,
    "steps": read_steps,
    "changes": _read_texts,
    "effect": read_object,
}
_OPENING: dict[str, Reader] = {"number": read_number_of, "version": read_number_of, "figures": read_object}
_SIGN_OFF: dict[str, Reader] = {
    "number": read_number_of,
    "version": read_number_of,
    "sha256": read_hash,
    "opening": _or_none(read_number_of),
    "report_sha256": _or_none(read_hash),
    "proved": _read_texts,
    "unproved": _read_texts,
}
