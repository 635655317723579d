"""`evoter predict`: the decision of a rule set on every row of a table."""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.failure import Failure
from evoter.cli.options import Encoding, Json, Missing, NoHeader, Output, Quiet, Rules, Sheet, Table
from evoter.cli.output_paths import writable
from evoter.cli.streams import Streams

if TYPE_CHECKING:
    import polars as pl

PREDICTION, RULE, BECAUSE = "prediction", "rule", "because"
SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx")


def predict(
    rules: Rules,
    table: Table,
    output: Output = None,
    only: Annotated[bool, typer.Option("--only", help="Leave out the columns of the table.")] = False,
    because: Annotated[bool, typer.Option("--because", help="Add the text of the rule that decided.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Decide on every row of a table, and write the table with the decisions and the rules that made them.

    The result is CSV on standard output, with the separator of the table, or a file whose ending says what it is:
    .csv, .tsv, .parquet or .xlsx.
    """
    from evoter.analysis.formatting import percent
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.rule_tables import (
        labels_of,
        read_for_rules,
        reading_options,
        require_columns,
        rows_learnt_from,
    )

    streams = Streams(json_, quiet)
    if output is not None:
        check_table_path(output)
    loaded = load_rules(rules)
    options = reading_options(loaded, missing=missing, no_header=no_header, sheet=sheet, encoding=encoding)
    found = read_for_rules(loaded, table, options)
    require_columns(found)
    for misfit in found.misfits:
        if misfit.fatal:
            streams.warn(f"{misfit.column!r}: {misfit.message}; they count as missing")
    statistics = measure(loaded.ruleset, found.frame)
    texts = [rule.text for rule in statistics.rules]
    decided_by = statistics.decided_by.tolist()
    columns: dict[str, list[object]] = {PREDICTION: statistics.predictions.tolist()}
    columns[RULE] = [number + 1 for number in decided_by]
    if because:
        columns[BECAUSE] = [texts[number] for number in decided_by]
    labelled = labels_of(loaded, found, None)
    if labelled is not None:
        rows, labels = labelled
        n_right = sum(columns[PREDICTION][row] == label for row, label in zip(rows, labels, strict=True))
        learnt_from = rows_learnt_from(loaded, found.source)
        flattered = f"; {learnt_from}, which flatters the rules" if learnt_from else ""
        share = percent(n_right / len(rows))
        streams.remark(f"right on {share} of the {len(rows):,} rows that say {loaded.target!r}{flattered}")
    if json_:
        names = list(columns)
        cases = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        streams.write_json({"rows": found.n_rows, "predictions": cases})
    if output is None and json_:
        return
    result = _joined(found.source.frame, columns, only=only)
    if output is None:
        _write_csv(result, found.source.separator)
    else:
        write_table(result, output, separator=found.source.separator)
        streams.remark(f"wrote {len(result):,} rows to {output}")


def _joined(frame: "pl.DataFrame", columns: dict[str, list[object]], *, only: bool) -> "pl.DataFrame":
    """Return the columns beside those of the table, under names that it does not have yet."""
    import polars as pl

    if only:
        return pl.DataFrame(columns)
    named = {}
    for name, values in columns.items():
        free = name
        while free in frame.columns:
            free += "_"
        named[free] = values
    return frame.hstack(pl.DataFrame(named))


def _write_csv(frame: "pl.DataFrame", separator: str) -> None:
    """Write the table piece by piece, so that a reader who stops early stops the writing."""
    frame = _as_cells(frame)
    for start in range(0, len(frame), 10_000):
        sys.stdout.write(frame[start : start + 10_000].write_csv(include_header=start == 0, separator=separator))


def _as_cells(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Write out as text what has no place in a cell: lists, bytes and such."""
    from evoter.cli.tables.cells import as_text, has_no_text

    return frame.with_columns(as_text(column) for column in frame if has_no_text(column.dtype))


def check_table_path(path: str) -> Path:
    """Return where a table is to be written, or refuse a place that is not there and an ending that says nothing."""
    place = writable(path)
    if place.suffix not in SUFFIXES:
        raise Failure(f"{place.name!r} has no ending that says its format", f"name it {', '.join(SUFFIXES)}")
    return place


def write_table(frame: "pl.DataFrame", path: str, *, separator: str = ",") -> None:
    """Write a table to a file, which is replaced all at once, in the format that its ending says."""
    from evoter.rules.files.document import write_file

    place, content = check_table_path(path), io.BytesIO()
    if place.suffix == ".parquet":
        frame.write_parquet(content)
    elif place.suffix == ".xlsx":
        try:
            _as_cells(frame).write_excel(content)
        except ModuleNotFoundError:
            raise Failure("writing Excel files needs xlsxwriter", "pip install xlsxwriter, or write .csv") from None
    else:
        _as_cells(frame).write_csv(content, separator="\t" if place.suffix == ".tsv" else separator)
    write_file(place, content.getvalue())
