"""`evoter edit`: change rules, see what each change does, and log who made it and why."""

import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.editing.options import read_edits
from evoter.cli.options import (
    READING_OPTIONS,
    Encoding,
    Json,
    Missing,
    NoHeader,
    OptionalTable,
    Quiet,
    Sheet,
    Target,
    refuse_ignored,
)
from evoter.cli.output import Failure, Streams

if TYPE_CHECKING:
    from evoter.cli.editing.rows import JudgingRows
    from evoter.cli.editing.session import Draft
    from evoter.cli.tables.files import ReadingOptions
    from evoter.rules.editing.logged_rules import LoggedRules

EDITS = "Edits, made in the order in which they are given"
LOG = "The log"

_EDITING = ("replace", "add", "insert", "drop", "move", "pin", "unpin", "rename", "default")
_COMMENT = re.compile(rb"(?m)(?:^|\s)#")
_NUMBERS = "Rules are numbered as they are after the edits before."


def edit(
    context: typer.Context,
    rules: Annotated[str, typer.Argument(metavar="RULES", help="The rule file to edit, JSON or text.")],
    table: OptionalTable = None,
    replace: Annotated[
        list[str] | None,
        typer.Option(
            "--replace",
            metavar="N:RULE",
            help=f"Replace rule N: '2: age > 65 -> high'. {_NUMBERS}",
            rich_help_panel=EDITS,
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option("--add", metavar="RULE", help="Add a rule just before the default.", rich_help_panel=EDITS),
    ] = None,
    insert: Annotated[
        list[str] | None,
        typer.Option("--insert", metavar="N:RULE", help="Add a rule that becomes rule N.", rich_help_panel=EDITS),
    ] = None,
    drop: Annotated[
        list[int] | None, typer.Option("--drop", metavar="N", help="Remove rule N.", rich_help_panel=EDITS)
    ] = None,
    move: Annotated[
        list[str] | None,
        typer.Option("--move", metavar="N:M", help="Rule N becomes rule M: '4:1'.", rich_help_panel=EDITS),
    ] = None,
    pin: Annotated[
        list[int] | None,
        typer.Option("--pin", metavar="N", help="Pin rule N: no edit changes it.", rich_help_panel=EDITS),
    ] = None,
    unpin: Annotated[
        list[int] | None, typer.Option("--unpin", metavar="N", help="Unpin rule N.", rich_help_panel=EDITS)
    ] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option("--rename", metavar="N:NAME", help="Give rule N a name.", rich_help_panel=EDITS),
    ] = None,
    default: Annotated[
        list[str] | None,
        typer.Option("--default", metavar="ACTION", help="The action where no rule holds.", rich_help_panel=EDITS),
    ] = None,
    restore: Annotated[
        int | None,
        typer.Option("--restore", metavar="N", help="Take the rules as of entry N of the log.", rich_help_panel=LOG),
    ] = None,
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Log the file as it is, after a change outside the log.", rich_help_panel=LOG),
    ] = False,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason", "-r", metavar="TEXT", help="Why; in a terminal you are asked for it.", rich_help_panel=LOG
        ),
    ] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="NAME", help="Who; by default your login name.", rich_help_panel=LOG),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and write nothing.")] = False,
    target: Target = None,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Change rules by hand, see what each change does on the rows of a table, and log it with a reason.

    Without edits as options, the rules open in your editor ($VISUAL or $EDITOR). The log stands beside the rule file;
    each entry has the hash of the one before it, and evoter verify checks them.
    """
    from evoter.cli.editing import session
    from evoter.cli.fit_records import recorded_guardrails
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.rules.editing.log import EntryKind, rules_document
    from evoter.rules.editing.logged_rules import LoggedRules

    streams = Streams(json_, quiet)
    given = dict(zip(_EDITING, (replace, add, insert, drop, move, pin, unpin, rename, default), strict=True))
    edits = read_edits(context, given)
    kind = EntryKind.RESTORE if restore is not None else EntryKind.ADOPT if adopt else EntryKind.EDIT
    _check_options(context, kind, rules, table, dry_run=dry_run, reason=reason)
    if kind is not EntryKind.RESTORE:
        load_rules(rules)  # refuses a file that cannot be read, and names the line
    opened = LoggedRules.open(rules)
    opened.check(kind)
    reading = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    rows = None if table is None else _read_rows(opened, table, reading, target)
    if kind is not EntryKind.EDIT:
        draft = session.take_version(opened, restore)
    elif edits:
        draft = session.edit_by_options(opened, edits, rows)
    else:
        draft = session.edit_as_text(opened, rows)
    effects = session.measure_effects(draft, rows)
    session.show_effects(streams, draft, effects, recorded_guardrails(opened.path, opened.ruleset))
    entry = None
    if draft.changes:
        _remark(streams, opened, draft, rows)
    if not draft.changes:
        streams.remark("nothing was changed")
    elif dry_run:
        streams.remark("nothing was written, because of --dry-run")
    else:
        why = session.ask_reason() if reason is None else reason
        entry = session.write_edit(opened, draft, kind, effects[-1], reason=why, author=author)
        streams.remark(f"wrote {opened.path.name}; entry {entry.number} of its log has the hash {entry.hash}")
    if draft.text_file is not None:
        draft.text_file.unlink(missing_ok=True)
    if json_:
        pairs = zip(draft.changes, effects, strict=False)
        shown = ("number", "time", "author", "kind", "reason", "hash")
        described = {
            "edits": [{"change": change, "effect": effect.to_dict()} for change, effect in pairs],
            "entry": None if entry is None else {name: getattr(entry, name) for name in shown},
            "rules": rules_document(draft.ruleset),
        }
        streams.write_json(described)


def _check_options(
    context: typer.Context, kind: str, rules: str, table: str | None, *, dry_run: bool, reason: str | None
) -> None:
    """Refuse options without effect, and an edit that nobody could give a reason for."""
    if rules == "-":
        raise Failure("edit changes a file, and standard input is none", "name a rule file")
    if kind != "edit":
        why = f"beside --{kind}"
        refuse_ignored(
            context, [*_EDITING, *(["adopt"] if kind == "restore" else [])], why, f"give it without --{kind}"
        )
    if table is None:
        hint = f"name a table: evoter edit {rules} data.csv"
        refuse_ignored(context, ("target", *READING_OPTIONS), "without a table", hint)
    if dry_run:
        refuse_ignored(context, ("reason", "author"), "with --dry-run", "nothing is logged then")
    elif reason is None and not sys.stdin.isatty():
        raise Failure("an edit needs a reason, for the log", '--reason "why the rules change"')
    elif reason is not None and not reason.strip():
        raise Failure("the reason is empty", '--reason "why the rules change"')


def _read_rows(opened: "LoggedRules", table: str, options: "ReadingOptions", target: str | None) -> "JudgingRows":
    """Read a table with its labels: those of the column of the fit, if the log begins with the rules of a fit."""
    from evoter.cli.editing.rows import JudgingRows
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.files import read_source

    fitted = opened.log.entries[0].file_sha256 if opened.log.entries else opened.file_sha256
    rules = RuleFile(opened.path.name, opened.ruleset, opened.path, fitted)
    return JudgingRows.read(rules, read_source(table, options), target)


def _remark(streams: Streams, opened: "LoggedRules", draft: "Draft", rows: "JudgingRows | None") -> None:
    if rows is not None and rows.learnt_from:
        streams.remark(f"{rows.learnt_from}, so the accuracy is optimistic")
    if rows is not None and rows.labels is None:
        streams.remark("the accuracy is unknown: name the column of correct labels, if there is one, with --target")
    if opened.ruleset.records and not draft.ruleset.records:
        streams.remark("the figures from training are left out, because they are about the rules before")
    if opened.path.suffix != ".json" and _COMMENT.search(opened.path.read_bytes()):
        streams.warn(f"the comments of {opened.path.name} are not kept")
