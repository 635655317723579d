"""The columns of a table as `evoter fit` shows them: kinds and warnings, with the options that change them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

import narwhals as nw
import polars as pl

from evoter.cli.tables.files import Source
from evoter.rules.schema import AMOUNT, MAX_NAME_LENGTH, MISSING_TEXTS, Kind
from evoter.tables.columns import Column
from evoter.tables.intake.cells import CellReading, present_text, read_cells, read_numbers_of
from evoter.tables.intake.description import describe_series, with_target
from evoter.tables.intake.kinds import ColumnConcern, ColumnKind, ColumnReport
from evoter.tables.intake.spelling import spelling_question
from evoter.tables.sources import frame_column

_KEEP_AS_CATEGORY = "--category keeps it"
_REMEDIES = {
    ColumnConcern.IDENTIFIER: "--id keeps its rows together, --drop leaves it out",
    ColumnConcern.DATES: "--dates reads parts of them",
    ColumnConcern.SPELLING: "the same? Then correct the table",
    ColumnConcern.TARGET: "is it known beforehand? If not: --drop",
    ColumnConcern.THOUSANDS: "remove the points if they separate thousands",
    ColumnConcern.UNITS: "correct the table if they are in another unit",
}
_REMEDIES_FOR_KINDS = {
    ColumnKind.DATE: "--dates reads parts of them",
    ColumnKind.TEXT: _KEEP_AS_CATEGORY,
    ColumnKind.IDENTIFIER: _KEEP_AS_CATEGORY,
}


class CellFields(NamedTuple):
    """How the cells of a column became values, beyond what the table as a whole says: fields of a feature.

    `decimal_comma` is None where a comma is the decimal mark if it is in the whole table.
    """

    unit: str = ""
    cells: str = ""
    column: str = ""
    decimal_comma: bool | None = None


class CellReadingFields(TypedDict):
    """How cells become values: the fields of a feature that say so."""

    missing_texts: tuple[str, ...]
    decimal_comma: bool
    unit: str
    cells: str
    column: str


MAX_MISSING_TEXTS = 100
"""A feature declares no more texts than these; others that are no numbers are missing in any case, with a warning."""

_PLAIN = CellFields()


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One column: what it is, and its values with their types.

    `placeholders` are texts in a column of numbers that count as missing; `note` says why the column is left out, or
    how it was read, which `fields` say in terms of a feature.
    """

    report: ColumnReport
    values: pl.Series
    placeholders: tuple[str, ...] = ()
    note: str = ""
    fields: CellFields = _PLAIN

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.report.name

    @property
    def kind(self) -> ColumnKind:
        """What the column holds."""
        return self.report.kind

    @property
    def repeats(self) -> bool:
        """Whether it is an identifier that several rows share."""
        report = self.report
        is_shared = report.n_distinct is not None and report.n_distinct < report.n_rows - report.n_missing
        return report.kind is ColumnKind.IDENTIFIER and is_shared

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should look at, with the options that help; each follows the name of the column."""
        return tuple(f"{each.finding}: {_REMEDIES[each.concern]}" for each in self.report.warnings)


def view_column(column: pl.Series, source: Source) -> ColumnView:
    """Find out what a column is: its cells get types, and then it is described like a column of a data frame."""
    reading = read_cells(column, missing=source.missing, decimal_comma=source.decimal_comma)
    report = describe_series(reading.values, zero_one_as_boolean=True)
    if reading.mixed_units:
        reason = f"numbers in different units ({', '.join(reading.mixed_units)}); convert them to one"
        return ColumnView(
            replace(report, kind=ColumnKind.TEXT, warnings=()), reading.values, note=f"left out: {reason}"
        )
    if not report.kind.is_feature:
        remedy = _REMEDIES_FOR_KINDS.get(report.kind, "")
        if report.kind is ColumnKind.IDENTIFIER and report.read_as is Kind.NUMERIC:
            remedy = f"--numeric or {remedy}"
        return ColumnView(report, reading.values, note=f"left out: {report.reason}" + (f"; {remedy}" if remedy else ""))
    return _with_reading(report, reading)


def cell_reading(view: ColumnView, source: Source) -> CellReadingFields:
    """Return how the cells of a column were read, as a feature declares it."""
    fields = view.fields
    column = source.frame[fields.column or view.name]
    given = [text.strip() for text in source.missing]
    texts = [text for text in (*given, *view.placeholders) if text.casefold() not in MISSING_TEXTS]
    declared = tuple(dict.fromkeys(text for text in texts if len(text) <= MAX_NAME_LENGTH))[:MAX_MISSING_TEXTS]
    may_have_commas = source.decimal_comma and view.kind is ColumnKind.NUMERIC and column.dtype == pl.String
    has_commas = may_have_commas and bool(column.str.contains(",", literal=True).any())
    comma = has_commas if fields.decimal_comma is None else fields.decimal_comma
    return CellReadingFields(
        missing_texts=declared, decimal_comma=comma, unit=fields.unit, cells=fields.cells, column=fields.column
    )


def as_category(column: pl.Series, source: Source) -> ColumnView:
    """Read a column as categories because the user says so."""
    values = present_text(column, source.missing)
    return ColumnView(describe_series(values, as_category=True), values, note="as you said")


def as_number(column: pl.Series, source: Source) -> ColumnView:
    """Read a column as numbers because the user says so; anything else counts as missing."""
    reading = read_numbers_of(column, missing=source.missing, decimal_comma=source.decimal_comma)
    note = "; ".join(filter(None, ["as you said", reading.note]))
    report = replace(describe_series(reading.values), kind=ColumnKind.NUMERIC)
    return ColumnView(report, reading.values, _distinct(reading.misfits), note, _fields(reading))


def not_read(column: pl.Series, source: Source, kind: ColumnKind, note: str) -> ColumnView:
    """Return a column that rules do not read because the user says so."""
    values = present_text(column, source.missing)
    described = describe_series(values, as_category=True)
    return ColumnView(replace(described, kind=kind, warnings=()), values, note=note)


def with_target_warnings(views: Sequence[ColumnView], labels: Sequence[str], target: str) -> list[ColumnView]:
    """Return the columns, with warnings about those that determine the target by themselves."""

    def load(position: int) -> Column:
        view = views[position]
        if view.values.dtype == pl.Float64:  # which most columns are, and a wrapper is slow to make
            return Column(view.name, view.values.to_numpy())
        return frame_column(nw.from_native(view.values, series_only=True), view.name)

    reports = with_target([view.report for view in views], load, labels, target)
    return [replace(view, report=report) for view, report in zip(views, reports, strict=True)]


def class_warning(counts: Mapping[str, int], target: str) -> str:
    """Name the classes of the target that may be one class with two spellings; return "" if there are none."""
    question = spelling_question(counts)
    return f"{target!r} has {question}: the same? Rules would tell them apart: correct the table" if question else ""


def _with_reading(report: ColumnReport, reading: CellReading) -> ColumnView:
    """Return a column that rules read, with what its cells tell beyond their values."""
    values, note = reading.values, reading.note or report.note
    if report.kind is ColumnKind.BOOLEAN and values.dtype != pl.Boolean:
        values = (values == 1).alias(report.name)
    elif report.kind is ColumnKind.NUMERIC and values.dtype != pl.Float64:
        values = values.cast(pl.Float64)
    elif report.kind is ColumnKind.CATEGORICAL:
        values = values.cast(pl.String)
    if report.kind is not ColumnKind.NUMERIC:  # a column that is not read as numbers has nothing to say about them
        note = report.note
    elif note.endswith("codes?"):
        note += " --category" if note == report.note else " --category or --drop"
    warnings = (*report.warnings, *(reading.warnings if report.kind is ColumnKind.NUMERIC else ()))
    fields = _fields(reading) if report.kind is ColumnKind.NUMERIC else _PLAIN
    return ColumnView(replace(report, warnings=warnings), values, _distinct(reading.misfits), note, fields)


def _fields(reading: CellReading) -> CellFields:
    if reading.style is None:
        return _PLAIN
    cells = AMOUNT if reading.is_amount else ""
    return CellFields(reading.style.unit, cells, decimal_comma=reading.style.decimal_comma)


def _distinct(texts: pl.Series) -> tuple[str, ...]:
    return tuple(texts.unique(maintain_order=True).to_list())
