"""Sign-off: the test rows are opened for a version, the report is written, and the version is signed."""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from evoter.analysis.report.writing import write_report
from evoter.fairness.audit import audit
from evoter.rules.errors import RuleError
from evoter.studio.answers.figures import figures
from evoter.studio.errors import StudioError
from evoter.studio.project import Project, SignOff, TestOpening, Version
from evoter.studio.session.history import describe_version
from evoter.studio.session.opening import labelled_rows
from evoter.studio.table.labelled_rows import LabelledRows

if TYPE_CHECKING:
    from evoter.studio.session.session import Session


class Signing:
    """Openings of the test rows and signatures of an open project; nothing else looks at the test rows."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._test_rows: LabelledRows | None = None

    def describe(self) -> dict[str, Any]:
        """Return how often the test rows were opened, who signed what, and what is left to do."""
        session, project = self._session, self._session.project
        head = None if project.current is None else project.current.number
        opening = None if head is None else last_opening(project, head)
        kept = head is not None and bool(session.guardrails.describe()["kept"])
        return {
            "test_rows": len(session.parts.test),
            "openings": [_described_opening(each) for each in project.openings],
            "signoffs": [_described_sign_off(each) for each in project.sign_offs],
            "open": None if opening is None else {"version": opening.version, "figures": dict(opening.figures)},
            "head": head,
            "checks": [
                {"text": "there are rules", "done": head is not None},
                {"text": "every guardrail is proved", "done": kept},
                {"text": "the test rows were opened for this version", "done": opening is not None},
                {"text": "this version is signed", "done": any(each.version == head for each in project.sign_offs)},
            ],
        }

    def open_test(self, version: int, *, reason: str, author: str | None, tab: str = "") -> dict[str, Any]:
        """Open the test rows for the current version; this is logged before anybody sees a figure."""
        session = self._session
        with session.lock:
            active = session.edited(self._check_head(version)).active
            rows = self._rows()
            shown = figures(rows, rows.decide(active), None, session.favourable)
            try:
                session.project.open_test(shown, version=version, reason=reason, author=author or session.author)
            except RuleError as error:
                raise StudioError("invalid", str(error), field="reason") from None
        self._tell(tab)
        return self.describe()

    def sign(self, version: int, *, name: str | None, statement: str, tab: str = "") -> dict[str, Any]:
        """Sign the current version, for which the test rows have been opened and which breaks no guardrail."""
        session = self._session
        with session.lock:
            current = self._check_head(version)
            opening = last_opening(session.project, version)
            if opening is None:
                hint = "open them first; this is logged"
                raise StudioError("closed", "the test rows were not opened for this version", hint)
            rails = session.guardrails.describe()["guardrails"]
            broken = [each["sentence"] for each in rails if each["state"] == "broken"]
            if broken:
                hint = "edit the rules, or change the guardrails with a reason"
                raise StudioError("guardrails", f"these rules break a guardrail: {broken[0]}", hint)
            when = datetime.now(UTC)
            report = self._report(current, when.date().isoformat(), opening.number)
            try:
                session.project.sign_off(
                    version=version,
                    author=name or session.author,
                    statement=statement,
                    opening=opening.number,
                    report=report,
                    when=when,
                )
            except RuleError as error:
                raise StudioError("invalid", str(error)) from None
        self._tell(tab)
        return self.describe()

    def report(self, number: int) -> bytes:
        """Return the report of a sign-off: written again from the same rows and rules, it has the same hash."""
        found = next((each for each in self._session.project.sign_offs if each.number == number), None)
        if found is None:
            raise StudioError("unknown", f"there is no sign-off {number}")
        return self._report(self._session.version(found.version), found.time[:10], found.opening or 0)

    def forget_rows(self) -> None:
        """Read the test rows anew when they are opened next, because the table was corrected."""
        self._test_rows = None

    def _rows(self) -> LabelledRows:
        session = self._session
        if self._test_rows is None:
            self._test_rows = labelled_rows(session.table, session.parts.test, session.classes, session.protected)
        return self._test_rows

    def _report(self, version: Version, date: str, n_openings: int) -> bytes:
        session = self._session
        rows = self._rows()
        train = labelled_rows(session.table, session.parts.training, session.classes, ())
        positions = rows.positions.tolist()
        protected = {}
        for name in session.protected:
            values = session.table.values(name)
            protected[name] = [values[position] for position in positions]
        labels = _names(rows)
        ruleset = session.edited(version).active
        audited = None
        if protected:
            audited = audit(ruleset, rows.frame, labels, protected=protected, favourable=session.favourable)
        identifiers = session.table.plan.identifiers
        title = session.project.setup.title or session.project.path.stem
        opened = f"the test rows had been opened {n_openings} times when this version was signed"
        with TemporaryDirectory(prefix="evoter-studio-") as folder:
            path = write_report(
                Path(folder) / "report.html",
                ruleset,
                rows.frame,
                labels,
                unseen=True,
                train=(train.frame, _names(train)),
                title=f"{title}, version {version.number}",
                date=date,
                data_hash=session.table.source.sha256,
                row_names=[
                    str(session.table.row_number(position)) if identifiers is None else identifiers[position]
                    for position in positions
                ],
                warnings=[opened] if n_openings > 1 else [],
                protected=protected or None,
                audit=audited,
            )
            return path.read_bytes()

    def _check_head(self, version: int) -> Version:
        session = self._session
        current = session.version(None)
        if current.number != version:
            message = f"version {current.number} is the current one by now"
            head = describe_version(session.project, current)
            raise StudioError("conflict", message, "look at it first", head=head, rules=session.rules())
        return current

    def _tell(self, tab: str) -> None:
        project = self._session.project
        counts = {"openings": len(project.openings), "signoffs": len(project.sign_offs)}
        self._session.events.tell("signoff", counts | {"tab": tab})


def last_opening(project: Project, version: int) -> TestOpening | None:
    """Return the last opening of the test rows for a version; None if they were never opened for it."""
    return next((each for each in reversed(project.openings) if each.version == version), None)


def _names(rows: LabelledRows) -> list[str]:
    return [rows.classes[code] for code in rows.labels.tolist()]


def _described_opening(opening: TestOpening) -> dict[str, Any]:
    return {name: getattr(opening, name) for name in ("number", "version", "author", "reason", "time")}


def _described_sign_off(sign_off: SignOff) -> dict[str, Any]:
    return {
        "number": sign_off.number,
        "version": sign_off.version,
        "name": sign_off.author,
        "statement": sign_off.statement,
        "time": sign_off.time,
        "hash": sign_off.hash,
        "rules_sha256": sign_off.sha256,
        "report_sha256": sign_off.report_sha256,
    }
