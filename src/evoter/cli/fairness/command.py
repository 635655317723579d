"""`evoter audit`: what rules do to the groups of protected columns of a table, and what leaving out a rule would do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.completion import complete_column
from evoter.cli.options import (
    Encoding,
    Json,
    Missing,
    NoHeader,
    Quiet,
    Rules,
    Sheet,
    Table,
    Target,
    named_texts,
    refuse_ignored,
)
from evoter.cli.output import ExitCode, Failure, Streams, say, split_hint
from evoter.rules.errors import RuleError

if TYPE_CHECKING:
    from evoter.cli.tables.rule_tables import RuleTable
    from evoter.fairness.audit import Audit

MAX_DIFFERENCE = 0.05
"""The difference that repairs aim at where none is given."""


def audit(
    context: typer.Context,
    rules: Rules,
    table: Table,
    protected: Annotated[
        list[str],
        typer.Option(
            "--protected",
            metavar="COLUMN",
            help="A column whose groups are compared; repeat it for several.",
            autocompletion=complete_column,
        ),
    ],
    target: Target = None,
    favourable: Annotated[
        list[str] | None,
        typer.Option(
            "--favourable",
            metavar="CLASS",
            help="The decision that counts as favourable; by default the second of two classes, and each of more.",
        ),
    ] = None,
    bands: Annotated[
        list[str] | None,
        typer.Option(
            "--bands",
            metavar="COLUMN=LIST",
            help="Where bands of a numeric column begin, such as age=30,60; by default there are four of equal size.",
        ),
    ] = None,
    rate: Annotated[
        str, typer.Option("--rate", metavar="NAME", help="The rate that --max-difference and --repair are about.")
    ] = "selection_rate",
    max_difference: Annotated[
        float | None,
        typer.Option(
            "--max-difference",
            metavar="SHARE",
            help="Fail if the rate of two groups differs by more than this, such as 0.1.",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Show what leaving out each rule does to accuracy and to the difference.")
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Compare what rules do to groups: rates with intervals, differences, which rules make them, and proxies.

    Use rows that the rules were not learnt from. Groups of fewer than 30 rows are shown, but not compared. The exit
    code is 1 if a difference is larger than --max-difference.
    """
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import labels_of, read_for_rules, require_columns, rows_learnt_from
    from evoter.fairness.audit import audit as compare

    if max_difference is None and not repair:
        refuse_ignored(context, ("rate",), "without --max-difference and --repair", "add one of them, or omit --rate")
    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    found = read_for_rules(loaded, table, options)
    require_columns(found)
    labelled = labels_of(loaded, found, target)
    if repair and labelled is None:
        raise Failure("--repair compares accuracies, and the table has no labels", "name their column with --target")
    rows = list(range(found.n_rows)) if labelled is None else labelled[0]
    labels = None if labelled is None else labelled[1]
    values = _values(found, list(dict.fromkeys(protected)), rows)
    given: dict[str, Any] = {"protected": values, "favourable": favourable, "bands": _bands(bands or (), list(values))}
    frame = found.frame[rows]
    try:
        result = compare(loaded.ruleset, frame, labels, **given)
        worst = result.worst(rate)
        repairs = _repairs(result, frame, labels, given, rate, max_difference) if repair else None
    except RuleError as error:
        raise Failure(*split_hint(str(error))) from None
    too_large = max_difference is not None and worst is not None and worst.difference > max_difference
    if json_:
        repaired = {} if repairs is None else {"repairs": repairs.to_dict()}
        streams.write_json(result.to_dict() | repaired | {"passed": not too_large})
    else:
        streams.show(result, fold=True)
        if repairs is not None:
            from evoter.fairness.audit_terminal import colour_section
            from evoter.fairness.repair_text import repair_section

            streams.show(*colour_section(repair_section(repairs)), fold=True)
        if learnt_from := rows_learnt_from(loaded, found.source):
            streams.remark(f"note: {learnt_from}, so errors look rarer than they are")
    if too_large and worst is not None and max_difference is not None:
        what = f"{rate} of {worst.highest} and {worst.lowest} differ by {worst.difference:.3f}"
        say(f"evoter: {what}, more than {max_difference:g}", "red")
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _repairs(
    result: "Audit",
    frame: Any,
    labels: Sequence[str] | None,
    given: dict[str, Any],
    rate: str,
    max_difference: float | None,
) -> Any:
    from evoter.fairness.repair import repair

    data, values = (frame, labels), given["protected"]
    wanted = MAX_DIFFERENCE if max_difference is None else max_difference
    options = {**given, "protected": (values, values), "favourable": result.favourable[0]}
    return repair(result.ruleset, data, data, rate=rate, at_most=wanted, ways=["rules"], **options)


def _values(table: "RuleTable", names: Sequence[str], rows: Sequence[int]) -> dict[str, list[Any]]:
    """Return the values of protected columns: as rules read them, else as numbers or text."""
    from evoter.cli.fit.protected import read_column
    from evoter.cli.tables.files import unknown_column

    values = {}
    for name in names:
        if name not in table.source.names:
            raise unknown_column(name, table.source.names, table.source.name)
        cells = table.frame[name].to_list() if name in table.frame.columns else read_column(table.source, name)
        values[name] = [cells[row] for row in rows]
    return values


def _bands(pairs: Sequence[str], columns: Sequence[str]) -> dict[str, list[float]]:
    """Read options such as `age=30,60`."""
    read = {}
    for name, text in named_texts(pairs, "--bands", columns, "protected column").items():
        try:
            read[name] = [float(part) for part in text.split(",")]
        except ValueError:
            hint = f"write --bands {name}=30,60, for example"
            raise Failure(f"--bands {name}={text} is not a list of numbers", hint) from None
    return read
