"""Whether the log of a rule file is whole, and whether the file is as the log says."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evoter.rules.editing.chain import Link
from evoter.rules.editing.difference import difference
from evoter.rules.editing.log import Log
from evoter.rules.editing.logged_rules import LoggedRules, State, log_path
from evoter.rules.errors import RuleError

LEAST_DIGITS = 12
"""The fewest digits of a hash that stand for all of them."""

_SHOWN = 5
"""The most lines of a difference that a finding shows."""


@dataclass(frozen=True, slots=True)
class LogFinding:
    """The result of one test: whether it passed, what it is about, and what was found."""

    passed: bool
    about: str
    message: str


@dataclass(frozen=True, slots=True)
class Verification:
    """A rule file against its log: all findings, the state of the file, and the log as far as it is whole."""

    state: State
    log: Log
    findings: tuple[LogFinding, ...]

    @property
    def passed(self) -> bool:
        """Whether all tests passed."""
        return all(finding.passed for finding in self.findings)


def verify(path: str | os.PathLike[str], head: str | None = None) -> Verification:
    """Check the chain of the log beside a rule file, and the file against the last entry.

    `head` is the hash of an entry, or its first 12 digits or more, that was noted elsewhere and must be in the chain:
    without it, nobody can tell whether the whole log was written anew or its end cut off together with the edits.

    >>> from tempfile import TemporaryDirectory
    >>> import evoter
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rules.json"
    ...     evoter.save(evoter.parse("age > 60 -> old; Default -> young"), path)
    ...     print(verify(path).findings[0].message)
    there is no rules.json.log: nothing is known about edits of these rules
    """
    place = Path(path).expanduser()
    opened = LoggedRules.open(place)
    findings = [*_about_chain(place, opened.log), *_about_rules(opened)]
    if head is not None:
        findings.append(about_head(head, opened.log.entries))
    return Verification(opened.state, opened.log, tuple(findings))


def _about_chain(path: Path, log: Log) -> Iterator[LogFinding]:
    name, n_entries = log_path(path).name, len(log.entries)
    if log.broken is not None:
        whole = f"; entries 1 to {n_entries} before it are whole" if n_entries > 1 else "; entry 1 before it is whole"
        yield LogFinding(False, "chain", f"{name} is broken at {log.broken}{whole if n_entries else ''}")
        return
    if not n_entries:
        yield LogFinding(False, "chain", f"there is no {name}: nothing is known about edits of these rules")
        return
    first, last = log.entries[0], log.entries[-1]
    counted = "1 entry" if n_entries == 1 else f"{n_entries} entries"
    yield LogFinding(True, "chain", f"{counted}, {first.time} to {last.time}, each with the hash of the one before")
    if log.n_torn:
        text = f"{log.n_torn} bytes after the last entry are an entry that was not finished; the next edit removes them"
        yield LogFinding(True, "chain", text)


def _about_rules(opened: LoggedRules) -> Iterator[LogFinding]:
    name, log, n_entries = opened.path.name, opened.log, len(opened.log.entries)
    state = opened.state
    match state:
        case State.BROKEN | State.NO_LOG:
            return
        case State.LOGGED:
            yield LogFinding(
                True, "rules", f"{name} is as entry {n_entries} says: SHA-256 {log.entries[-1].file_sha256}"
            )
        case State.UNWRITTEN:
            text = (
                f"{name} is as entry {n_entries - 1} says, and entry {n_entries} is in the log: that edit was "
                "interrupted, or the earlier file was put back"
            )
            yield LogFinding(False, "rules", text)
        case State.REFORMATTED:
            yield LogFinding(False, "rules", f"{name} was written anew outside the log, with the same rules")
        case State.UNREADABLE:
            yield LogFinding(
                False, "rules", f"{name} was changed outside the log, and cannot be read: {opened.problem}"
            )
        case State.CHANGED:
            yield LogFinding(False, "rules", f"{name} was changed outside the log, since entry {n_entries}")
            lines = difference(log.entries[-1].ruleset, opened.ruleset).splitlines() or ["figures from training"]
            more = [f"and {len(lines) - _SHOWN} more changes"] if len(lines) > _SHOWN else []
            for line in (*lines[:_SHOWN], *more):
                yield LogFinding(False, "outside", line)


def about_head(head: str, entries: Sequence[Link]) -> LogFinding:
    """Say whether a hash that was noted elsewhere is in a chain."""
    digits = head.strip().casefold()
    if len(digits) < LEAST_DIGITS:
        raise RuleError(f"{head!r} has fewer than {LEAST_DIGITS} digits; give more of the hash")
    for entry in entries:
        if entry.hash.startswith(digits):
            later = len(entries) - entry.number
            behind = "the last" if not later else f"with {later} after it"
            return LogFinding(True, "head", f"{digits} is entry {entry.number} of the chain, {behind}")
    return LogFinding(False, "head", f"{digits} is not in the chain: the log was written anew, cut, or is another one")
