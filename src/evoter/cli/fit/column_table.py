"""The table of columns that is shown before a fit, and the question whether they are read correctly."""

import shlex
import sys
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from evoter.analysis.formatting import counted
from evoter.cli.fit.column_roles import FEATURE, IDENTIFIER, LEFT_OUT, TARGET, Choices, Plan
from evoter.cli.output import ExitCode, Failure, bare_table, nearest
from evoter.cli.tables.column_views import ColumnView, class_warning
from evoter.cli.tables.files import unknown_column
from evoter.rules.printing.pieces import visible

MAX_LINES = 40
_STYLES = {TARGET: "bold green", IDENTIFIER: "dim", LEFT_OUT: "dim", FEATURE: ""}
_VERBS = {
    "category": "category",
    "number": "number",
    "numeric": "number",
    "drop": "drop",
    "id": "id",
    "target": "target",
}
_HELP = (
    "[dim]y[/dim] continue   [dim]n[/dim] stop   or correct: [dim]category[/dim] COLUMN, [dim]number[/dim] COLUMN, "
    "[dim]drop[/dim] COLUMN, [dim]id[/dim] COLUMN"
)


def show_plan(console: Console, plan: Plan) -> None:
    """Print what each column holds."""
    source = plan.source
    size = f"{counted(source.n_rows, 'row')}, {counted(len(source.names), 'column')}"
    if source.sampled_from is not None and source.sampled_from > source.n_rows:
        size = f"{source.sampled_from:,} rows, {counted(len(source.names), 'column')}"
        size += f"; kinds from {source.n_rows:,} of these rows"
    console.print(f"[bold]{escape(visible(source.name))}[/bold]  [dim]{size}[/dim]")
    table = bare_table()
    for heading in ("column", "kind", "values"):
        table.add_column(heading, overflow="ellipsis", no_wrap=heading != "values")
    table.add_column("missing", justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    shown = _chosen_lines(plan)
    for view in shown:
        table.add_row(*_cells(plan, view), style=_STYLES[plan.role(view)])
    console.print(table)
    if len(shown) < len(plan.views):
        console.print(f"[dim]... and {len(plan.views) - len(shown):,} more columns[/dim]")
    for message in _messages(plan):
        console.print(visible(message), style="yellow", soft_wrap=True, markup=False)


def confirm(console: Console, plan: Plan, again: Callable[[Choices], Plan]) -> Plan:
    """Ask whether the columns are read correctly, until the answer is yes; after a correction, plan them `again`."""
    while True:
        console.print()
        console.print(_HELP)
        console.print("Are the columns read correctly? [bold]\\[Y/n][/bold] ", end="")
        sys.stdout.flush()
        answer = sys.stdin.readline()
        words = _words(answer)
        if answer and (not words or words[0].lower() in ("y", "yes")):
            return plan
        if not answer or words[0].lower() in ("n", "no", "q", "quit"):
            hint = "correct the columns with --category, --numeric, --drop, --id or --target"
            raise Failure("nothing was fitted", hint, ExitCode.CHECK_FAILED)
        try:
            plan = again(_corrected(plan, words))
        except Failure as failure:
            console.print(f"[yellow]{escape(visible(f'{failure.message}: {failure.hint}'))}[/yellow]")
        else:
            show_plan(console, plan)


def _words(answer: str) -> list[str]:
    try:
        return shlex.split(answer)
    except ValueError:
        return answer.split()


def _corrected(plan: Plan, words: list[str]) -> Choices:
    verb = _VERBS.get(words[0].lower())
    if verb is None or len(words) < 2:
        hint = nearest(words[0], _VERBS, "answer y, n, or a correction such as: category zip")
        raise Failure(f"{' '.join(words)!r} is not an answer", hint)
    name = " ".join(words[1:])
    if name not in plan.source.names:
        raise unknown_column(name, plan.source.names, plan.source.name)
    return plan.choices.corrected(verb, name)


def _chosen_lines(plan: Plan) -> list[ColumnView]:
    """Return all columns, or of a wide table those with warnings and as many others as there is room for."""
    if len(plan.views) <= MAX_LINES:
        return list(plan.views)
    urgent = [view for view in plan.views if view.warnings or plan.role(view) in (TARGET, IDENTIFIER)]
    others = [view for view in plan.views if view not in urgent]
    kept = {view.name for view in (*urgent, *others[: max(0, MAX_LINES - len(urgent))])}
    return [view for view in plan.views if view.name in kept]


def _cells(plan: Plan, view: ColumnView) -> Iterable[Text]:
    role = plan.role(view)
    kind = {TARGET: "target", IDENTIFIER: "id"}.get(role, str(view.kind))
    if plan.numbers is None:
        classes = ", ".join(f"{name} {n:,}" for name, n in plan.class_counts.items())
    else:
        classes = f"numbers from {min(plan.numbers):g} to {max(plan.numbers):g}"
    values = classes if role == TARGET else view.report.summary
    missing = plan.n_unlabelled if role == TARGET else view.report.n_missing
    note = Text(visible(view.note), style="dim")
    if view.warnings:
        note = Text(visible(f"! {'; '.join(view.warnings)}"), style="bold yellow")
    name, shown = visible(view.name), visible(values)
    return (Text(name), Text(kind), Text(shown), Text(f"{missing:,}" if missing else "", style="dim"), note)


def _messages(plan: Plan) -> Iterable[str]:
    for about in plan.about_identifiers:
        yield f"! {about}"
    if plan.source.header_looks_like_data:
        yield "the first line has numbers for names: use --no-header if it is data"
    if plan.n_unlabelled:
        verb = "is" if plan.n_unlabelled == 1 else "are"
        yield f"{counted(plan.n_unlabelled, 'row')} without a value of {plan.target!r} {verb} not used"
    if plan.task:
        yield plan.task
    if plan.numbers is None and (warning := class_warning(plan.class_counts, plan.target)):
        yield f"! {warning}"
