"""The log of edits: one line of JSON for each entry, which has the hash of the entry before it and its own."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any

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
NO_ENTRY = "0" * 64
"""What the first entry has for the hash of the entry before it."""

MAX_TEXT = 10_000
"""The longest reason or name of an author."""

_MAX_ENTRIES = 10**9
_HEX = frozenset("0123456789abcdef")


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
        return replace(linked, hash=hashlib.sha256(_canonical(_content(linked))).hexdigest())

    def line(self) -> bytes:
        """Return the line of the log."""
        return _canonical(_content(self) | {"hash": self.hash}) + b"\n"


@dataclass(frozen=True, slots=True)
class Break:
    """Where a chain is broken: the line, and what is wrong there."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


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
            _check_link(entry, line, number, head)
        except RuleError as error:
            return Log(tuple(entries), Break(number, str(error)), n_bytes, len(torn))
        entries.append(entry)
        head = entry.hash
        n_bytes += len(line) + 1
    return Log(tuple(entries), None, n_bytes, len(torn))


def _check_link(entry: Entry, line: bytes, number: int, head: str) -> None:
    own = entry.chained(entry.previous).hash
    if entry.hash != own:
        raise RuleError(f"entry {entry.number} was changed: its content has the hash {own}, and it says {entry.hash}")
    if entry.line() != line + b"\n":
        raise RuleError(f"entry {entry.number} was written anew: it is not in the form in which entries are written")
    if entry.number != number:
        raise RuleError(f"entry {number} should be here, and entry {entry.number} is: entries were removed or moved")
    if entry.previous != head:
        what = "the hash before the first entry" if number == 1 else f"the hash of entry {number - 1}"
        raise RuleError(
            f"entry {number} does not follow: it names {entry.previous} and {what} is {head}: an entry was exchanged"
        )


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


def _canonical(content: Mapping[str, Any]) -> bytes:
    """Return JSON in the one form that is hashed."""
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (ValueError, RecursionError):
        raise RuleError("the entry holds what JSON cannot: infinite numbers or half of a character") from None


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


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        refuse(value, path, "text")
    return value


def _read_hash(value: object, path: str) -> str:
    text = _read_text(value, path)
    if len(text) != len(NO_ENTRY) or not _HEX.issuperset(text):
        refuse(value, path, "a SHA-256 in hexadecimal digits")
    return text


def _read_step(value: object, path: str) -> tuple[Any, ...]:
    return tuple(read_list(value, path, reader=_read_scalar))


def _read_scalar(value: object, path: str) -> object:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        refuse(value, path, "text or a number")
    return value


_READERS: dict[str, Reader] = {
    "number": partial(read_whole, low=1, high=_MAX_ENTRIES),
    "time": _read_text,
    "author": _read_text,
    "kind": partial(read_choice, choices=EntryKind),
    "reason": _read_text,
    "steps": lambda value, path: tuple(read_list(value, path, reader=_read_step)),
    "changes": lambda value, path: tuple(read_list(value, path, reader=_read_text)),
    "effect": read_object,
    "rules": read_object,
    "file_sha256": _read_hash,
    "previous": _read_hash,
    "hash": _read_hash,
}
