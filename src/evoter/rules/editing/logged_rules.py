"""A rule file with the log of its edits beside it: opened, changed and verified together.

An edit is written so that a crash at any moment leaves both files consistent, or a state that is recognised: the draft
of the rule file is on disk first, then the entry is appended to the log and forced to disk, then the draft replaces the
rule file.
"""

import getpass
import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from evoter.rules.editing.chain import checked_text, stamp
from evoter.rules.editing.difference import difference
from evoter.rules.editing.editor import Step
from evoter.rules.editing.log import Entry, EntryKind, Log, make_log, parse_log, rules_document
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.files.document import MAX_FILE_BYTES, read_file
from evoter.rules.files.sources import is_leaf, parse_rules, rules_content
from evoter.rules.files.writing import FileInUseError, locked, sync_folder, write_all, write_files
from evoter.rules.model import RuleSet

LOG_SUFFIX = ".log"
_LOCK_SECONDS = 10.0
_LOCK_PAUSE = 0.05


class EditConflictError(RuleError):
    """The rule file or its log has changed since it was opened."""


class State(StrEnum):
    """How a rule file and its log belong together."""

    LOGGED = "logged"
    NO_LOG = "no log"
    BROKEN = "broken"
    UNWRITTEN = "unwritten"
    REFORMATTED = "reformatted"
    CHANGED = "changed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class LoggedRules:
    """A rule file and its log as they were when they were read.

    `problem` says why the file cannot be read, if it cannot; the rules are then those of the last entry.

    >>> from tempfile import TemporaryDirectory
    >>> import evoter
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rules.json"
    ...     evoter.save(evoter.parse("age > 60 -> old; Default -> young"), path)
    ...     opened = LoggedRules.open(path)
    ...     editor = evoter.edit(opened.ruleset).replace(1, "age > 65 -> old")
    ...     entry = opened.commit(editor.done(), reason="pensions start at 65", author="Ada", steps=editor.steps)
    ...     again = LoggedRules.open(path)
    >>> entry.number, again.state.value, again.log.head == entry.hash
    (2, 'logged', True)
    """

    path: Path
    ruleset: RuleSet
    file_sha256: str
    log: Log
    problem: str = ""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "LoggedRules":
        """Read a rule file and its log, if there is one; the log may be broken, and rules may have been changed."""
        place = Path(path).expanduser()
        opened = cls._read(place)
        if opened.state not in (State.LOGGED, State.NO_LOG):
            # Somebody may be writing both files just now, so look again when nobody is.
            with suppress(OSError), _lock(place):  # a folder that may not be written to has no writers of ours
                opened = cls._read(place)
        return opened

    @classmethod
    def _read(cls, place: Path) -> "LoggedRules":
        content = read_file(place)
        log = read_log(place)
        try:
            ruleset, problem = parse_rules(content), ""
        except (RuleError, UnicodeDecodeError) as error:
            if not log.entries:
                raise
            ruleset, problem = log.entries[-1].ruleset, str(error).partition("\n")[0]
        if not problem and is_leaf(content):
            raise RuleFileError(
                f"{place.name} is a rule file of leaf-common, which edits would turn into another format; convert it "
                f"first, with `evoter show {place.name} --as json`"
            )
        return cls(place, ruleset, _sha256(content), log, problem)

    @property
    def state(self) -> State:
        """How file and log belong together."""
        log = self.log
        if log.broken is not None:
            return State.BROKEN
        if not log.entries:
            return State.NO_LOG
        if self.file_sha256 == log.entries[-1].file_sha256:
            return State.LOGGED
        if len(log.entries) > 1 and self.file_sha256 == log.entries[-2].file_sha256:
            return State.UNWRITTEN
        if self.problem:
            return State.UNREADABLE
        logged = self.logged
        same = (self.ruleset, self.ruleset.records) == (logged, logged.records)
        return State.REFORMATTED if same else State.CHANGED

    def commit(
        self,
        ruleset: RuleSet,
        *,
        reason: str,
        author: str | None = None,
        steps: Sequence[Step] = (),
        effect: Mapping[str, Any] | None = None,
        kind: EntryKind = EntryKind.EDIT,
        when: datetime | None = None,
    ) -> Entry:
        """Write changed rules and an entry in the log; return the entry.

        The first commit also writes the entry that begins the log, with the rules as they were. Rules that were changed
        outside the log are taken with kind "adopt", and replaced by those of an earlier entry with kind "restore".

        Raises
        ------
        EditConflictError
            If somebody else has changed the rule file or its log since they were opened.
        RuleError
            Without a reason, if the log is broken, or if the rules were changed outside the log.
        """
        reason, author = checked_text("reason", reason), checked_text("author", author or login_name())
        self.check(kind)
        now = stamp(when)
        content = rules_content(ruleset, self.path).encode()
        adopted = kind is EntryKind.ADOPT
        beginning = self._beginning(now, author)
        entry = Entry(
            number=len(self.log.entries) + len(beginning) + 1,
            time=now,
            author=author,
            kind=kind,
            reason=reason,
            changes=tuple(step.change for step in steps) or tuple(difference(self.logged, ruleset).splitlines()),
            rules=rules_document(ruleset),
            file_sha256=self.file_sha256 if adopted else _sha256(content),
            steps=tuple((step.operation, *step.arguments) for step in steps),
            effect=effect or {},
        )
        chain = make_log([*beginning, entry], self.log.head)
        with _lock(self.path):
            self._check_unchanged()
            appending = _appended(self.path, self.log, chain)
            if adopted:
                with appending:
                    pass
            else:
                write_files({self.path: content}, replacing=appending)
        return chain[-1]

    @property
    def logged(self) -> RuleSet:
        """The rules as of the last entry, or those of the file if there is no log."""
        return self.log.entries[-1].ruleset if self.log.entries else self.ruleset

    def _beginning(self, now: str, author: str) -> list[Entry]:
        if self.log.entries:
            return []
        reason = "the rules as they were before the first edit"
        document = rules_document(self.ruleset)
        return [Entry(1, now, author, EntryKind.BEGIN, reason, (), document, self.file_sha256)]

    def check(self, kind: EntryKind = EntryKind.EDIT) -> None:
        """Refuse what `commit` would refuse in this state of file and log, before anybody takes the trouble to edit."""
        state, name = self.state, self.path.name
        if self.log.broken is not None:
            raise RuleError(
                f"the log of {name} is broken at {self.log.broken}; keep it as evidence under another name, and a new "
                "one begins"
            )
        if state is State.UNREADABLE and kind is not EntryKind.RESTORE:
            last = len(self.log.entries)
            raise RuleError(
                f"{name} cannot be read, {self.problem}; restore entry {last} (evoter edit --restore {last})"
            )
        if state in (State.CHANGED, State.REFORMATTED, State.UNWRITTEN) and kind is EntryKind.EDIT:
            raise RuleError(
                f"{name} is not as its log says; adopt it as it is (evoter edit --adopt), or restore entry "
                f"{len(self.log.entries)} of the log (evoter edit --restore {len(self.log.entries)})"
            )
        if kind is EntryKind.ADOPT and state in (State.LOGGED, State.NO_LOG):
            raise RuleError(f"{name} has no changes outside its log to adopt")

    def _check_unchanged(self) -> None:
        now = LoggedRules._read(self.path)
        if now.file_sha256 != self.file_sha256 or now.log.head != self.log.head:
            last = now.log.entries[-1] if now.log.entries else None
            by = f" by {last.author} ({last.reason})" if last and now.log.head != self.log.head else ""
            raise EditConflictError(f"{self.path.name} was changed{by} since it was opened; open it again")


def log_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of the log of a rule file.

    >>> log_path("credit.rules.json").name
    'credit.rules.json.log'
    """
    place = Path(path).expanduser()
    return place.with_name(place.name + LOG_SUFFIX)


def read_log(path: str | os.PathLike[str]) -> Log:
    """Read the log of a rule file; an empty one if there is none."""
    place = log_path(path)
    if not place.exists():
        return Log()
    content = read_file(place)
    if len(content) > MAX_FILE_BYTES:
        raise RuleFileError(_too_long(place))
    return parse_log(content)


def login_name() -> str:
    """Return the name of the user who is logged in; nothing vouches for it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, as in some containers
        return "unknown"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Lock a rule file, waiting for others who are writing it."""
    until = time.monotonic() + _LOCK_SECONDS
    while True:
        lock = locked(path)
        try:
            lock.__enter__()
            break
        except FileInUseError:
            if time.monotonic() > until:
                raise
            time.sleep(_LOCK_PAUSE)
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


@contextmanager
def _appended(rules: Path, log: Log, entries: Sequence[Entry]) -> Iterator[None]:
    """Append entries to the log of a rule file, on disk before the context begins.

    An error in the context takes them back, unless the rule file is already as the last of them says. What a crash left
    of an unfinished entry is cut off before.
    """
    path, lines = log_path(rules), b"".join(entry.line() for entry in entries)
    if log.n_bytes + len(lines) > MAX_FILE_BYTES:
        raise RuleFileError(_too_long(path))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            os.ftruncate(descriptor, log.n_bytes)
            write_all(descriptor, lines)
            os.fsync(descriptor)
            sync_folder(path.parent)
            yield
        except BaseException:
            if _sha256(read_file(rules)) != entries[-1].file_sha256:
                os.ftruncate(descriptor, log.n_bytes)
                os.fsync(descriptor)
            raise
    finally:
        os.close(descriptor)


def _too_long(path: Path) -> str:
    return f"{path.name} is longer than {MAX_FILE_BYTES:,} bytes; move it away, and a new one begins"
