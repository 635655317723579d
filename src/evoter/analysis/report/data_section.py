"""The data of a report: columns, missing values and labels."""

from collections.abc import Sequence
from typing import NamedTuple

from evoter.analysis.column_summary import ColumnSummary, summarise
from evoter.analysis.formatting import percent, rounded
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import Confusion

MAX_CATEGORIES = 6
MAX_COLUMNS = 200
"""Further categories and columns are counted, not listed."""


class Categories(NamedTuple):
    """The most frequent categories of a column with their counts, and the number of the others."""

    shown: tuple[tuple[str, int], ...]
    n_more: int


class LabelShare(NamedTuple):
    """The rows that have a label: their number, and their share of all rows, None where there are no rows."""

    n_rows: int
    share: float | None


Row = tuple[str | Categories, ...]
"""A column of the data as a row of the page: name, kind, values, missing values, values outside the training range."""


class DataSection(NamedTuple):
    """The columns that rules read, the first ones of all others, and how frequent the labels are."""

    n_columns: int
    read: list[Row]
    others: list[Row]
    n_others: int
    label_head: list[str]
    label_rows: list[tuple[str | LabelShare, ...]]


def data_section(material: Material) -> DataSection:
    """Summarise the columns that rules read, all others, and the labels."""
    columns = summarise(material.sample.X, material.readable.schema)
    used = set(material.ruleset.features_used)
    others = [column for column in columns if column.name not in used]
    return DataSection(
        n_columns=len(columns),
        read=[_row(column) for column in columns if column.name in used],
        others=[_row(column)[:-1] for column in others[:MAX_COLUMNS]],
        n_others=len(others),
        label_head=["label", material.rows_called, *(["training rows"] if material.train is not None else [])],
        label_rows=_label_rows(material),
    )


def _row(column: ColumnSummary) -> Row:
    if column.kind is None:
        return column.name, "not readable", "dates, mixed values or none", "–", "–"
    n_cells = column.n_values + column.n_missing
    missing = f"{column.n_missing:,} ({percent(column.n_missing / n_cells)})" if column.n_missing else "none"
    outside = "–" if column.outside is None else f"{column.outside:,}"
    return column.name, str(column.kind), _values(column), missing, outside


def _values(column: ColumnSummary) -> str | Categories:
    if column.n_values == 0:
        return "none"
    if column.low is not None and column.median is not None and column.high is not None:
        return f"{rounded(column.low)} to {rounded(column.high)}, median {rounded(column.median)}"
    return Categories(column.counts[:MAX_CATEGORIES], max(len(column.counts) - MAX_CATEGORIES, 0))


def _label_rows(material: Material) -> list[tuple[str | LabelShare, ...]]:
    confusion = material.sample.statistics.confusion
    if confusion is None:
        return []
    train = None if material.train is None else material.train.statistics.confusion
    sizes = [_sizes(each, confusion.labels) for each in (confusion, train) if each is not None]
    return [
        (label, *(LabelShare(each[index], each[index] / sum(each) if sum(each) else None) for each in sizes))
        for index, label in enumerate(confusion.labels)
    ]


def _sizes(confusion: Confusion, labels: Sequence[str]) -> list[int]:
    by_label = dict(zip(confusion.labels, confusion.matrix.sum(axis=1).tolist(), strict=True))
    return [by_label.get(label, 0) for label in labels]
