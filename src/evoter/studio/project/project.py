"""A project: rules with their history in one file, to which every change is added before it counts."""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evoter.rules.editing.chain import checked_text, stamp
from evoter.rules.editing.difference import difference
from evoter.rules.editing.editor import Step
from evoter.rules.editing.logged_rules import EditConflictError, login_name
from evoter.rules.files.writing import locked, write_file
from evoter.rules.model import RuleSet
from evoter.studio.project.contents import Origin, Setup, SignOff, TestOpening, Version, version_document
from evoter.studio.project.database import Database, serialized
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.importing import ImportOutcome, ImportPlan, plan_import
from evoter.studio.project.records import Chain, Record, RecordKind, parse_chain
from evoter.studio.project.rows import Split
from evoter.studio.project.state import State

_FIRST_RULES = "the rules as they were when the project began"


class Project:
    """A project file that is open; no other process can open it until it is closed.

    Every method that changes something returns when the change is on disk. All methods may be called from any thread.
    Authors are whoever they say they are; by default, the name of the user who is logged in.

    >>> from tempfile import TemporaryDirectory
    >>> import evoter
    >>> rules = evoter.parse("age > 60 -> old; Default -> young")
    >>> with TemporaryDirectory() as folder, Project.create(f"{folder}/age.evoter", Setup("group"), rules) as project:
    ...     editor = evoter.edit(rules).replace(1, "age > 65 -> old")
    ...     edited = project.add_version(editor.done(), parent=1, reason="pensions start at 65", steps=editor.steps)
    ...     print(edited.number, *edited.changes)
    ...     print(project.undo().number, project.redo().number, len(project.records))
    2 rule 1: age > 60 -> old becomes age > 65 -> old
    1 2 5
    """

    def __init__(self, path: Path, database: Database, state: State, resources: ExitStack) -> None:
        self.path = path
        self._database = database
        self._state = state
        self._resources = resources
        self._guard = threading.RLock()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        setup: Setup,
        ruleset: RuleSet | None = None,
        *,
        author: str | None = None,
        reason: str = _FIRST_RULES,
        when: datetime | None = None,
    ) -> Self:
        """Write a new project file and open it; without rules it has no version yet."""
        place = Path(path).expanduser()
        begin = _record(1, RecordKind.BEGIN, setup.document(), "", author, when)
        with locked(place):
            if place.exists():
                raise FileExistsError(17, "there is a file of this name already", str(place))
            write_file(place, serialized([begin.chained(State().head)]))
        project = cls.open(place)
        try:
            if ruleset is not None:
                project.add_version(
                    ruleset, parent=None, reason=reason, author=author, origin=Origin.BEGIN, changes=(), when=when
                )
        except BaseException:
            project.close()
            raise
        return project

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a project file where it was left; its chain must be whole."""
        place = Path(path).expanduser()
        with ExitStack() as resources:
            resources.enter_context(locked(place))
            database = Database(place)
            resources.callback(database.close)
            state = replayed(parse_chain(database.read()), place.name)
            return cls(place, database, state, resources.pop_all())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; calling it again does nothing."""
        with self._guard:
            self._resources.close()

    @property
    def setup(self) -> Setup:
        """What the project is about."""
        assert self._state.setup is not None  # no project is opened without
        return self._state.setup

    @property
    def head(self) -> str:
        """The hash of the last record, which stands for all of them."""
        return self._state.head

    @property
    def records(self) -> tuple[Record, ...]:
        """All records, in order."""
        with self._guard:
            return tuple(self._state.records)

    @property
    def versions(self) -> tuple[Version, ...]:
        """All versions, in the order in which they were made."""
        with self._guard:
            return tuple(self._state.versions)

    def version(self, number: int) -> Version:
        """Return a version by number."""
        with self._guard:
            return self._state.version(number)

    @property
    def current(self) -> Version | None:
        """The version that is being worked on, if there is any yet."""
        return self._state.current

    @property
    def undo_target(self) -> Version | None:
        """The version that undo leads to, if it leads anywhere."""
        with self._guard:
            return self._state.undo_target

    @property
    def redo_target(self) -> Version | None:
        """The version that redo leads to, if it leads anywhere."""
        with self._guard:
            return self._state.redo_target

    @property
    def split(self) -> Split | None:
        """How the rows were divided, if they were."""
        return self._state.split

    @property
    def guardrails(self) -> Mapping[str, Any]:
        """The guardrails that were last set, as a JSON object."""
        return self._state.guardrails

    @property
    def favourable(self) -> str | None:
        """The decision that somebody said is favourable; None if nobody did."""
        return self._state.favourable

    @property
    def columns(self) -> Mapping[str, Mapping[str, Any]]:
        """The corrections of columns that were last set."""
        return self._state.columns

    @property
    def openings(self) -> tuple[TestOpening, ...]:
        """All looks at the test rows."""
        with self._guard:
            return tuple(self._state.openings)

    @property
    def sign_offs(self) -> tuple[SignOff, ...]:
        """All signatures."""
        with self._guard:
            return tuple(self._state.sign_offs)

    def add_version(
        self,
        ruleset: RuleSet,
        *,
        parent: int | None,
        reason: str,
        author: str | None = None,
        origin: Origin | str = Origin.EDIT,
        off: Sequence[int] = (),
        steps: Sequence[Step] = (),
        changes: Sequence[str] | None = None,
        effect: Mapping[str, Any] | None = None,
        branch: bool = False,
        when: datetime | None = None,
    ) -> Version:
        """Add a version made from another, its parent, and make it the current one.

        `changes` says in words what changed, by default what the steps say or else what distinguishes the rules.

        Raises
        ------
        EditConflictError
            If the parent is no longer the current version, and `branch` is false.
        """
        with self._guard:
            if not branch:
                self._check_current(parent)
            before = None if parent is None else self._state.version(parent)
            if changes is None:
                changes = [step.change for step in steps] or _changes(before, ruleset, off)
            content = version_document(
                len(self._state.versions) + 1,
                parent,
                Origin(origin),
                ruleset,
                off,
                [(step.operation, *step.arguments) for step in steps],
                changes,
                effect or {},
            )
            self._add(RecordKind.VERSION, content, checked_text("reason", reason), author, when)
            return self._state.versions[-1]

    def undo(self, *, author: str | None = None, expected: int | None = None) -> Version:
        """Go back to the parent of the current version."""
        with self._guard:
            return self._move("undo", self._state.undo_target, author, "", expected)

    def redo(self, *, author: str | None = None, expected: int | None = None) -> Version:
        """Go to the child of the current version from which undo came last."""
        with self._guard:
            return self._move("redo", self._state.redo_target, author, "", expected)

    def go_to(
        self, version: int, *, author: str | None = None, reason: str = "", expected: int | None = None
    ) -> Version:
        """Make any version the current one; the next edit of it begins a branch."""
        with self._guard:
            return self._move("go to", self._state.version(version), author, reason, expected)

    def set_split(self, split: Split, *, author: str | None = None, when: datetime | None = None) -> None:
        """Record how the rows are divided, which is done once."""
        self._add(RecordKind.SPLIT, split.document(), "", author, when)

    def set_guardrails(
        self,
        document: Mapping[str, Any],
        *,
        reason: str,
        author: str | None = None,
        changes: Sequence[str] = (),
        when: datetime | None = None,
    ) -> None:
        """Replace the guardrails; `changes` says in words what changed."""
        content = {"guardrails": dict(document), "changes": list(changes)}
        self._add(RecordKind.GUARDRAILS, content, checked_text("reason", reason), author, when)

    def set_favourable(self, action: str, *, author: str | None = None, when: datetime | None = None) -> None:
        """Record which decision is the favourable one when groups are compared."""
        self._add(RecordKind.FAVOURABLE, {"favourable": action}, "", author, when)

    def set_columns(
        self,
        corrections: Mapping[str, Mapping[str, Any]],
        *,
        reason: str = "",
        author: str | None = None,
        when: datetime | None = None,
    ) -> None:
        """Replace the corrections of columns by others, given by the names of the columns."""
        content = {"columns": {name: dict(each) for name, each in corrections.items()}}
        self._add(RecordKind.COLUMNS, content, reason.strip(), author, when)

    def open_test(
        self,
        figures: Mapping[str, Any],
        *,
        version: int,
        reason: str,
        author: str | None = None,
        when: datetime | None = None,
    ) -> TestOpening:
        """Record a look at the test rows; call it before anybody sees the figures."""
        with self._guard:
            content = {"number": len(self._state.openings) + 1, "version": version, "figures": dict(figures)}
            self._add(RecordKind.TEST_OPENING, content, checked_text("reason", reason), author, when)
            return self._state.openings[-1]

    def sign_off(
        self,
        *,
        version: int,
        author: str,
        statement: str,
        opening: int | None = None,
        report: bytes | None = None,
        proved: Sequence[str] = (),
        unproved: Sequence[str] = (),
        when: datetime | None = None,
    ) -> SignOff:
        """Sign a version; of the report, its hash is kept.

        `proved` are the guardrails that were proved, and `unproved` those that the author accepts without a proof.
        """
        with self._guard:
            signer = checked_text("author", author)
            if any((each.version, each.author) == (version, signer) for each in self._state.sign_offs):
                raise ProjectError(f"{signer} has signed version {version} already")
            content = {
                "number": len(self._state.sign_offs) + 1,
                "version": version,
                "sha256": self._state.version(version).sha256,
                "opening": opening,
                "report_sha256": None if report is None else hashlib.sha256(report).hexdigest(),
                "proved": list(proved),
                "unproved": list(unproved),
            }
            self._add(RecordKind.SIGN_OFF, content, checked_text("statement", statement), signer, when)
            return self._state.sign_offs[-1]

    def rule_file(self, version: int) -> bytes:
        """Return the file of the rules that decide in a version; its SHA-256 is that of the version."""
        return self.version(version).rule_file()

    def export(self) -> bytes:
        """Return the content of a project file with everything so far."""
        return serialized(self.records)

    def export_to(self, path: str | os.PathLike[str]) -> None:
        """Write a copy of the project with everything so far."""
        write_file(Path(path).expanduser(), self.export())

    def import_file(
        self, content: bytes, *, reason: str, author: str | None = None, when: datetime | None = None
    ) -> tuple[str, Version | None]:
        """Take in another project file, given by its content.

        Returns
        -------
        outcome, version : str, Version or None
            "same" if it holds nothing new; "continued" and the current version, if it is this project as others have
            continued it: all their records are added; or else "branch" and a new version with its current rules.
        """
        return self.apply_import(self.plan_import(content), reason=reason, author=author, when=when)

    def plan_import(self, content: bytes, *, take_over: bool = False) -> ImportPlan:
        """Check another project file and say what becomes of it; nothing is changed yet.

        With `take_over`, the outcome is "opened" where nobody has done anything in this project: it becomes the other.
        """
        with self._guard:
            ours = self._state.copy()
        return plan_import(content, ours, take_over=take_over)

    def apply_import(
        self, plan: ImportPlan, *, reason: str, author: str | None = None, when: datetime | None = None
    ) -> tuple[str, Version | None]:
        """Take in a project file as planned; refuse a plan that was made before the last change of this project."""
        with self._guard:
            if plan.head != self._state.head:
                raise EditConflictError("the project was changed while the file was read; import it again")
            match plan.outcome:
                case ImportOutcome.SAME:
                    return plan.outcome, None
                case ImportOutcome.CONTINUED:
                    added = plan.records[len(self._state.records) :]
                    self._database.append(added)
                    self._state = plan.state
                case ImportOutcome.OPENED:
                    self._become(plan)
                case ImportOutcome.BRANCH:
                    return plan.outcome, self._add_imported(plan.state, reason, author, when)
            return plan.outcome, self._state.current

    def _become(self, plan: ImportPlan) -> None:
        """Write the records of another project into the file, in place of those with which this one began."""
        self._database.close()
        try:
            if self.path.with_name(f"{self.path.name}-wal").exists():
                raise ProjectError(f"another program is reading {self.path.name}; try again when it has ended")
            write_file(self.path, serialized(plan.records))
            self._state = plan.state
        finally:
            self._database = Database(self.path)
            self._database.read()
            self._resources.callback(self._database.close)

    def _add_imported(self, theirs: State, reason: str, author: str | None, when: datetime | None) -> Version:
        """Make the current rules of another project a version of this one."""
        version = theirs.current
        assert version is not None  # or else there is no such plan
        parent = None if self._state.current is None else self._state.current.number
        return self.add_version(
            version.ruleset,
            parent=parent,
            reason=reason,
            author=author,
            origin=Origin.IMPORT,
            off=version.off,
            effect={"source": {"head": theirs.head, "version": version.number, "sha256": version.sha256}},
            when=when,
        )

    def _move(self, how: str, to: Version | None, author: str | None, reason: str, expected: int | None) -> Version:
        if expected is not None:
            self._check_current(expected)
        if to is None:
            raise ProjectError(f"there is nothing to {how}")
        if to is not self._state.current:
            self._add(RecordKind.MOVE, {"to": to.number, "how": how}, reason.strip(), author, None)
        return to

    def _check_current(self, expected: int | None) -> None:
        current = self._state.current
        if current is None:
            if expected is not None:
                self._state.version(expected)  # which refuses it
        elif expected != current.number:
            by = f"by {current.author} ({current.reason})"
            raise EditConflictError(
                f"version {current.number} {by} is the current one by now; look at it and try again"
            )

    def _add(
        self, kind: RecordKind, content: Mapping[str, Any], reason: str, author: str | None, when: datetime | None
    ) -> None:
        """Add a record that fits those before it; it counts when it is on disk."""
        with self._guard:
            record = _record(len(self._state.records) + 1, kind, content, reason, author, when).chained(
                self._state.head
            )
            held = self._state.read(record)
            self._database.append([record])
            self._state.take(record, held)


def replayed(chain: Chain, name: str) -> State:
    """Return the state that records lead to; refuse a chain that is broken or makes no sense."""
    if chain.broken is not None:
        raise ProjectError(f"the log of {name} is broken at {chain.broken}; keep it as evidence, and use an export")
    state = State()
    for record in chain.records:
        state.take(record, state.read(record))
    if state.setup is None:
        raise ProjectError(f"{name} is empty; use an export of the project, or begin a new one")
    return state


def _record(
    number: int,
    kind: RecordKind,
    content: Mapping[str, Any],
    reason: str,
    author: str | None,
    when: datetime | None,
) -> Record:
    return Record(number, stamp(when), checked_text("author", author or login_name()), kind, reason, content)


def _changes(before: Version | None, ruleset: RuleSet, off: Sequence[int]) -> list[str]:
    if before is None:
        return []
    changes = difference(before.ruleset, ruleset).splitlines()
    now, earlier = {*off}, {*before.off}
    changes += [f"rule {number} is switched off" for number in sorted(now - earlier)]
    return changes + [f"rule {number} is switched on" for number in sorted(earlier - now)]
