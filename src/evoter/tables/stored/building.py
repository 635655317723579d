"""Encodes a table that is read in batches into a folder of compact columns, and opens such a folder again."""

import errno
import hashlib
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import narwhals as nw

from evoter.rules.errors import SchemaError
from evoter.rules.files.writing import sync_folder, write_file
from evoter.rules.schema import Kind
from evoter.tables.intake.kinds import ColumnKind, UnreadableColumnError
from evoter.tables.stored.batches import Batches
from evoter.tables.stored.column_writer import ColumnWriter, read_chunks
from evoter.tables.stored.table import StoredColumn, StoredTable

VERSION: Final = 1
"""To be raised whenever the same table would be stored differently: older folders are then built again."""

MANIFEST: Final = "table.json"

Progress = Callable[[int, int | None], None]
"""Told how many rows have been read, and how many there are, if that is known."""

ReadColumn = Callable[[Any, str], Any]


class StorageFullError(OSError):
    """The disk has no room for the columns of a table."""


class DamagedTableError(Exception):
    """A folder does not hold what its manifest says."""


def build(batches: Batches, folder: Path, read_column: ReadColumn, key: str, progress: Progress | None = None) -> None:
    """Write the columns of a table to an empty folder, and last the manifest, which makes them valid.

    `read_column` turns a series of a batch into a column.
    """
    writers = [ColumnWriter(name, folder / f"{position}.bin") for position, name in enumerate(batches.names)]
    n_rows = 0
    try:
        try:
            for batch in batches.read(batches.names):
                frame = nw.from_native(batch, eager_only=True)
                for position, writer in enumerate(writers):
                    _add(writer, frame[:, position], read_column)
                n_rows += len(frame)
                if progress is not None:
                    progress(n_rows, batches.n_rows)
        finally:
            for writer in writers:
                writer.close()
        if n_rows == 0:
            raise SchemaError("the table is empty: it has no rows; a minimum of 1 is required")
        _write_manifest(folder, n_rows, key, [writer.finish() for writer in writers])
    except OSError as error:
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            raise StorageFullError(
                error.errno,
                f"the disk is full after {n_rows:,} rows of the table were stored; make room, or choose another disk "
                f"with EVOTER_CACHE",
                str(folder.parent),
            ) from None
        raise


def _add(writer: ColumnWriter, series: Any, read_column: ReadColumn) -> None:
    try:
        writer.add(read_column(series, writer.name))
    except UnreadableColumnError as error:
        writer.refuse(error)


def _write_manifest(folder: Path, n_rows: int, key: str, written: list[tuple[StoredColumn, int]]) -> None:
    columns = []
    for column, crc in written:
        if column.file:
            _sync(folder / column.file)
        columns.append(asdict(column) | {"crc": crc})
    content = {"version": VERSION, "key": key, "rows": n_rows, "columns": columns}
    text = json.dumps(content, ensure_ascii=True)
    write_file(folder / MANIFEST, json.dumps({"sha256": _digest(text), "content": text}))
    sync_folder(folder)


def open_stored(folder: Path, key: str, keeper: object = None) -> StoredTable:
    """Open a folder that `build` has written; a DamagedTableError is raised if it is not as it was then."""
    try:
        outer = json.loads((folder / MANIFEST).read_text("utf-8"))
        text = outer["content"]
        if outer["sha256"] != _digest(text):
            raise DamagedTableError("the manifest has been changed")
        content = json.loads(text)
        if content["version"] != VERSION or content["key"] != key:
            raise DamagedTableError("it is of another table or version")
        columns = tuple(_checked(folder, entry, content["rows"]) for entry in content["columns"])
        return StoredTable(folder, content["rows"], columns, keeper=keeper)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedTableError(str(error)) from None


def _checked(folder: Path, entry: dict[str, Any], n_rows: int) -> StoredColumn:
    crc = entry.pop("crc")
    kind = None if entry["kind"] is None else Kind(entry["kind"])
    lists = {key: tuple(entry[key]) for key in ("values", "missing", "categories")}
    column = StoredColumn(**{**entry, **lists, "kind": kind, "column_kind": ColumnKind(entry["column_kind"])})
    if column.file:
        path = folder / Path(column.file).name
        if path.stat().st_size != n_rows * int(column.dtype[-1]):
            raise DamagedTableError(f"{path.name} has another size")
        found = 0
        for chunk in read_chunks(path):
            found = zlib.crc32(chunk, found)
        if found != crc:
            raise DamagedTableError(f"{path.name} has been changed")
    return column


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
