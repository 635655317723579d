"""The state of a project as its records tell it: versions, the current one, split, guardrails, openings, signatures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evoter.rules.editing.chain import NO_ENTRY
from evoter.rules.errors import RuleError
from evoter.studio.project.contents import (
    Setup,
    SignOff,
    TestOpening,
    Version,
    read_columns,
    read_favourable,
    read_guardrails,
    read_move,
    read_opening,
    read_setup,
    read_sign_off,
    read_version,
)
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.records import Record, RecordKind
from evoter.studio.project.rows import Split, read_split


@dataclass(slots=True)
class State:
    """What the records so far amount to.

    `latest` has, for each version, the child through which one last came to a current version: where redo leads.
    """

    records: list[Record] = field(default_factory=list)
    setup: Setup | None = None
    versions: list[Version] = field(default_factory=list)
    current: Version | None = None
    latest: dict[int, int] = field(default_factory=dict)
    split: Split | None = None
    guardrails: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    favourable: str | None = None
    openings: list[TestOpening] = field(default_factory=list)
    sign_offs: list[SignOff] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The hash of the last record."""
        return self.records[-1].hash if self.records else NO_ENTRY

    def copy(self) -> "State":
        """Return the same state, which later records do not change."""
        return replace(
            self,
            records=[*self.records],
            versions=[*self.versions],
            latest={**self.latest},
            openings=[*self.openings],
            sign_offs=[*self.sign_offs],
        )

    def version(self, number: int) -> Version:
        """Return a version by number."""
        if not 1 <= number <= len(self.versions):
            have = f"the versions are 1 to {len(self.versions)}" if self.versions else "there are no versions yet"
            raise ProjectError(f"there is no version {number}; {have}")
        return self.versions[number - 1]

    @property
    def redo_target(self) -> Version | None:
        """The version that redo leads to."""
        child = self.latest.get(self.current.number) if self.current else None
        return self.version(child) if child is not None else None

    @property
    def undo_target(self) -> Version | None:
        """The version that undo leads to."""
        return self.version(self.current.parent) if self.current and self.current.parent is not None else None

    def read(self, record: Record) -> object:
        """Return what a record holds, as `take` needs it; refuse one that does not fit the records before it."""
        try:
            return self._read(record)
        except RuleError as error:
            raise ProjectError(f"entry {record.number} makes no sense: {error}") from None

    def take(self, record: Record, held: object) -> None:
        """Add a record and what `read` returned for it."""
        match held:
            case Setup():
                self.setup = held
            case Split():
                self.split = held
            case Version():
                if record.kind is RecordKind.VERSION:
                    self.versions.append(held)
                self._move(held)
            case TestOpening():
                self.openings.append(held)
            case SignOff():
                self.sign_offs.append(held)
            case str():
                self.favourable = held
            case dict() if record.kind is RecordKind.COLUMNS:
                self.columns = held
            case dict():
                self.guardrails = held
        self.records.append(record)

    def _read(self, record: Record) -> object:
        if (record.kind is RecordKind.BEGIN) != (not self.records):
            raise ProjectError("a project begins with its set-up, and only once")
        content = record.content
        match record.kind:
            case RecordKind.BEGIN:
                return read_setup(content)
            case RecordKind.SPLIT:
                if self.split is not None:
                    raise ProjectError("the rows are divided already, and stay so: begin a new project to divide anew")
                return read_split(content)
            case RecordKind.COLUMNS | RecordKind.GUARDRAILS | RecordKind.FAVOURABLE as kind:
                return _SETTINGS[kind](content)
            case RecordKind.VERSION:
                version = read_version(record)
                _check_number("version", version.number, len(self.versions))
                if version.parent is not None:
                    self.version(version.parent)
                return version
            case RecordKind.MOVE:
                return self.version(read_move(content))
            case RecordKind.TEST_OPENING:
                opening = read_opening(record)
                _check_number("opening", opening.number, len(self.openings))
                self.version(opening.version)
                return opening
            case RecordKind.SIGN_OFF:
                return self._read_sign_off(record)

    def _read_sign_off(self, record: Record) -> SignOff:
        signed = read_sign_off(record)
        _check_number("signature", signed.number, len(self.sign_offs))
        if signed.sha256 != self.version(signed.version).sha256:
            raise ProjectError(f"the signature names other rules than those of version {signed.version}")
        if signed.opening is not None:
            if signed.opening > len(self.openings):
                raise ProjectError(
                    f"it names opening {signed.opening} of the test rows, and there were {len(self.openings)}"
                )
            if self.openings[signed.opening - 1].version != signed.version:
                raise ProjectError(f"opening {signed.opening} of the test rows was not of version {signed.version}")
        return signed

    def _move(self, to: Version) -> None:
        """Make a version the current one; redo leads to it from all its ancestors."""
        before, self.current = self.current, to
        if before is not None and before.parent == to.number:
            return  # undo, which redo takes back
        child = to
        while child.parent is not None:
            self.latest[child.parent] = child.number
            if before is not None and child.parent == before.number:
                break  # to where redo leads from the earlier ones already
            child = self.version(child.parent)


_SETTINGS: Mapping[RecordKind, Callable[[Mapping[str, Any]], object]] = {
    RecordKind.COLUMNS: read_columns,
    RecordKind.GUARDRAILS: read_guardrails,
    RecordKind.FAVOURABLE: read_favourable,
}
"""How records are read that replace what an earlier one of their kind said."""


def _check_number(what: str, number: int, n_before: int) -> None:
    if number != n_before + 1:
        raise ProjectError(f"{what} {n_before + 1} should be here, and it is number {number}")
