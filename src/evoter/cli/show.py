"""`evoter show`: a rule set in any form, or with a table what its rules do there."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.failure import Failure
from evoter.cli.options import (
    Encoding,
    Form,
    Json,
    Missing,
    NoHeader,
    OptionalTable,
    Output,
    Quiet,
    Rules,
    Sheet,
    Target,
)
from evoter.cli.output_paths import writable
from evoter.cli.streams import Streams

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.rule_tables import RuleTable


def show(
    rules: Rules,
    table: OptionalTable = None,
    form: Form = "text",
    output: Output = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Of the format, such as dialect=postgres for sql."),
    ] = None,
    target: Target = None,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Print rules as text, Markdown, LaTeX, HTML, JSON, Python, SQL, PMML or ONNX; with a table, what each rule does.

    Text that is not written to a terminal is complete: evoter reads it back.
    """
    from evoter.cli.rule_files import load_rules

    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    if table is not None:
        from evoter.cli.tables.rule_tables import read_for_rules, reading_options

        if form != "text" or output is not None or option:
            raise Failure(
                "with a table, what each rule does there is shown, as text or with --json",
                f"leave the table out to write the rules: evoter show {rules} --as {form}",
            )
        options = reading_options(loaded, missing=missing, no_header=no_header, sheet=sheet, encoding=encoding)
        show_statistics(streams, loaded, read_for_rules(loaded, table, options), target)
        return
    from evoter.cli.pairs import named_values
    from evoter.cli.rule_formats import find_form, formatting

    chosen = find_form("json" if json_ and output is None else form)
    if chosen.name != form != "text":
        raise Failure(f"--json and --as {form} are two formats", "leave one of them out, or name a file with --output")
    settings = named_values(option or (), "--option")
    what = f"{loaded.name} as {chosen.title}"
    if output is not None:
        place = writable(output)
        with formatting(what):
            chosen.write(loaded.ruleset, place, **settings)
        if json_:
            streams.write_json({"file": output, "format": chosen.name})
        else:
            streams.remark(f"wrote the rules as {chosen.title} to {output}")
        return
    if chosen.name == "text" and not settings and sys.stdout.isatty():
        streams.show(loaded.ruleset)
        return
    with formatting(what):
        made = chosen.make(loaded.ruleset, **settings)
    if isinstance(made, str):
        streams.write(made)
    elif sys.stdout.isatty():
        raise Failure(f"{chosen.title} is not for a terminal", f"--output rules{chosen.suffix}")
    else:
        sys.stdout.buffer.write(made)


def show_statistics(streams: Streams, rules: "RuleFile", table: "RuleTable", target: str | None) -> None:
    """Show what each rule does on a table, and how often all of them are right where the table says what is."""
    from evoter.analysis.formatting import counted, percent
    from evoter.analysis.rule_statistics import measure
    from evoter.analysis.rule_statistics_terminal import colour_statistics
    from evoter.cli.headings import heading, size
    from evoter.cli.tables.rule_tables import labels_of, require_columns, rows_learnt_from

    require_columns(table)
    labelled = labels_of(rules, table, target)
    frame = table.frame if labelled is None else table.frame[labelled[0]]
    statistics = measure(rules.ruleset, frame, None if labelled is None else labelled[1])
    if streams.as_json:
        streams.write_json({"rules": rules.name, "table": table.source.name, **statistics.to_dict()})
        return
    console = streams.console()
    heading(
        console, f"{rules.name}: {size(rules.ruleset)}, on {counted(statistics.n_rows, 'row')} of {table.source.name}"
    )
    console.print(colour_statistics(statistics, console.width))
    if statistics.confusion is not None:
        low, high = map(percent, statistics.confusion.interval)
        console.print(
            f"\nright on [bold]{percent(statistics.accuracy)}[/bold] [dim](95% interval {low} to {high}; always giving "
            f"the most frequent answer: {percent(statistics.baseline)})[/dim]"
        )
        if learnt_from := rows_learnt_from(rules, table.source):
            console.print(f"[dim]{learnt_from}; evoter compare judges on the others[/dim]")
