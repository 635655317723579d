"""The log of edits: one line of JSON for each entry, which has the hash of the entry before it and its own."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any

from evoter.rules.editing.chain import (
    MAX_LINKS,
    NO_ENTRY,
    Break,
    canonical,
    check_link,
    content_hash,
    read_hash,
    read_text,
)
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.files.document import (
    Reader,
    check_keys,
    parse_document,
    read_choice,
    read_list,
    read_object,
    read_whole,
    refuse,
    shown,
)
from evoter.rules.json_codec import dumps, loads
from evoter.rules.model import RuleSet

FORMAT = "evoter-edit-log"
VERSION = 1


class EntryKind(StrEnum):
    """Why there is an entry: the log begins, rules were edited, an earlier version or an outside change was taken."""

    BEGIN = "begin"
    EDIT = "edit"
    RESTORE = "restore"
    ADOPT = "adopt"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: when, who, what and why, the rules after it, and the SHA-256 of their file.

    `steps` are the edits as lists of an operation and its arguments, `changes` the same in words, and `effect` what
    the edit changed on some rows, if they were at hand. `rules` is the JSON document of the rule set.
    """

    number: int
    time: str
    author: str
    kind: EntryKind
    reason: str
    changes: tuple[str, ...]
    rules: Mapping[str, Any]
    file_sha256: str
    steps: tuple[tuple[Any, ...], ...] = ()
    effect: Mapping[str, Any] = field(default_factory=dict)
    previous: str = NO_ENTRY
    hash: str = ""

    @property
    def ruleset(self) -> RuleSet:
        """The rules after this entry."""
        return loads(json.dumps(self.rules))

    def chained(self, previous: str) -> "Entry":
        """Return the entry with the hash of the one before it, and its own."""
        linked = replace(self, previous=previous)
        return replace(linked, hash=linked.own_hash())

    def own_hash(self) -> str:
        """Return the hash of what the entry holds."""
        return content_hash(_content(self))

    def line(self) -> bytes:
        """Return the line of the log."""
        return canonical(_content(self) | {"hash": self.hash}) + b"\n"


@dataclass(frozen=True, slots=True)
class Log:
    """The entries of a log up to where it is broken, if it is.

    `n_bytes` is the length of these entries; `n_torn` the length of what follows the last line break, which is what a
    crash leaves of an entry that was being written, and counts as nothing.
    """

    entries: tuple[Entry, ...] = ()
    broken: Break | None = None
    n_bytes: int = 0
    n_torn: int = 0

    @property
    def head(self) -> str:
        """The hash of the last entry, which stands for the whole chain."""
        return self.entries[-1].hash if self.entries else NO_ENTRY


def rules_document(ruleset: RuleSet) -> dict[str, Any]:
    """Return a rule set as an entry holds it."""
    document: dict[str, Any] = json.loads(dumps(ruleset, indent=None))
    return document


def make_log(entries: Iterable[Entry], after: str = NO_ENTRY) -> list[Entry]:
    """Return entries as a chain that goes on from a hash."""
    chain = []
    for entry in entries:
        chain.append(entry.chained(after))
        after = chain[-1].hash
    return chain


def parse_log(content: bytes) -> Log:
    """Read a log and check every link of its chain; nothing after the first broken one is believed."""
    *lines, torn = content.split(b"\n")
    entries: list[Entry] = []
    n_bytes = 0
    head = NO_ENTRY
    for number, line in enumerate(lines, start=1):
        try:
            entry = _read_entry(line)
            check_link(entry, line + b"\n", number, head)
        except RuleError as error:
            return Log(tuple(entries), Break(number, str(error)), n_bytes, len(torn))
        entries.append(entry)
        head = entry.hash
        n_bytes += len(line) + 1
    return Log(tuple(entries), None, n_bytes, len(torn))


def _content(entry: Entry) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "number": entry.number,
        "time": entry.time,
        "author": entry.author,
        "kind": entry.kind.value,
        "reason": entry.reason,
        "steps": [list(step) for step in entry.steps],
        "changes": list(entry.changes),
        "effect": dict(entry.effect),
        "rules": dict(entry.rules),
        "file_sha256": entry.file_sha256,
        "previous": entry.previous,
    }


def _read_entry(line: bytes) -> Entry:
    fields = read_object(parse_document(line), "")
    if fields.get("format") != FORMAT:
        raise RuleFileError(f'must be "{FORMAT}", not {shown(fields.get("format"))}', path="format")
    if fields.get("version") != VERSION:
        wanted = f"must be {VERSION}, not {shown(fields.get('version'))}; a newer evoter may have written it"
        raise RuleFileError(wanted, path="version")
    content = {key: value for key, value in fields.items() if key not in ("format", "version")}
    check_keys(content, "", tuple(_READERS), _READERS)
    entry = Entry(**{key: _READERS[key](value, key) for key, value in content.items()})
    try:
        assert entry.ruleset is not None
    except RuleError as error:
        raise RuleFileError(str(error), path="rules") from None
    return entry


def read_steps(value: object, path: str) -> tuple[tuple[Any, ...], ...]:
    """Read edits, each a list of an operation and its arguments."""
    return tuple(read_list(value, path, reader=_read_step))


def _read_step(value: object, path: str) -> tuple[Any, ...]:
    return tuple(read_list(value, path, reader=_read_scalar))


def _read_scalar(value: object, path: str) -> object:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        refuse(value, path, "text or a number")
    return value


_READERS: dict[str, Reader] = {
    "number": partial(read_whole, low=1, high=MAX_LINKS),
    "time": read_text,
    "author": read_text,
    "kind": partial(read_choice, choices=EntryKind),
    "reason": read_text,
    "steps": read_steps,
    "changes": lambda value, path: tuple(read_list(value, path, reader=read_text)),
    "effect": read_object,
    "rules": read_object,
    "file_sha256": read_hash,
    "previous": read_hash,
    "hash": read_hash,
}
