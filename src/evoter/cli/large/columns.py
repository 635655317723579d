"""The columns of a large table: roles and kinds from a sample of the rows, classes and values from all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.cli.fit.column_roles import (
    MAX_CLASSES,
    Choices,
    Plan,
    plan_columns,
    read_class_names,
    read_labels,
    shared_identifier,
)
from evoter.cli.output import Failure, split_hint
from evoter.cli.tables.column_views import ColumnView
from evoter.cli.tables.files import ReadingOptions, Source
from evoter.kernels.layout import Ints
from evoter.rules.schema import Feature, Kind
from evoter.tables import ColumnKind, ColumnReport
from evoter.tables.columns import CodedCells
from evoter.tables.intake.cells import present_text, read_feature, to_numbers
from evoter.tables.stored.table import CODES, NUMBERS, UNREADABLE, StoredColumn, StoredTable

SAMPLE_ROWS: Final = 200_000
"""The number of rows by which columns are judged, and that the report is about."""

_SEED: Final = 0


class NeedsMemoryError(Failure):
    """Something that cannot be done with a table in batches."""


@dataclass(frozen=True, eq=False)
class LargeTable:
    """A stored table, its name and checksum, and the rows by which its columns are judged, in order."""

    name: str
    sha256: str
    stored: StoredTable
    sampled: Ints
    source: Source

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.stored)


def sample_table(stored: StoredTable, name: str, sha256: str, options: ReadingOptions) -> LargeTable:
    """Draw rows of a stored table, and read them as a small table is read."""
    n_rows = len(stored)
    rows = np.arange(n_rows)
    if n_rows > SAMPLE_ROWS:
        rows = np.sort(np.random.default_rng(_SEED).choice(n_rows, SAMPLE_ROWS, replace=False))
    few = stored.take(rows)
    frame = pl.DataFrame([_series(few, column) for column in stored.columns])
    source = Source(name, frame, sha256, missing=options.missing, options=options, sampled_from=n_rows)
    return LargeTable(name, sha256, stored, rows, source)


def plan_large(table: LargeTable, choices: Choices) -> Plan:
    """Assign a role to each column by the sampled rows; counts of missing values and ranges are those of all rows."""
    asked = {*choices.categories, *choices.numbers, *filter(None, [choices.identifier, choices.target])}
    unreadable = {column.name: column for column in table.stored.columns if column.form == UNREADABLE}
    for name in [each for each in unreadable if each in asked]:
        raise Failure(*split_hint(unreadable[name].message.replace(": ", "; ", 1)))
    plan = plan_columns(table.source, choices)
    if plan.numbers is not None:
        raise NeedsMemoryError(
            f"{table.name} has {table.n_rows:,} rows, and rules that predict numbers need all of them in memory",
            "split the target into classes with --cut, or fit on a part of the rows",
        )
    views = [
        _left_out(view, unreadable[view.name]) if view.name in unreadable else _counted(view, table)
        for view in plan.views
    ]
    return replace(plan, views=tuple(views), identifier=choices.identifier or shared_identifier(views))


def label_rows(table: LargeTable, plan: Plan) -> tuple[tuple[str, ...], Ints]:
    """Return the classes in order, and for each row the position of its class, -1 where it has none."""
    column = table.stored.find(plan.target)
    cells = table.stored.load(table.stored.names.index(plan.target), plan.target).cells
    if isinstance(cells, CodedCells):
        values, codes = pl.Series(plan.target, list(cells.values)), cells.codes
    else:
        assert isinstance(cells, np.ndarray)
        distinct, codes = np.unique(cells, return_inverse=True)
        values = pl.Series(plan.target, distinct, nan_to_null=True)
    few = replace(table.source, frame=values.to_frame())
    labels = read_labels(few, plan.target, plan.choices.cuts)
    present = sorted({label for label in labels if label is not None})
    if len(present) > MAX_CLASSES:
        raise Failure(
            f"the target {column.name!r} has {len(present):,} different values in {table.n_rows:,} rows",
            "rules predict a few classes; choose a column whose values repeat, or split numbers with --cut",
        )
    names = read_class_names(plan.choices.labels, present)
    classes = tuple(sorted(names.get(label, label) for label in present))
    lookup = [-1 if label is None else classes.index(names.get(label, label)) for label in labels]
    return classes, np.array(lookup, np.int64)[codes]


def feature_table(table: LargeTable, plan: Plan) -> StoredTable:
    """Return the columns that rules may read, all rows of them, each cell read as the sampled ones were."""
    columns = []
    for view in plan.features:
        column = table.stored.find(view.name)
        if column.form == CODES and column.kind is not Kind.BOOLEAN:
            columns.append(_typed(column, view, plan))
        elif column.form == NUMBERS:
            numbers = to_numbers(pl.Series(list(table.source.missing), dtype=pl.String), decimal_comma=False)
            read = replace(column, missing=tuple(numbers.drop_nulls().to_list()))
            is_boolean = view.kind is ColumnKind.BOOLEAN and _is_boolean(table.stored.cells(column))
            columns.append(replace(read, kind=Kind.BOOLEAN) if is_boolean else read)
        else:
            columns.append(column)
    return replace(table.stored, columns=tuple(columns))


def group_rows(table: LargeTable, plan: Plan) -> Ints | None:
    """Return the number of the group of each row by its identifier; rows without one are groups of their own."""
    if plan.identifier is None:
        return None
    column = table.stored.find(plan.identifier)
    cells = table.stored.cells(column)
    if column.form == CODES:
        texts = present_text(pl.Series(list(column.values), dtype=pl.String), table.source.missing)
        is_missing = texts.is_null().to_numpy()[cells]
        groups = cells.astype(np.int64)
    else:
        is_missing = np.isnan(cells)
        groups = np.unique(cells, return_inverse=True)[1].astype(np.int64)
    groups[is_missing] = groups.max(initial=0) + 1 + np.arange(int(is_missing.sum()))
    return groups


def _series(table: StoredTable, column: StoredColumn) -> pl.Series:
    if column.form not in (NUMBERS, CODES):
        return pl.Series(column.name, [None] * len(table), dtype=pl.String)
    cells = table.cells(column)
    if column.form == CODES:
        dtype = pl.Boolean if column.kind is Kind.BOOLEAN else pl.String
        return pl.Series(column.name, list(column.values), dtype=dtype).gather(cells.astype(np.uint32))
    if column.is_whole:
        return pl.Series(column.name, cells.astype(np.int64))
    return pl.Series(column.name, cells.astype(np.float64), nan_to_null=True)


def _left_out(view: ColumnView, column: StoredColumn) -> ColumnView:
    report = ColumnReport(view.name, column.column_kind, n_rows=view.report.n_rows, reason=column.reason)
    return replace(view, report=report, note=f"left out: {column.reason}")


def _counted(view: ColumnView, table: LargeTable) -> ColumnView:
    """Return a column with the number of missing values, and the range, of all rows instead of some."""
    column = table.stored.find(view.name)
    if column.form not in (NUMBERS, CODES):
        return replace(view, report=replace(view.report, n_rows=table.n_rows, n_missing=table.n_rows))
    cells = table.stored.cells(column)
    if column.form == CODES:
        texts = present_text(pl.Series(list(column.values)), [*table.source.missing, *view.placeholders])
        n_missing = int(texts.is_null().to_numpy()[cells].sum())
    else:
        n_missing = int(np.isnan(cells).sum())
    report = replace(view.report, n_rows=table.n_rows, n_missing=n_missing)
    if report.kind is ColumnKind.IDENTIFIER:
        report = replace(report, n_distinct=len(np.unique(cells)) - (n_missing > 0))
    if column.form == CODES:
        return replace(view, report=report)
    if report.low is not None and not column.missing and n_missing < len(cells):
        report = replace(report, low=float(np.nanmin(cells)), high=float(np.nanmax(cells)))
    return replace(view, report=report)


def _typed(column: StoredColumn, view: ColumnView, plan: Plan) -> StoredColumn:
    """Return a column of texts whose values have the type that the cells of the sample got."""
    kinds = {ColumnKind.NUMERIC: Kind.NUMERIC, ColumnKind.BOOLEAN: Kind.BOOLEAN}
    kind = kinds.get(view.kind, Kind.CATEGORICAL)
    categories = ("any",) if kind is Kind.CATEGORICAL else ()
    feature = Feature(view.name, kind, categories=categories, **plan.cell_reading(view))
    texts = pl.Series(view.name, list(column.values), dtype=pl.String)
    values = read_feature(texts, feature, missing=plan.source.missing).values.to_list()
    return replace(column, values=tuple(values), kind=kind, categories=())


def _is_boolean(cells: NDArray[np.floating]) -> bool:
    return bool(((cells == 0) | (cells == 1) | np.isnan(cells)).all())


def split_large(codes: Ints, groups: Ints | None, share: float, seed: int) -> tuple[Ints, Ints]:
    """Hold out a share of the rows with a class: of each class in proportion, or of the groups, which stay together."""
    if not 0.0 <= share <= 0.9:
        raise Failure(f"--test {share:g} is out of range", "hold out 0 to 0.9 of the rows, such as --test 0.25")
    from evoter.estimators.classification.row_samples import draw_rows

    labelled = np.flatnonzero(codes >= 0)
    if share == 0.0:
        return labelled, labelled[:0]
    if groups is None:
        drawn = draw_rows(codes[labelled], round(share * len(labelled)), seed)
        is_test = np.zeros(len(labelled), np.bool_)
        is_test[drawn] = True
    else:
        numbers = np.unique(groups[labelled], return_inverse=True)[1]
        chosen = np.random.default_rng(seed).random(int(numbers.max()) + 1) < share
        is_test = chosen[numbers]
    return labelled[~is_test], labelled[is_test]


def check_classes(classes: Sequence[str], codes: Ints, train: Ints) -> None:
    """Refuse training rows that have a single class."""
    found = np.unique(codes[train])
    if len(found) < 2:
        only = repr(classes[int(found[0])]) if len(found) else "none"
        raise Failure(f"all training rows have the class {only}", "choose another target, or another --split-seed")
