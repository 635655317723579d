"""`evoter verify`: whether the log of a rule file is whole, and whether the file is as the log says."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.options import Json, Quiet
from evoter.cli.output import ERROR, GOOD, NOTE, ExitCode, Failure, Finding, Streams, plain_table, show_findings

if TYPE_CHECKING:
    from evoter.rules.editing.log import Entry


def verify(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="The rule file; its log stands beside it.")],
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HASH", help="A hash that was noted elsewhere and must be in the log."),
    ] = None,
    entries: Annotated[bool, typer.Option("--entries", help="List the entries: when, who, what and why.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Verify the log of edits beside a rule file, and that the rules are as it says; the exit code is 1 if not.

    Every entry has the hash of the one before it, so that a change, a removal or a move of entries is found and named.
    The whole log could be written anew: note its last hash elsewhere, and give it with --head.
    """
    from evoter.cli.fit_records import record_of
    from evoter.rules.editing.verification import verify as verified

    if rules == "-":
        raise Failure("the log of rules stands beside their file, and standard input has none", "name a rule file")
    streams = Streams(json_, quiet)
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
    if json_:
        described = {"verified": result.passed, "state": result.state, "head": result.log.head if known else None}
        described |= {"findings": [asdict(each) for each in findings], "entries": [_described(each) for each in known]}
        streams.write_json(described)
    else:
        if entries and known:
            _show_entries(streams, known)
        verdict = "verified" if result.passed else "verification failed"
        show_findings(streams, findings, rules, verdict, failed=not result.passed)
    if not result.passed:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _described(entry: "Entry") -> dict[str, Any]:
    names = ("number", "time", "author", "kind", "reason", "changes", "steps", "effect", "file_sha256", "hash")
    return {name: getattr(entry, name) for name in names}


def _show_entries(streams: Streams, entries: "tuple[Entry, ...]") -> None:
    from rich.text import Text

    table = plain_table("entry", "time", "author", "what and why", right=(0,))
    for entry in entries:
        what = Text("\n".join([*entry.changes]))
        if entry.changes:
            what.append("\n")
        table.add_row(str(entry.number), entry.time, Text(entry.author), what.append(entry.reason, style="italic"))
    streams.show(table, fold=True)
