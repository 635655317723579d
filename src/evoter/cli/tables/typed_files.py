"""Parquet and Excel files, whose cells have types, read by a process of its own so that a damaged file is no crash."""

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from evoter.cli.output import Failure
from evoter.cli.tables.size_limits import check_workbook, max_cells, max_unpacked_bytes, too_many_bytes, too_many_cells

if TYPE_CHECKING:
    import polars as pl

_READER = Path(__file__).with_name("typed_reader.py")
_RESERVED_MEMORY = 16 * 2**30
"""Addresses, not memory, that the libraries may claim besides the table: a pool for each of many threads."""


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table and the names of the other sheets of its file."""

    frame: "pl.DataFrame"
    other_sheets: tuple[str, ...] = ()


def read_parquet(content: bytes, name: str) -> TypedTable:
    """Read a Parquet file."""
    return _read("parquet", content, name, "is not a valid Parquet file", "the file may be damaged: write it again", {})


def read_excel(content: bytes, name: str, *, sheet: str | None, has_header: bool) -> TypedTable:
    """Read a sheet of an Excel file, by default the first."""
    if find_spec("fastexcel") is None:
        raise Failure("reading Excel files needs fastexcel", 'pip install "evoter[cli]"')
    if content.startswith(b"PK"):
        check_workbook(content, name, sheet)
    request = {"sheet": sheet, "has_header": has_header}
    problem, hint = "cannot be read as an Excel file", "save it as .xlsx or as CSV"
    table = _read("excel", content, name, problem, hint, request)
    named = table.frame.rename({each: each.strip() for each in table.frame.columns})
    return TypedTable(named, table.other_sheets)


def _read(
    kind: Literal["parquet", "excel"], content: bytes, name: str, problem: str, hint: str, request: dict[str, Any]
) -> TypedTable:
    import polars as pl

    limits = {
        "max_cells": max_cells(),
        "max_bytes": max_unpacked_bytes(),
        "max_memory": _RESERVED_MEMORY + 4 * max_unpacked_bytes(),
    }
    arguments = json.dumps({"kind": kind, **request, **limits})
    finished = subprocess.run(
        [sys.executable, "-P", str(_READER), arguments], input=content, capture_output=True, check=False
    )
    line, _, table = finished.stdout.partition(b"\n")
    if finished.returncode != 0 or not line:
        raise Failure(f"{name} {problem}: the library that reads it gave up (status {finished.returncode})", hint)
    answer = json.loads(line)
    if "refused" not in answer:
        return TypedTable(pl.read_ipc_stream(io.BytesIO(table)), tuple(answer.get("others", ())))
    match answer["refused"]:
        case {"n_rows": n_rows, "n_columns": n_columns}:
            raise too_many_cells(name, n_rows, n_columns, "leave out columns or rows")
        case {"n_bytes": _}:
            raise too_many_bytes(name)
        case {"sheets": sheets}:
            raise Failure(f"{name} has no sheet {request['sheet']!r}", f"its sheets are {', '.join(sheets)}")
        case {"error": error}:
            raise Failure(f"{name} {problem}: {error}", hint)
        case other:
            raise AssertionError(other)
