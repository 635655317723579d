"""`evoter verify`: whether the log of a rule file or of a project is whole, and whether rules are as it says."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.options import Json, Quiet
from evoter.cli.output import ERROR, GOOD, NOTE, ExitCode, Failure, Finding, Streams, plain_table, show_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evoter.rules.editing.log import Entry
    from evoter.studio.project import Record


def verify(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A rule file, whose log stands beside it, or a project of the studio."),
    ],
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HASH", help="A hash that was noted elsewhere and must be in the log."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="RULES", help="A rule file that must be a signed version of the project."),
    ] = None,
    entries: Annotated[bool, typer.Option("--entries", help="List the entries: when, who, what and why.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Verify the log of edits of a rule file or a project, and that rules are as it says; the exit code is 1 if not.

    Every entry has the hash of the one before it, so that a change, a removal or a move of entries is found and named.
    The whole log could be written anew: note its last hash elsewhere, and give it with --head.
    """
    if file == "-":
        raise Failure("the log of rules stands beside their file, and standard input has none", "name a rule file")
    streams = Streams(json_, quiet)
    if _is_project(file):
        _verify_project(streams, file, head, rules, entries=entries)
        return
    if rules is not None:
        raise Failure(
            "--rules has no effect without a project: rules are verified by the log beside them", "leave it out"
        )
    _verify_rules(streams, file, head, entries=entries)


def _verify_rules(streams: Streams, rules: str, head: str | None, *, entries: bool) -> None:
    from evoter.cli.fit_records import record_of
    from evoter.rules.editing.verification import verify as verified

    result = verified(rules, head)
    findings = [Finding(GOOD if each.passed else ERROR, each.about, each.message) for each in result.findings]
    known = result.log.entries
    if known:
        from pathlib import Path

        record = record_of(Path(rules).expanduser(), known[0].file_sha256)
        if record is not None:
            findings.append(
                Finding(GOOD, "begins", "the log begins with the rules of the fit whose record is beside it")
            )
        if head is None:
            findings.append(Finding(NOTE, "head", f"note this hash elsewhere: {result.log.head}"))
    described = {"verified": result.passed, "state": result.state, "head": result.log.head if known else None}
    described["entries"] = [_described(each) for each in known]
    _show(streams, rules, findings, described, known if entries else (), passed=result.passed)


def _is_project(file: str) -> bool:
    from evoter.studio.project.database import SUFFIX, is_project_file

    return is_project_file(file) or file.endswith(SUFFIX)


def _verify_project(streams: Streams, file: str, head: str | None, rules: str | None, *, entries: bool) -> None:
    from evoter.studio.project.verification import verify_project

    result = verify_project(file, head, rules)
    findings = [Finding(GOOD if each.passed else ERROR, each.about, each.message) for each in result.findings]
    if head is None and result.records:
        findings.append(Finding(NOTE, "head", f"note this hash elsewhere: {result.head}"))
    names = ("number", "time", "author", "kind", "reason", "content", "hash")
    described: dict[str, Any] = {"verified": result.passed, "head": result.head or None}
    described["entries"] = [{name: getattr(each, name) for name in names} for each in result.records]
    _show(streams, file, findings, described, result.records if entries else (), passed=result.passed)


def _show(
    streams: Streams,
    file: str,
    findings: list[Finding],
    described: dict[str, Any],
    listed: "Sequence[Entry | Record]",
    *,
    passed: bool,
) -> None:
    """Show what was found, and leave with the exit code that tells it."""
    if streams.as_json:
        streams.write_json(described | {"findings": [asdict(each) for each in findings]})
    else:
        if listed:
            _show_entries(streams, listed)
        verdict = "verified" if passed else "verification failed"
        show_findings(streams, findings, file, verdict, failed=not passed)
    if not passed:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _described(entry: "Entry") -> dict[str, Any]:
    names = ("number", "time", "author", "kind", "reason", "changes", "steps", "effect", "file_sha256", "hash")
    return {name: getattr(entry, name) for name in names}


def _show_entries(streams: Streams, entries: "Sequence[Entry | Record]") -> None:
    from rich.text import Text

    table = plain_table("entry", "time", "author", "what and why", right=(0,))
    for entry in entries:
        lines = _changes(entry)
        what = Text("\n".join(lines))
        if lines and entry.reason:
            what.append("\n")
        table.add_row(str(entry.number), entry.time, Text(entry.author), what.append(entry.reason, style="italic"))
    streams.show(table, fold=True)


def _changes(entry: "Entry | Record") -> list[str]:
    """Return what an entry did, in words."""
    content = getattr(entry, "content", None)
    if content is None:
        return list(entry.changes)  # type: ignore[union-attr]
    kind = str(entry.kind)
    match kind:
        case "version":
            return [f"version {content['number']}", *content["changes"]]
        case "move":
            return [f"{content['how']}: version {content['to']}"]
        case "test opening" | "sign-off":
            return [f"{kind} of version {content['version']}"]
        case "guardrails":
            return ["guardrails", *content["changes"]]
        case _:
            return [kind]
