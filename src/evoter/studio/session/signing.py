"""Sign-off: the test rows are opened for a version, the report is written, and the version is signed."""

import hashlib
from collections.abc import Mapping, Sequence
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
        rails = [] if head is None else session.guardrails.describe()["guardrails"]
        return {
            "test_rows": len(session.parts.test),
            "openings": [_described_opening(each) for each in project.openings],
            "signoffs": [_described_sign_off(each) for each in project.sign_offs],
            "open": None if opening is None else {"version": opening.version, "figures": dict(opening.figures)},
            "head": head,
            "guardrails": [
                {"sentence": each["sentence"], "state": each["state"], "reason": each["proof"]["reason"]}
                for each in rails
            ],
            "checks": [
                _check(head is not None, "there are rules", "there are no rules"),
                {"text": _about_rails(rails), "done": head is not None and all(map(_is_proved, rails))},
                _check(
                    opening is not None,
                    "the test rows were opened for this version",
                    "the test rows have not been opened for this version",
                ),
                _check(
                    any(each.version == head for each in project.sign_offs),
                    "this version is signed",
                    "nobody has signed this version",
                ),
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

    def sign(
        self, version: int, *, name: str | None, statement: str, unproved: Sequence[str] = (), tab: str = ""
    ) -> dict[str, Any]:
        """Sign the current version, for which the test rows have been opened and which breaks no guardrail.

        `unproved` are the guardrails, as sentences, that the signer accepts although they are neither proved nor
        broken: all of them must be named.
        """
        session = self._session
        with session.lock:
            current = self._check_head(version)
            opening = last_opening(session.project, version)
            if opening is None:
                hint = "open them first; this is logged"
                raise StudioError("closed", "the test rows were not opened for this version", hint)
            rails = session.guardrails.describe()["guardrails"]
            accepted = _accepted(rails, unproved)
            when = datetime.now(UTC)
            report = self._report(current, when.date().isoformat(), opening, accepted)
            try:
                session.project.sign_off(
                    version=version,
                    author=name or session.author,
                    statement=statement,
                    opening=opening.number,
                    report=report,
                    proved=[each["sentence"] for each in rails if _is_proved(each)],
                    unproved=accepted,
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
        opening = self._session.project.openings[found.opening - 1] if found.opening else None
        report = self._report(self._session.version(found.version), found.time[:10], opening, found.unproved)
        if found.report_sha256 not in (None, hashlib.sha256(report).hexdigest()):
            raise StudioError(
                "closed",
                "the report cannot be written again as it was signed: columns were corrected since, or evoter is newer",
                f"use the copy that was saved then; its SHA-256 begins with {str(found.report_sha256)[:12]}",
            )
        return report

    def forget_rows(self) -> None:
        """Read the test rows anew when they are opened next, because the table was corrected."""
        self._test_rows = None

    def _rows(self) -> LabelledRows:
        session = self._session
        if self._test_rows is None:
            self._test_rows = labelled_rows(session.table, session.parts.test, session.classes, session.protected)
        return self._test_rows

    def _report(self, version: Version, date: str, opening: TestOpening | None, unproved: Sequence[str]) -> bytes:
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
            # As it was when the rows were opened: a report that is written again must be the same.
            favourable = session.favourable if opening is None else opening.figures.get("favourable")
            audited = audit(ruleset, rows.frame, labels, protected=protected, favourable=favourable)
        identifiers = session.table.plan.identifiers
        title = session.project.setup.title or session.project.path.stem
        n_openings = 0 if opening is None else opening.number
        warnings = [f"not proved when this version was signed: {sentence}" for sentence in unproved]
        if n_openings > 1:
            warnings.append(f"the test rows had been opened {n_openings} times when this version was signed")
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
                warnings=warnings,
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


def _is_proved(rail: Mapping[str, Any]) -> bool:
    return bool(rail["state"] == "proved")


def _check(done: bool, then: str, until_then: str) -> dict[str, Any]:
    """Return what is to be said about a step of signing that is done or not."""
    return {"text": then if done else until_then, "done": done}


def _about_rails(rails: Sequence[Mapping[str, Any]]) -> str:
    """Return what is to be said about guardrails before a signature."""
    if not rails:
        return "there are no guardrails to prove"
    states = [each["state"] for each in rails]
    named = {"broken": "broken", "running": "being proved", "unknown": "not settled"}
    unsettled = ", ".join(f"{states.count(state)} {word}" for state, word in named.items() if state in states)
    return f"not every guardrail is proved ({unsettled} of {len(rails)})" if unsettled else "every guardrail is proved"


def _accepted(rails: Sequence[Mapping[str, Any]], named: Sequence[str]) -> list[str]:
    """Return the guardrails that are signed without a proof; refuse broken ones, and those that nobody named."""
    by_state: dict[str, list[str]] = {"broken": [], "running": [], "unknown": [], "proved": []}
    for each in rails:
        by_state.setdefault(each["state"], []).append(each["sentence"])
    if by_state["broken"]:
        hint = "edit the rules, or change the guardrails with a reason"
        raise StudioError("guardrails", f"these rules break a guardrail: {by_state['broken'][0]}", hint)
    if by_state["running"]:
        hint = "wait until it is settled, which takes seconds"
        raise StudioError("guardrails", f"a guardrail is still being proved: {by_state['running'][0]}", hint)
    left = [sentence for sentence in by_state["unknown"] if sentence not in named]
    if left:
        hint = "read it, and confirm by name that you sign without a proof; the log keeps this"
        raise StudioError("guardrails", f"a guardrail is neither proved nor broken: {left[0]}", hint, unproved=left)
    if extra := [sentence for sentence in named if sentence not in by_state["unknown"]]:
        raise StudioError("invalid", f"no guardrail without a proof says: {extra[0]}", field="unproved")
    return by_state["unknown"]


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
        "proved": list(sign_off.proved),
        "unproved": list(sign_off.unproved),
    }
