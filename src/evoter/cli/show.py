"""`evoter show`: a rule set in any format, or statistics of its rules on a table."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import (
    READING_OPTIONS,
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
    named_values,
    refuse_ignored,
)
from evoter.cli.output import Failure, Streams, heading, size, writable
from evoter.cli.plain_words.options import (
    DryRun,
    Label,
    LabelFile,
    Language,
    Plain,
    RewriteModel,
    RewriteUrl,
    Step,
    wording,
)
from evoter.cli.plain_words.writing import write_rules

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.rule_tables import RuleTable


def show(
    context: typer.Context,
    rules: Rules,
    table: OptionalTable = None,
    form: Form = "text",
    output: Output = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="An option of the format, such as dialect=postgres for sql."
        ),
    ] = None,
    plain: Plain = False,
    language: Language = "en",
    labels: LabelFile = None,
    label: Label = None,
    time_step: Step = None,
    rewrite_url: RewriteUrl = None,
    rewrite_model: RewriteModel = None,
    dry_run: DryRun = False,
    target: Target = None,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Print rules as text, Markdown, HTML, JSON, code (--as lists all formats); with a table, their statistics.

    Text written to a file or a pipe includes the declarations of the features, so that evoter can read it again. With
    --plain the rules are sentences for people, if asked for rewritten by a language model and checked.
    """
    from evoter.cli.rule_files import load_rules

    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    words = wording(context, loaded.ruleset, language, labels, label, time_step)
    if table is None:
        hint = f"name a table: evoter show {rules} data.csv"
        refuse_ignored(context, ("target", *READING_OPTIONS), "without a table", hint)
    else:
        from evoter.cli.tables.files import ReadingOptions
        from evoter.cli.tables.rule_tables import read_for_rules

        if form != "text" or output is not None or option or plain:
            flag = "--as" if form != "text" else "--option" if option else "--plain" if plain else "--output"
            raise Failure(
                f"{flag} has no effect with a table, for which statistics are shown, as text or with --json",
                f"omit the table to write the rules: evoter show {rules} --as {form}",
            )
        options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
        show_statistics(streams, loaded, read_for_rules(loaded, table, options), target)
        return
    if words is not None:
        if form != "text" or option:
            flag = f"--as {form}" if form != "text" else "--option"
            raise Failure(f"{flag} has no effect with --plain", "omit one of them")
        text = write_rules(streams, loaded.ruleset, words, rewrite_url, rewrite_model, dry=dry_run)
        _write_words(streams, text, output, language)
        return
    from evoter.cli.rule_files import check_format_options, find_form, formatting

    chosen = find_form("json" if json_ and output is None else form)
    if chosen.name != form != "text":
        raise Failure(f"--json and --as {form} are two formats", "omit one of them, or name a file with --output")
    settings = named_values(option or (), "--option")
    check_format_options(chosen, settings)
    what = f"{loaded.name} as {chosen.title}"
    if output is not None:
        path = writable(output)
        with formatting(what):
            chosen.write(loaded.ruleset, path, **settings)
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
        raise Failure(f"{chosen.title} cannot be shown in a terminal", f"write a file: --output rules{chosen.suffix}")
    else:
        sys.stdout.buffer.write(made)


def _write_words(streams: Streams, text: str, output: str | None, language: str) -> None:
    """Write plain words to a file, as JSON, or as they are; in a terminal, lines are broken between words."""
    if output is not None:
        from evoter.rules.files.writing import write_file

        write_file(writable(output), f"{text}\n")
        streams.remark(f"wrote the rules in plain words to {output}")
    if streams.as_json:
        streams.write_json({"language": language, "text": text, **({} if output is None else {"file": output})})
    elif output is None and sys.stdout.isatty():
        from rich.text import Text

        streams.show(Text(text), fold=True)
    elif output is None:
        streams.write(text)


def show_statistics(streams: Streams, rules: "RuleFile", table: "RuleTable", target: str | None) -> None:
    """Show the statistics of each rule on a table, and the accuracy of all of them if the table has labels."""
    from evoter.analysis.formatting import counted, percent
    from evoter.analysis.rule_statistics import measure
    from evoter.analysis.rule_statistics_terminal import colour_statistics
    from evoter.cli.tables.rule_tables import labels_of, require_columns, rows_learnt_from

    require_columns(table)
    if rules.ruleset.schema.target is not None:
        _show_numbers(streams, rules, table, target)
        return
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
            f"\ncorrect for [bold]{percent(statistics.accuracy)}[/bold] [dim](95% interval {low} to {high}; most "
            f"frequent class: {percent(statistics.baseline)})[/dim]"
        )
        if learnt_from := rows_learnt_from(rules, table.source):
            console.print(f"[dim]{learnt_from}; evoter compare uses only the others[/dim]")


def _show_numbers(streams: Streams, rules: "RuleFile", table: "RuleTable", target: str | None) -> None:
    """Show the statistics of rules with numbers on a table, and how far off they are if it has the true numbers."""
    from rich.markup import escape

    from evoter.analysis.formatting import counted
    from evoter.analysis.number_statistics import measure_numbers
    from evoter.cli.tables.rule_tables import numbers_of, rows_learnt_from

    known = numbers_of(rules, table, target)
    frame = table.frame if known is None else table.frame[known[0]]
    statistics = measure_numbers(rules.ruleset, frame, None if known is None else known[1])
    if streams.as_json:
        streams.write_json({"rules": rules.name, "table": table.source.name, **statistics.to_dict()})
        return
    console = streams.console()
    rows = f"{counted(statistics.n_rows, 'row')} of {table.source.name}"
    heading(console, f"{rules.name}: {size(rules.ruleset)}, on {rows}")
    for line in statistics.lines():
        console.print(escape(line), soft_wrap=True)
    if statistics.figures is not None:
        console.print(f"\n{escape(statistics.sentence())}")
        if learnt_from := rows_learnt_from(rules, table.source):
            console.print(f"[dim]{learnt_from}[/dim]")
