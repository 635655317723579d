"""Writes one column to a compact file, batch by batch: numbers and codes get as many bytes as they need."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from evoter.rules.schema import Kind
from evoter.tables.columns import CodedCells, Column
from evoter.tables.intake.kinds import ColumnKind, UnreadableColumnError
from evoter.tables.stored.table import CODES, EMPTY, NUMBERS, UNREADABLE, StoredColumn

MAX_VALUES: Final = 2**16
"""The number of different texts, missing ones counted as one, that codes of two bytes can tell apart."""

CHUNK: Final = 2**22
"""Bytes that are read at a time."""

_MAX_WHOLE: Final = 2.0**53
"""Larger whole numbers are not all exact as floating-point numbers."""

_WIDER: Final = {"<f4": "<f8", "|u1": "<u2"}


class ColumnWriter:
    """Takes the cells of a column in batches; what they are is known from the first one that is not missing."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path
        self._file: IO[bytes] | None = None
        self._form = EMPTY
        self._dtype = ""
        self._crc = 0
        self._is_whole = True
        self._n_missing = 0
        self._codes: dict[Any, int] = {}
        self._kind: Kind | None = None
        self._categories: tuple[str, ...] = ()
        self._refused: UnreadableColumnError | None = None

    def add(self, column: Column) -> None:
        """Write the cells of a batch."""
        if self._form == UNREADABLE:
            return
        self._kind = self._kind or column.kind
        self._categories = self._categories or tuple(map(str, column.categories))
        cells = column.cells
        if isinstance(cells, list):
            if any(cell is not None for cell in cells):
                what = "holds Python objects, which rules cannot read from a table in batches"
                self.refuse(UnreadableColumnError(f"the column {self.name!r} {what}: cast it to text", reason=what))
                return
            cells = CodedCells((None,), np.zeros(len(cells), np.uint8))
        if isinstance(cells, CodedCells) and self._form == EMPTY and not any(_present(cells)):
            self._n_missing += len(cells)
        elif isinstance(cells, CodedCells):
            self._add_codes(cells)
        else:
            self._is_whole &= cells.dtype.kind in "iu" and bool((np.abs(cells.astype(np.float64)) <= _MAX_WHOLE).all())
            self._add_numbers(cells.astype(np.float64, copy=False))

    def refuse(self, error: UnreadableColumnError) -> None:
        """Give the column up: rules cannot read what it holds."""
        self.close()
        self._path.unlink(missing_ok=True)
        self._form, self._refused = UNREADABLE, error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self) -> tuple[StoredColumn, int]:
        """Return the column, and the checksum of its file."""
        self.close()
        if self._refused is not None:
            error = self._refused
            reasons = {"message": str(error), "reason": error.reason, "column_kind": error.kind}
            return StoredColumn(self.name, UNREADABLE, **reasons), 0  # type: ignore[arg-type]
        described = {"kind": self._kind, "categories": self._categories}
        if self._form == EMPTY:
            return StoredColumn(self.name, EMPTY, **described), 0  # type: ignore[arg-type]
        is_whole, values = self._is_whole and self._form == NUMBERS, tuple(self._codes)
        stored = StoredColumn(self.name, self._form, self._dtype, self._path.name, is_whole, values, **described)  # type: ignore[arg-type]
        return stored, self._crc

    def _add_numbers(self, numbers: NDArray[np.float64]) -> None:
        if self._form == EMPTY:
            self._open(NUMBERS, "<f4")
            self._is_whole &= self._n_missing == 0
            self._write(np.full(self._n_missing, np.nan))
        if self._dtype == "<f4":
            with np.errstate(over="ignore"):
                narrow = numbers.astype(np.float32)
            if not ((narrow == numbers) | np.isnan(numbers)).all():
                self._widen()
        self._write(numbers)

    def _add_codes(self, cells: CodedCells) -> None:
        if self._form == EMPTY:
            self._open(CODES, "|u1")
            if self._n_missing:
                self._codes[None] = 0
                self._write(np.zeros(self._n_missing))
        in_use = cells.in_use()
        lookup = np.array([self._codes.setdefault(value, len(self._codes)) for value in in_use.values], np.int64)
        if len(self._codes) > MAX_VALUES:
            example = next(value for value in self._codes if value is not None)
            most = f"more than {MAX_VALUES - 1:,} different texts"
            message = f"the column {self.name!r} has {most}, such as {example!r}: drop it, or group its values"
            self.refuse(UnreadableColumnError(message, ColumnKind.TEXT, most))
            return
        if len(self._codes) > 2**8 and self._dtype == "|u1":
            self._widen()
        self._write(lookup[in_use.codes])

    def _open(self, form: str, dtype: str) -> None:
        self._form, self._dtype = form, dtype
        self._file = self._path.open("wb")

    def _write(self, cells: NDArray[Any]) -> None:
        assert self._file is not None
        content = cells.astype(self._dtype).tobytes()
        self._crc = zlib.crc32(content, self._crc)
        self._file.write(content)

    def _widen(self) -> None:
        """Write what was written before again, with twice as many bytes for each cell."""
        self.close()
        narrow, draft = self._path.replace(self._path.with_suffix(".narrow")), self._dtype
        self._dtype, self._crc = _WIDER[draft], 0
        self._file = self._path.open("wb")
        for content in read_chunks(narrow):
            self._write(np.frombuffer(content, draft))
        narrow.unlink()


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file in chunks."""
    with path.open("rb") as file:
        while content := file.read(CHUNK):
            yield content


def _present(cells: CodedCells) -> list[bool]:
    return [value is not None for value in cells.in_use().values]
