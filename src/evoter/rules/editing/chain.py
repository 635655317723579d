"""What all logs have in common: links with the hash of the one before, the form that is hashed, and who wrote when."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from evoter.rules.errors import RuleError
from evoter.rules.files.document import refuse

NO_ENTRY = "0" * 64
"""What the first link has for the hash of the one before it."""

MAX_TEXT = 10_000
"""The longest reason or name of an author."""

MAX_LINKS = 10**9
_HEX = frozenset("0123456789abcdef")


class Link(Protocol):
    """One entry of a log: its number from 1, the hash of the one before it, and its own."""

    @property
    def number(self) -> int:
        """The number, from 1."""

    @property
    def previous(self) -> str:
        """The hash of the one before it."""

    @property
    def hash(self) -> str:
        """Its own hash."""

    def line(self) -> bytes:
        """Return the entry in the form in which it is written."""

    def own_hash(self) -> str:
        """Return the hash of what it holds."""


@dataclass(frozen=True, slots=True)
class Break:
    """Where a chain is broken: the line, and what is wrong there."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def check_link(entry: Link, line: bytes, number: int, head: str) -> None:
    """Refuse an entry that was changed, that is not written as entries are, or that does not follow the one before."""
    own = entry.own_hash()
    if entry.hash != own:
        raise RuleError(f"entry {entry.number} was changed: its content has the hash {own}, and it says {entry.hash}")
    if entry.line() != line:
        raise RuleError(f"entry {entry.number} was written anew: it is not in the form in which entries are written")
    if entry.number != number:
        raise RuleError(f"entry {number} should be here, and entry {entry.number} is: entries were removed or moved")
    if entry.previous != head:
        what = "the hash before the first entry" if number == 1 else f"the hash of entry {number - 1}"
        raise RuleError(
            f"entry {number} does not follow: it names {entry.previous} and {what} is {head}: an entry was exchanged"
        )


def content_hash(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON in the one form that is hashed.

    >>> content_hash({"b": 1, "a": 2}) == content_hash({"a": 2, "b": 1})
    True
    """
    return hashlib.sha256(canonical(content)).hexdigest()


def canonical(content: Mapping[str, Any]) -> bytes:
    """Return JSON in the one form that is hashed: keys in order, no spaces.

    >>> canonical({"b": 1, "a": [2, "é"]}).decode()
    '{"a":[2,"é"],"b":1}'
    """
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (TypeError, ValueError, RecursionError):
        what = "infinite numbers, half of a character, or a key twice"
        raise RuleError(f"the entry holds what JSON cannot: {what}") from None


def stamp(when: datetime | None = None) -> str:
    """Return a time, by default the present one, as entries have it.

    >>> stamp(datetime(2026, 11, 18, 9, 30, tzinfo=UTC))
    '2026-11-18T09:30:00Z'
    """
    return (when or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def checked_text(what: str, text: str) -> str:
    """Return a reason or the name of an author without spaces around it; refuse one that is empty or too long."""
    stripped = text.strip()
    if not stripped:
        needed = {"reason": "an edit needs a reason; say in a sentence why, for the log"}
        raise RuleError(needed.get(what, f"the log needs {'an' if what[0] in 'aeiou' else 'a'} {what}"))
    if len(stripped) > MAX_TEXT:
        raise RuleError(f"the {what} has {len(stripped):,} characters, more than {MAX_TEXT:,}; shorten it")
    return stripped


def read_text(value: object, path: str) -> str:
    """Read text."""
    if not isinstance(value, str):
        refuse(value, path, "text")
    return value


def read_hash(value: object, path: str) -> str:
    """Read a SHA-256."""
    text = read_text(value, path)
    if len(text) != len(NO_ENTRY) or not _HEX.issuperset(text):
        refuse(value, path, "a SHA-256 in hexadecimal digits")
    return text
