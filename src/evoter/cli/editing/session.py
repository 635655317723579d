"""One session of `evoter edit`: edits are made, shown with what they change, and written with their reason."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from evoter.analysis.edit_effects import EditEffect, EffectLine, Judged, differ_in_marks_only
from evoter.cli.editing.options import Edits
from evoter.cli.editing.rows import JudgingRows
from evoter.cli.editing.text_editor import edit_text, editor_command, without_notes
from evoter.cli.output import Failure, Streams, say, split_hint
from evoter.rules.editing.difference import declaration
from evoter.rules.editing.editor import Editor, Step, edit
from evoter.rules.editing.log import Entry, EntryKind
from evoter.rules.editing.logged_rules import EditConflictError, LoggedRules
from evoter.rules.errors import RuleError, RuleSyntaxError
from evoter.rules.model import RuleSet
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from evoter.rules.guardrails.guardrails import Guardrails

PROOF_SECONDS: Final = 2.0
"""How long it may take to tell whether an edit changes a decision anywhere."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Changed rules: each change in words with the rules after it, and the file that holds what the user has typed."""

    ruleset: RuleSet
    changes: tuple[str, ...]
    versions: tuple[RuleSet, ...]
    steps: tuple[Step, ...] = ()
    text_file: Path | None = None


def edit_by_options(opened: LoggedRules, edits: Edits, rows: JudgingRows | None) -> Draft:
    """Make the edits that were given as options; rules may read other columns of the table."""
    texts = [str(argument) for _, arguments in edits for argument in arguments]
    schema = None if rows is None else rows.offered(opened.ruleset.schema, texts)
    editor = edit(opened.ruleset, schema)
    for operation, arguments in edits:
        try:
            editor = editor.apply(operation, *arguments)
        except RuleSyntaxError as error:
            raise Failure(*split_hint(f"{arguments[-1]!r}, column {error.column}: {error.message}")) from None
    return _draft(editor)


def edit_as_text(opened: LoggedRules, rows: JudgingRows | None) -> Draft:
    """Let the user edit the text of the rules, again until it makes sense or the user has enough of it."""
    command = editor_command()
    notes = [f"The rules of {opened.path.name}. Save and close to go on; lines that begin with # do not count."]
    if rows is not None and (others := rows.other_columns(opened.ruleset.schema)):
        notes += ["To read another column, declare it below 'where':", *(f"  {declaration(each)}" for each in others)]
    original = text = str(opened.ruleset)
    path = None
    while True:
        text, path = edit_text(without_notes(text), notes, command, path)
        if without_notes(text) == original:
            path.unlink()
            return _draft(edit(opened.ruleset))
        try:
            return _draft(edit(opened.ruleset).rewrite(text), path)
        except RuleError as error:
            message = str(error).splitlines()[0]
            failure = Failure(split_hint(message)[0], f"nothing was changed; your text is in {path}")
            if not sys.stdin.isatty():
                raise failure from None
            say(f"evoter: {message}", "red")
            if not typer.confirm("Edit it again?", default=True, err=True):
                raise failure from None
            notes = [message]


def take_version(opened: LoggedRules, number: int | None) -> Draft:
    """Take the rules of an entry of the log, or with None those of the file, which were changed outside the log."""
    entries = opened.log.entries
    if number is None:
        ruleset, changes = opened.ruleset, opened.logged.diff(opened.ruleset) or "the same rules, written anew"
    elif 1 <= number <= len(entries):
        ruleset = entries[number - 1].ruleset
        changes = opened.ruleset.diff(ruleset) or f"the rules of entry {number}, which are the same"
    else:
        have = f"it has entries 1 to {len(entries)}" if entries else "there is no log yet"
        raise Failure(f"the log of {opened.path.name} has no entry {number}", have)
    return Draft(ruleset, (changes,), (opened.logged if number is None else opened.ruleset, ruleset))


def measure_effects(draft: Draft, rows: JudgingRows | None) -> list[EditEffect]:
    """Return the effect of each change, and last that of all of them; every rule set decides on the rows once."""
    judged = [Judged(each) if rows is None else rows.judge(each) for each in draft.versions]
    return [*(EditEffect(*pair) for pair in pairwise(judged)), EditEffect(judged[0], judged[-1])]


def show_effects(
    streams: Streams, draft: Draft, effects: Sequence[EditEffect], guardrails: "Guardrails | None" = None
) -> None:
    """Print each change and what it does, then several of them together, a line for each thing to say about it."""
    titles = [f"{number}. {change}" for number, change in enumerate(draft.changes, start=1)]
    if sum(not _is_marking(effect) for effect in effects[: len(titles)]) > 1:
        titles.append("all of them together")
    for title, effect in zip(titles, effects, strict=False):
        first, *others = title.splitlines()
        shown = [Text(visible(first), style="bold")]
        shown += [Text(f"   {visible(line)}", style="bold") for line in others]
        for about, text in _lines(effect, guardrails):
            shown.append(Text("   ").append(f"{about:<10}", style="cyan").append(f" {visible(text)}"))
        streams.show(*shown)


def _lines(effect: EditEffect, guardrails: "Guardrails | None") -> Iterator[EffectLine]:
    """Yield all there is to say about a change."""
    if _is_marking(effect):
        yield EffectLine("decisions", "the same on every input: names and pins decide nothing")
        return
    yield from effect.lines()
    if not effect.n_changed:  # None without a table
        yield from _about_every_input(effect)
    if guardrails:
        broken = guardrails.violations(effect.after.ruleset)
        yield EffectLine("guardrails", f"broken: {broken[0]}" if broken else "kept")


def _is_marking(effect: EditEffect) -> bool:
    """Tell whether a change is one of names and pins only."""
    return differ_in_marks_only(effect.before.ruleset, effect.after.ruleset)


def _about_every_input(effect: EditEffect) -> Iterator[EffectLine]:
    """Say whether decisions are the same on every input, if that can be told soon enough."""
    from evoter.proofs import equivalent
    from evoter.proofs.result import point_text

    before, after = effect.before.ruleset, effect.after.ruleset
    if before == after or set(before.schema.actions) != set(after.schema.actions):
        return
    try:
        result = equivalent(before, after, max_seconds=PROOF_SECONDS)
    except (ImportError, RuleError):  # without the solver, or for rules that read a feature in different ways
        return
    if result.proved:
        yield EffectLine("everywhere", "the same decisions on every input: proved")
    elif result.refuted:
        was, becomes = (" + ".join(actions) for actions in result.decisions[:2])
        point = point_text(result.counterexample or {})
        yield EffectLine("everywhere", f"not the same on every input: {becomes} instead of {was} for {point}")


def ask_reason() -> str:
    """Ask for the reason in a terminal; without one, nothing changes."""
    question = "Why do the rules change? (an empty answer keeps them)"
    reason: str = typer.prompt(question, default="", show_default=False, err=True)
    if not reason.strip():
        raise Failure("an edit needs a reason, for the log", "nothing was changed")
    return reason


def write_edit(
    opened: LoggedRules, draft: Draft, kind: EntryKind, effect: EditEffect, *, reason: str, author: str | None
) -> Entry:
    """Write the rules and the entry of the log."""
    try:
        return opened.commit(
            draft.ruleset, reason=reason, author=author, steps=draft.steps, effect=effect.to_dict(), kind=kind
        )
    except EditConflictError as error:
        message, hint = split_hint(str(error))
        kept = None if draft.text_file is None else f"your text is in {draft.text_file}"
        raise Failure(message, ", ".join(filter(None, [hint, kept]))) from None


def _draft(editor: Editor, text_file: Path | None = None) -> Draft:
    versions = (editor.steps[0].before, *(step.after for step in editor.steps)) if editor.steps else (editor.ruleset,)
    return Draft(editor.done(), editor.changes, versions, editor.steps, text_file)
