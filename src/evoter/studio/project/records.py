"""The records of a project: what happened, who did it when and why, and the hash of the record before."""

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
    read_object,
    read_whole,
    shown,
)

FORMAT = "evoter-project"
VERSION = 1


class RecordKind(StrEnum):
    """What a record is about."""

    BEGIN = "begin"
    SPLIT = "split"
    COLUMNS = "columns"
    GUARDRAILS = "guardrails"
    FAVOURABLE = "favourable"
    VERSION = "version"
    MOVE = "move"
    TEST_OPENING = "test opening"
    SIGN_OFF = "sign-off"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: what its content means depends on its kind."""

    number: int
    time: str
    author: str
    kind: RecordKind
    reason: str
    content: Mapping[str, Any] = field(default_factory=dict)
    previous: str = NO_ENTRY
    hash: str = ""

    def chained(self, previous: str) -> "Record":
        """Return the record with the hash of the one before it, and its own."""
        linked = replace(self, previous=previous)
        return replace(linked, hash=linked.own_hash())

    def own_hash(self) -> str:
        """Return the hash of what the record holds."""
        return content_hash(self._fields())

    def line(self) -> bytes:
        """Return the record as the file holds it."""
        return canonical(self._fields() | {"hash": self.hash})

    def _fields(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "number": self.number,
            "time": self.time,
            "author": self.author,
            "kind": self.kind.value,
            "reason": self.reason,
            "content": dict(self.content),
            "previous": self.previous,
        }


@dataclass(frozen=True, slots=True)
class Chain:
    """The records of a file up to where their chain is broken, if it is."""

    records: tuple[Record, ...] = ()
    broken: Break | None = None

    @property
    def head(self) -> str:
        """The hash of the last record, which stands for all of them."""
        return self.records[-1].hash if self.records else NO_ENTRY


def parse_chain(lines: Iterable[bytes]) -> Chain:
    """Read records and check every link; nothing after the first broken one is believed."""
    records: list[Record] = []
    head = NO_ENTRY
    for number, line in enumerate(lines, start=1):
        try:
            record = _read_record(line)
            check_link(record, line, number, head)
        except RuleError as error:
            return Chain(tuple(records), Break(number, str(error)))
        records.append(record)
        head = record.hash
    return Chain(tuple(records))


def _read_record(line: bytes) -> Record:
    fields = read_object(parse_document(line), "")
    if fields.get("format") != FORMAT:
        raise RuleFileError(f'must be "{FORMAT}", not {shown(fields.get("format"))}', path="format")
    if fields.get("version") != VERSION:
        wanted = f"must be {VERSION}, not {shown(fields.get('version'))}; a newer evoter may have written it"
        raise RuleFileError(wanted, path="version")
    values = {key: value for key, value in fields.items() if key not in ("format", "version")}
    check_keys(values, "", tuple(_READERS), _READERS)
    return Record(**{key: _READERS[key](value, key) for key, value in values.items()})


_READERS: dict[str, Reader] = {
    "number": partial(read_whole, low=1, high=MAX_LINKS),
    "time": read_text,
    "author": read_text,
    "kind": partial(read_choice, choices=RecordKind),
    "reason": read_text,
    "content": read_object,
    "previous": read_hash,
    "hash": read_hash,
}
