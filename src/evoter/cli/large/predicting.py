"""`evoter predict` on a table that is read in batches: each batch is decided on and written before the next is read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import polars as pl

from evoter.analysis.formatting import counted, percent
from evoter.cli.output import Failure, Streams, split_hint
from evoter.cli.predict import PREDICTION, Additions, as_cells, check_table_path, decided_columns, joined
from evoter.cli.tables.files import ReadingOptions, Source
from evoter.cli.tables.rule_tables import RuleTable, fit_to_rules, require_columns, require_readable
from evoter.rules.errors import SchemaError
from evoter.rules.files.writing import replaced_file
from evoter.tables.stored.batches import Batches

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile

Write = Callable[[pl.DataFrame], None]


@dataclass
class _Concerns:
    """What is not as the rules expect, added up over batches: rows by column and what is odd about them."""

    rows: dict[tuple[str, str], int] = field(default_factory=dict)
    n_without_number: int = 0
    n_rows: int = 0

    def add(self, table: RuleTable) -> None:
        for misfit in table.misfits:
            key = misfit.column, misfit.what
            self.rows[key] = self.rows.get(key, 0) + misfit.n_rows
        self.n_rows += table.n_rows

    def lines(self) -> Iterator[str]:
        for (column, what), n_rows in self.rows.items():
            yield f"{column!r}: {what} in {counted(n_rows, 'row')} ({percent(n_rows / self.n_rows)} of the rows)"
        if self.n_without_number:
            about = "a linear term reads a value that is missing there"
            yield f"{self.n_without_number:,} rows have no number: {about}"


def predict_large(
    rules: "RuleFile",
    batches: Batches,
    options: ReadingOptions,
    streams: Streams,
    output: str | None,
    wanted: Additions,
    *,
    only: bool,
    allow_missing: bool,
) -> None:
    """Decide on all rows of a table in batches; memory does not grow with the number of rows."""
    if streams.as_json:
        raise Failure(
            f"--json lists every row, and the table has {batches.n_rows:,} of them, which are read in batches",
            "omit --json, and write the decisions to a file with --output",
        )
    from evoter.evolution.progress import ReadingProgress

    concerns = _Concerns()
    read = [each for each in batches.names if not only or each in _columns_read(rules)] or batches.names[:1]
    name = batches.files[0].name
    quiet = Streams(quiet=True)  # what there is to say is said once, at the end
    try:
        with _writing(output, streams) as write, ReadingProgress(shown=not streams.quiet) as display:
            for batch in batches.read(read):
                frame = batch if isinstance(batch, pl.DataFrame) else pl.DataFrame(pl.from_arrow(batch))
                found = fit_to_rules(rules, Source(name, frame, "", missing=options.missing, options=options))
                if not allow_missing:
                    require_columns(found)
                    require_readable(found)
                concerns.add(found)
                columns = decided_columns(rules, found.with_absent_as_missing().frame, wanted, quiet)
                concerns.n_without_number += columns[PREDICTION].count(None)
                write(joined(frame, columns, only=only))
                display(concerns.n_rows, batches.n_rows)
    except SchemaError as error:
        raise Failure(*split_hint(str(error))) from None
    for line in concerns.lines():
        streams.warn(line)
    if output is not None:
        streams.remark(f"wrote {concerns.n_rows:,} rows to {output}")


def _columns_read(rules: "RuleFile") -> set[str]:
    return {rules.ruleset.schema.feature(name).source for name in rules.ruleset.features_used}


@contextmanager
def _writing(output: str | None, streams: Streams) -> Iterator[Write]:
    """Give a function that writes batches of rows to standard output or to a file, which is replaced in the end."""
    if output is None:
        header = True

        def show(frame: pl.DataFrame) -> None:
            nonlocal header
            streams.write(as_cells(frame).write_csv(include_header=header))
            header = False

        yield show
        return
    target = check_table_path(output)
    if target.suffix == ".xlsx":
        raise Failure("a sheet of an Excel file has a million rows at most, and this table has more", "write .parquet")
    if target.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise Failure("writing a Parquet file in batches needs pyarrow", 'pip install "evoter[data]", or write .csv')
    with replaced_file(target) as file:
        if target.suffix == ".parquet":
            yield from _parquet(file)
            return
        started = False

        def add(frame: pl.DataFrame) -> None:
            nonlocal started
            separator = "\t" if target.suffix == ".tsv" else ","
            as_cells(frame).write_csv(file, include_header=not started, separator=separator)
            started = True

        yield add


def _parquet(file: Any) -> Iterator[Write]:
    import pyarrow.parquet as pq

    writers: list[Any] = []

    def add(frame: pl.DataFrame) -> None:
        table = frame.to_arrow()
        if not writers:
            writers.append(pq.ParquetWriter(file, table.schema))
        writers[0].write_table(table.cast(writers[0].schema))

    yield add
    for writer in writers:
        writer.close()
