"""A table whose columns are compact files on disk; a column is loaded when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Ints
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Kind
from evoter.tables.columns import CodedCells, Column
from evoter.tables.intake.kinds import ColumnKind, UnreadableColumnError

NUMBERS: Final = "numbers"
CODES: Final = "codes"
EMPTY: Final = "empty"
UNREADABLE: Final = "unreadable"


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """What is known about a column: its form, its file, and what its codes stand for.

    `numbers` are floating-point numbers of four bytes, where that changes none of them, or of eight, NaN where
    missing; `is_whole` says that their type was one of whole numbers, none of them missing or too large to be
    exact; `missing` are numbers that mean missing; `codes` are positions among the `values`, of one byte or two; an
    `empty` column has neither values nor a file. An `unreadable` one has a reason instead, which is said when
    somebody asks for its values.
    """

    name: str
    form: str
    dtype: str = ""
    file: str = ""
    is_whole: bool = False
    values: tuple[Any, ...] = ()
    missing: tuple[float, ...] = ()
    kind: Kind | None = None
    categories: tuple[str, ...] = ()
    message: str = ""
    reason: str = ""
    column_kind: ColumnKind = ColumnKind.OTHER


@dataclass(frozen=True, eq=False)
class StoredTable:
    """Columns in a folder, in some order, with all rows or some of them.

    `keeper` is whatever must live as long as the files are needed, such as a temporary folder.
    """

    folder: Path
    n_stored: int
    columns: tuple[StoredColumn, ...]
    rows: Ints | slice = field(default_factory=lambda: slice(None))
    keeper: object = None

    def __len__(self) -> int:
        return len(range(*self.rows.indices(self.n_stored))) if isinstance(self.rows, slice) else len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def find(self, name: str) -> StoredColumn:
        """Return a column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise SchemaError(f"the table has no column {name!r}{did_you_mean(name, self.names)}")

    def select(self, names: Sequence[str]) -> "StoredTable":
        """Return the table with some of its columns, in the given order."""
        return replace(self, columns=tuple(self.find(name) for name in names))

    def without(self, name: str) -> "StoredTable":
        """Return the table with all columns but one."""
        self.find(name)
        return self.select([each for each in self.names if each != name])

    def take(self, rows: Ints | slice) -> "StoredTable":
        """Return the table with some of its rows, given by position."""
        if isinstance(self.rows, slice) and self.rows == slice(None):
            return replace(self, rows=rows)
        whole = self.rows if not isinstance(self.rows, slice) else np.arange(*self.rows.indices(self.n_stored))
        return replace(self, rows=whole[rows])

    def cells(self, column: StoredColumn) -> NDArray[Any]:
        """Return the numbers or codes of a column on the rows of the table, as they are stored."""
        stored = np.memmap(self.folder / column.file, column.dtype, "r", shape=(self.n_stored,))
        return np.array(stored[self.rows])

    def load(self, position: int, name: str) -> Column:
        """Return a column as a frame would give it; an UnreadableColumnError says why rules cannot read it."""
        column = self.columns[position]
        if column.form == UNREADABLE:
            raise UnreadableColumnError(column.message, column.column_kind, column.reason)
        if column.form == EMPTY:
            return Column(name, CodedCells((None,), np.zeros(len(self), np.uint8)), column.kind, column.categories)
        cells = self.cells(column)
        if column.form == NUMBERS:
            if not column.missing:
                return Column(name, cells.astype(np.int64 if column.is_whole else np.float64, copy=False), column.kind)
            numbers = cells.astype(np.float64)
            numbers[np.isin(numbers, column.missing)] = np.nan
            return Column(name, numbers, column.kind)
        return Column(name, CodedCells(column.values, cells), column.kind, column.categories)
