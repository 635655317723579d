"""`evoter predict`: the decision of a rule set for every row of a table."""

import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from evoter.cli.options import Encoding, Json, Missing, NoHeader, Output, Quiet, Rules, Sheet, Table
from evoter.cli.output import Failure, Streams, writable

if TYPE_CHECKING:
    import polars as pl

    from evoter.analysis.number_statistics import NumberStatistics
    from evoter.cli.rule_files import RuleFile

PREDICTION, RULE, BECAUSE = "prediction", "rule", "because"
LOW, HIGH = "low", "high"
CASES, RIGHT, PROBABILITY = "rule_cases", "rule_right", "probability"
SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx")


def predict(
    rules: Rules,
    table: Table,
    output: Output = None,
    only: Annotated[bool, typer.Option("--only", help="Write the decisions without the columns of the table.")] = False,
    because: Annotated[bool, typer.Option("--because", help="Add the text of the rule that decided.")] = False,
    probability: Annotated[
        bool,
        typer.Option(
            "--probability",
            help="Add the probability of each class, and how many training rows the rule decided and got right.",
        ),
    ] = False,
    interval: Annotated[
        bool,
        typer.Option(
            "--interval",
            help="Add the ends of the interval around each predicted number, and how many training rows it rests on.",
        ),
    ] = False,
    allow_missing: Annotated[
        bool,
        typer.Option(
            "--allow-missing",
            help="Decide as if values were missing in columns that are absent or cannot be read, instead of refusing.",
        ),
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Apply rules to every row of a table; write the table with the decisions and the rules that made them.

    The result goes to standard output as CSV, with the separator of the table, or to a file whose suffix sets the
    format: .csv, .tsv, .parquet or .xlsx. Columns that rules read must be there and readable. Where the table is not as
    it was in training (missing values, unknown categories, values out of range), there are warnings.
    """
    from evoter.cli.large.opening import fits_memory, open_large
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.drift import find_drift
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import read_for_rules, require_columns, require_readable

    streams = Streams(json_, quiet)
    if output is not None:
        check_table_path(output)
    loaded = load_rules(rules)
    _check_records(loaded, probability=probability, interval=interval)
    options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    wanted = Additions(because=because, probability=probability, interval=interval)
    large = open_large(table, options)
    at_once = json_ or (output or "").endswith(".xlsx")
    if large is not None and not (at_once and fits_memory(large)):
        from evoter.cli.large.predicting import predict_large

        predict_large(loaded, large, options, streams, output, wanted, only=only, allow_missing=allow_missing)
        return
    found = read_for_rules(loaded, table, options)
    if not allow_missing:
        require_columns(found)
        require_readable(found)
    for misfit in found.misfits:
        if misfit.fatal:
            streams.warn(f"{misfit.column!r}: {misfit.message}; counted as missing")
    drift = find_drift(loaded, found)
    for each in drift:
        streams.warn(f"{each.column!r}: {each.message}")
    found = found.with_absent_as_missing()
    columns = decided_columns(loaded, found.frame, wanted, streams)
    if json_:
        names = list(columns)
        cases = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        misfits = [
            {"column": each.column, "what": each.what, "rows": each.n_rows} for each in found.misfits if each.fatal
        ]
        described = {"counted_as_missing": misfits, "drift": [each.to_dict() for each in drift]}
        streams.write_json({"rows": found.n_rows, "predictions": cases} | described)
    if output is None and json_:
        return
    result = joined(found.source.frame, columns, only=only)
    if output is None:
        _write_csv(streams, result, found.source.separator)
    else:
        write_table(result, output, separator=found.source.separator)
        streams.remark(f"wrote {len(result):,} rows to {output}")


class Additions(NamedTuple):
    """What is told about each decision besides the rule that made it."""

    because: bool = False
    probability: bool = False
    interval: bool = False


def decided_columns(
    rules: "RuleFile", frame: "pl.DataFrame", wanted: Additions, streams: Streams
) -> dict[str, list[object]]:
    """Return the columns that say what is decided on each row, and by which rule."""
    from evoter.analysis.number_statistics import NumberStatistics, measure_numbers
    from evoter.analysis.rule_statistics import measure

    is_numeric = rules.ruleset.schema.target is not None
    statistics = measure_numbers(rules.ruleset, frame) if is_numeric else measure(rules.ruleset, frame)
    texts = [rule.text for rule in statistics.rules]
    decided_by = statistics.decided_by.tolist()
    columns: dict[str, list[object]] = {PREDICTION: statistics.predictions.tolist()}
    if isinstance(statistics, NumberStatistics):
        columns |= _numbers(statistics, streams, interval=wanted.interval)
    columns[RULE] = [number + 1 for number in decided_by]
    if wanted.probability:
        columns |= _reliability(rules, frame, decided_by)
    if wanted.because:
        columns[BECAUSE] = [texts[number] for number in decided_by]
    return columns


def _check_records(rules: "RuleFile", *, probability: bool, interval: bool) -> None:
    """Refuse to tell what a rule file knows nothing of."""
    is_numeric = rules.ruleset.schema.target is not None
    if probability and is_numeric:
        raise Failure("--probability is for classes, and these rules predict numbers", "use --interval")
    if interval and not rules.ruleset.residuals:
        what = "says nothing about errors on training rows" if is_numeric else "predicts classes, which have none"
        raise Failure(f"{rules.name} {what}, from which intervals come", "omit --interval")
    if probability and not rules.ruleset.records:
        raise Failure(
            f"{rules.name} says nothing about training rows, from which probabilities come",
            "use the .json file that `evoter fit` writes; rules that were edited or simplified have no record",
        )


def _numbers(statistics: "NumberStatistics", streams: Streams, *, interval: bool) -> dict[str, list[object]]:
    """Return the columns of predicted numbers, empty where a linear term has no value, and their intervals."""
    known = [not math.isnan(number) for number in statistics.predictions.tolist()]
    if not all(known):
        streams.warn(f"{known.count(False):,} rows have no number: a linear term reads a value that is missing there")

    def shown(numbers: list[float]) -> list[object]:
        return [number if is_known else None for number, is_known in zip(numbers, known, strict=True)]

    columns: dict[str, list[object]] = {PREDICTION: shown(statistics.predictions.tolist())}
    if interval and statistics.intervals is not None:
        columns |= {name: shown(ends) for name, ends in zip((LOW, HIGH), statistics.intervals.T.tolist(), strict=True)}
        cases = [each.cases for each in statistics.ruleset.residuals]
        columns[CASES] = [cases[number] for number in statistics.decided_by.tolist()]
    return columns


def _reliability(rules: "RuleFile", frame: "pl.DataFrame", decided_by: list[int]) -> dict[str, list[object]]:
    """Return the columns that say how reliable decisions are: what the deciding rule did in training, probabilities."""
    from evoter.problems import decide_frame, decision_probabilities
    from evoter.rules.answers.reliability import right

    ruleset = rules.ruleset
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    counts = [
        (record.cases, right(record, ruleset, action)) for record, action in zip(ruleset.records, actions, strict=True)
    ]
    shares = decision_probabilities(ruleset, lambda rules: decide_frame(rules, frame))
    columns: dict[str, list[object]] = {
        CASES: [counts[number][0] for number in decided_by],
        RIGHT: [counts[number][1] for number in decided_by],
    }
    for action, column in zip(ruleset.schema.actions, shares.T.tolist(), strict=True):
        columns[f"{PROBABILITY}_{action}"] = column
    return columns


def joined(frame: "pl.DataFrame", columns: dict[str, list[object]], *, only: bool) -> "pl.DataFrame":
    """Return the table with additional columns, under names that it does not have yet."""
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


def _write_csv(streams: Streams, frame: "pl.DataFrame", separator: str) -> None:
    """Write the table in chunks, so that writing ends as soon as the reader closes the pipe."""
    frame = as_cells(frame)
    for start in range(0, len(frame), 10_000):
        streams.write(frame[start : start + 10_000].write_csv(include_header=start == 0, separator=separator))


def as_cells(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Turn columns that a cell cannot hold, such as lists and bytes, into text."""
    from evoter.tables.intake.cells import as_text, has_no_text

    return frame.with_columns(as_text(column) for column in frame if has_no_text(column.dtype))


def check_table_path(path: str) -> Path:
    """Return the path of a table to write; refuse a missing directory and an unknown suffix."""
    target = writable(path)
    if target.suffix not in SUFFIXES:
        raise Failure(f"the suffix of {target.name!r} does not tell the format", f"use {', '.join(SUFFIXES)}")
    return target


def write_table(frame: "pl.DataFrame", path: str, *, separator: str = ",") -> None:
    """Write a table to a file, atomically, in the format of its suffix."""
    from evoter.rules.files.writing import write_file

    target, content = check_table_path(path), io.BytesIO()
    if target.suffix == ".parquet":
        frame.write_parquet(content)
    elif target.suffix == ".xlsx":
        try:
            as_cells(frame).write_excel(content)
        except ModuleNotFoundError:
            raise Failure("writing Excel files needs xlsxwriter", "pip install xlsxwriter, or write .csv") from None
    else:
        as_cells(frame).write_csv(content, separator="\t" if target.suffix == ".tsv" else separator)
    write_file(target, content.getvalue())
