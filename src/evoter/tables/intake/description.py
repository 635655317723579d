"""From a column to its kind: one inference for data frames, arrays, and the typed cells of text files."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.rules.schema import Feature, Kind
from evoter.tables.columns import Column, any_category, declared_categories, distinct, kind_of, read_numbers
from evoter.tables.intake.identifiers import Verdict, have_digits, judge_repeated
from evoter.tables.intake.kinds import ColumnConcern, ColumnKind, ColumnReport, ColumnWarning, UnreadableColumnError
from evoter.tables.intake.limits import (
    MAX_CATEGORIES,
    MIN_VALUES_TO_JUDGE,
    MOSTLY,
    MOSTLY_DIFFERENT,
    NEARLY_UNIQUE,
    NUMERIC_CODES,
    has_strong_id_name,
    is_date_text,
    is_id_name,
)
from evoter.tables.intake.spelling import spelling_question
from evoter.tables.intake.target_leaks import ColumnValues, find_leaks
from evoter.tables.sources import column_positions, frame_column, name_columns, open_table

_ALL_DIFFERENT = "all values differ"
_N_EXAMPLES = 4


def describe_columns(
    X: object,
    y: Iterable[object] | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    categorical: Literal["auto"] | Iterable[str | int] = "auto",
    zero_one_as_boolean: bool = False,
) -> list[ColumnReport]:
    """Tell what the columns of a table are, and what is questionable about them; nothing is refused.

    `evoter fit` shows its user the same reports. With the labels `y`, there are warnings about columns
    that determine them alone.

    Parameters
    ----------
    X : array, list of rows, or frame of pandas, polars or similar
        The table.
    y : iterable, optional
        The labels of its rows.
    feature_names : sequence of str, optional
        Names for the columns of an array.
    categorical : "auto" or list of str or int
        Columns that hold categories, even if they look like something else.
    zero_one_as_boolean : bool
        Whether a column that holds the numbers 0 and 1 only is boolean. The command line reads text files in this way,
        which have no types; a frame has types, so its numbers stay numbers by default.

    Examples
    --------
    >>> table = [[n, "Bonn" if n % 3 else "bonn", 7.5] for n in range(60)]
    >>> for report in describe_columns(table, feature_names=["visit_id", "town", "dose"]):
    ...     print(report.name, "|", report.kind, "|", report.reason, *(each.finding for each in report.warnings))
    visit_id | identifier | all values differ
    town | category |  has 'bonn' and 'Bonn'
    dose | constant | always the same
    """
    table = open_table(X)
    names = name_columns(table, feature_names)
    asked_for = frozenset() if categorical == "auto" else column_positions(categorical, names)
    labels = None if y is None else [str(label) for label in y]
    reports = []
    for position, name in enumerate(names):
        try:
            column = table.load(position, name)
            report = describe_column(column, as_category=position in asked_for, zero_one_as_boolean=zero_one_as_boolean)
            reports.append(report)
        except UnreadableColumnError as error:
            reports.append(ColumnReport(name, error.kind, n_rows=table.n_rows, reason=error.reason))
    if labels is None:
        return reports
    return with_target(reports, lambda position: table.load(position, names[position]), labels)


def describe_series(series: Any, *, as_category: bool = False, zero_one_as_boolean: bool = False) -> ColumnReport:
    """Tell what a series of pandas, polars or similar holds; nothing is refused."""
    typed = nw.from_native(series, series_only=True)
    try:
        column = frame_column(typed, typed.name)
        return describe_column(column, as_category=as_category, zero_one_as_boolean=zero_one_as_boolean)
    except UnreadableColumnError as error:
        n_missing = int(typed.null_count())
        return ColumnReport(typed.name, error.kind, n_rows=len(typed), n_missing=n_missing, reason=error.reason)


def describe_column(column: Column, *, as_category: bool = False, zero_one_as_boolean: bool = False) -> ColumnReport:
    """Tell what a column is; an UnreadableColumnError is raised if its values are neither numbers, text nor booleans.

    With `as_category`, the user says that it holds categories, however many and of whatever kind.
    """
    kind = Kind.CATEGORICAL if as_category else kind_of(column)
    report = ColumnReport(column.name, ColumnKind.EMPTY, kind, n_rows=len(column.cells), n_missing=len(column.cells))
    if kind is Kind.CATEGORICAL:
        declared_categories(column)  # refuses those that have no name
        return _texts(report, column, judged=not as_category and column.kind is not Kind.CATEGORICAL)
    if kind is None:
        return replace(report, reason="no values")
    numbers = read_numbers(column, Feature(column.name, kind))
    present = numbers[~np.isnan(numbers)]
    if not present.size:
        return replace(report, reason="no values")
    report = replace(report, n_missing=numbers.size - present.size)
    if kind is Kind.BOOLEAN:
        return _booleans(report, present)
    return _numbers(report, numbers, present, zero_one_as_boolean=zero_one_as_boolean, from_array=column.from_array)


def with_target(
    reports: Sequence[ColumnReport], load: Callable[[int], Column], labels: Sequence[str], target: str = ""
) -> list[ColumnReport]:
    """Return the reports of all columns, with warnings about those that alone decide the labels, or nearly."""
    features = [position for position, report in enumerate(reports) if report.kind.is_feature]

    def values_of(index: int) -> ColumnValues:
        return _values_of(reports[features[index]], load(features[index]))

    warned = list(reports)
    for index, leak in find_leaks(values_of, len(features), labels).items():
        report = reports[features[index]]
        finding = f"determines {target or 'the target'} by itself for {leak.right:.1%} of the rows"
        if leak.others_right is not None:
            finding = f"nearly {finding}, all other columns together for {leak.others_right:.1%}"
        warning = ColumnWarning(report.name, ColumnConcern.TARGET, finding)
        warned[features[index]] = replace(report, warnings=(warning, *report.warnings))
    return warned


def _values_of(report: ColumnReport, column: Column) -> ColumnValues:
    """Return the values of a column that rules read; those of categories are the numbers of their names."""
    kind = report.read_as
    if kind is not Kind.CATEGORICAL:
        numbers = read_numbers(column, Feature(column.name, kind or Kind.NUMERIC))
        return ColumnValues(numbers, ordered=report.kind is ColumnKind.NUMERIC)
    readings, positions = distinct(column, any_category(column.name))
    texts = np.array(["" if each is None else str(each) for each in readings])
    return ColumnValues(np.unique(texts, return_inverse=True)[1][positions].astype(np.float64), ordered=False)


def _booleans(report: ColumnReport, present: Floats) -> ColumnReport:
    if _is_constant(report, int(np.unique(present).size)):
        return _constant(report, "true" if present[0] else "false")
    return replace(report, kind=ColumnKind.BOOLEAN, share_true=float(present.mean()))


def _numbers(
    report: ColumnReport, numbers: Floats, present: Floats, *, zero_one_as_boolean: bool, from_array: bool
) -> ColumnReport:
    low, high = float(present.min()), float(present.max())
    is_finite = bool(np.isfinite([low, high]).all())
    infinite_row = None if is_finite else int(np.flatnonzero(np.isinf(numbers))[0])
    report = replace(report, low=low, high=high, infinite_row=infinite_row)
    if _is_constant(report, 1 if low == high else 2):
        return _constant(report, f"{low:g}")
    report = replace(report, kind=ColumnKind.NUMERIC)
    if not is_finite or not _are_whole(present):
        return report
    different = np.unique(present)
    report = replace(report, n_distinct=different.size)
    if zero_one_as_boolean and different.tolist() == [0.0, 1.0]:
        boolean = replace(report, kind=ColumnKind.BOOLEAN, read_as=Kind.BOOLEAN)
        return replace(boolean, share_true=float(present.mean()), note="0 is no, 1 is yes")
    if present.size < MIN_VALUES_TO_JUDGE:
        return report
    # A matrix of measurements hardly ever numbers its rows, while examples often hold a range of numbers.
    numbers_rows = high - low == different.size - 1 and not from_array
    if different.size == numbers.size and (numbers_rows or is_id_name(report.name)):
        return replace(report, kind=ColumnKind.IDENTIFIER, reason=_ALL_DIFFERENT)
    if not from_array and different.size < present.size:
        codes = np.searchsorted(different, present)
        verdict = judge_repeated(report.name, codes, consecutive=bool(high - low == different.size - 1))
        if verdict is not None:
            return _as_identifier(report, verdict)
    if different.size in NUMERIC_CODES or (has_strong_id_name(report.name) and different.size < present.size):
        return replace(report, note=f"{different.size} whole numbers; codes?")
    return report


def _texts(report: ColumnReport, column: Column, *, judged: bool) -> ColumnReport:
    counts = category_counts(column)
    if not counts:
        return replace(report, reason="no values")
    n_present = sum(counts.values())
    report = replace(report, n_missing=report.n_rows - n_present, n_distinct=len(counts))
    frequent = sorted(counts, key=lambda name: -counts[name])
    if _is_constant(report, len(counts)):
        return _constant(report, frequent[0])
    unread = replace(report, examples=tuple(frequent[:2]))
    if judged and sum(n for text, n in counts.items() if is_date_text(text)) >= MOSTLY * n_present:
        return replace(unread, kind=ColumnKind.DATE, reason="dates")
    if judged and n_present >= MIN_VALUES_TO_JUDGE and len(counts) == n_present:
        return replace(unread, kind=ColumnKind.IDENTIFIER, reason=_ALL_DIFFERENT)
    if judged and is_free_text(report):
        return replace(unread, kind=ColumnKind.TEXT, reason=f"{len(counts):,} different texts")
    report = replace(report, kind=ColumnKind.CATEGORICAL, examples=tuple(frequent[:_N_EXAMPLES]))
    question = spelling_question(counts)
    if question:
        report = replace(report, warnings=(ColumnWarning(report.name, ColumnConcern.SPELLING, f"has {question}"),))
    if not judged:
        return report
    are_codes = have_digits(list(counts))
    verdict = judge_repeated(report.name, _row_codes(column), are_numbers=False, are_codes=are_codes)
    if verdict is not None:
        return replace(_as_identifier(report, verdict), examples=unread.examples)
    if n_present >= MIN_VALUES_TO_JUDGE and len(counts) > MOSTLY_DIFFERENT * n_present:
        finding = f"has {len(counts):,} different texts in {n_present:,} rows, which hardly repeat"
        warning = ColumnWarning(report.name, ColumnConcern.IDENTIFIER, finding)
        return replace(report, warnings=(warning, *report.warnings))
    return report


def _as_identifier(report: ColumnReport, verdict: Verdict) -> ColumnReport:
    """Return the report of an identifier whose values repeat, or of a column that may be one."""
    if verdict.is_identifier:
        return replace(report, kind=ColumnKind.IDENTIFIER, reason=verdict.reason, warnings=())
    finding = f"looks like an identifier: {verdict.reason}"
    return replace(report, warnings=(ColumnWarning(report.name, ColumnConcern.IDENTIFIER, finding), *report.warnings))


def _row_codes(column: Column) -> NDArray[np.intp]:
    """Return the number of the category of each row that has one."""
    readings, positions = distinct(column, any_category(column.name))
    present = np.array([reading is not None for reading in readings])
    codes: NDArray[np.intp] = positions[present[positions]]
    return codes


def is_free_text(report: ColumnReport) -> bool:
    """Tell whether a column of texts has too many different ones to be categories."""
    n_present, n_distinct = report.n_rows - report.n_missing, report.n_distinct or 0
    nearly_unique = n_present >= MIN_VALUES_TO_JUDGE and n_distinct > NEARLY_UNIQUE * n_present
    return n_distinct > MAX_CATEGORIES or nearly_unique


def category_counts(column: Column) -> dict[str, int]:
    """Return how often each category occurs, by its name."""
    readings, positions = distinct(column, any_category(column.name))
    counts: dict[str, int] = {}
    for reading, n in zip(readings, np.bincount(positions, minlength=len(readings)).tolist(), strict=True):
        if reading is not None:
            counts[str(reading)] = counts.get(str(reading), 0) + n
    return counts


def _is_constant(report: ColumnReport, n_distinct: int) -> bool:
    return n_distinct == 1 and not report.n_missing


def _constant(report: ColumnReport, value: str) -> ColumnReport:
    return replace(report, kind=ColumnKind.CONSTANT, n_distinct=1, examples=(value,), reason="always the same")


def _are_whole(numbers: Floats) -> bool:
    first = numbers[:1_000]  # most columns that are not whole show it at once
    return bool((first == np.rint(first)).all() and (numbers == np.rint(numbers)).all())
