"""How large a table may become when it is unpacked, checked before it is read: a small file can hold a huge table."""

import csv
import gzip
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree

from evoter.cli.output import Failure

MAX_UNPACKED_BYTES = 2 * 2**30
"""How many bytes a compressed file may hold, unless the variable below says otherwise."""

MAX_CELLS = 200_000_000
"""How many cells (rows times columns) a table may have, unless the variable below says otherwise."""

BYTES_VARIABLE = "EVOTER_MAX_UNPACKED_BYTES"
CELLS_VARIABLE = "EVOTER_MAX_CELLS"

_CHUNK = 2**20
_CELL = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_OVERLAP = 32  # longer than any reference to a cell


def max_unpacked_bytes() -> int:
    """Return how many bytes a compressed file may hold."""
    return _limit(BYTES_VARIABLE, MAX_UNPACKED_BYTES)


def max_cells() -> int:
    """Return how many cells a table may have."""
    return _limit(CELLS_VARIABLE, MAX_CELLS)


def _limit(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not text.isdecimal() or int(text) == 0:
        raise Failure(f"{variable} is {text!r}, which is not a whole number above 0", "correct it, or unset it")
    return int(text)


def too_many_cells(name: str, n_rows: int, n_columns: int, hint: str) -> Failure:
    """Return the failure for a table with more cells than are allowed."""
    return Failure(
        f"{name} has {n_rows:,} rows and {n_columns:,} columns, more than {max_cells():,} cells",
        f"{hint}, or set {CELLS_VARIABLE} to a larger number",
    )


def too_many_bytes(name: str) -> Failure:
    """Return the failure for a file that holds more bytes than are allowed."""
    return Failure(
        f"{name} holds more than {max_unpacked_bytes():,} bytes once it is unpacked",
        f"unpack it yourself, or set {BYTES_VARIABLE} to a larger number",
    )


def gunzipped(content: bytes, name: str) -> bytes:
    """Return the content of a gzipped file; the bytes are counted as they are unpacked."""
    unpacked, limit = io.BytesIO(), max_unpacked_bytes()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            for chunk in _chunks(stream):
                if unpacked.tell() + len(chunk) > limit:
                    raise too_many_bytes(name)
                unpacked.write(chunk)
    except (OSError, EOFError, zlib.error) as error:
        raise Failure(f"{name} cannot be decompressed: {error}", "the file may be damaged: copy it again") from None
    return unpacked.getvalue()


def check_text(text: str, separator: str, n_columns: int, name: str) -> None:
    """Refuse delimited text of too many cells; a short line stands for a whole row."""
    most = max_cells() // n_columns
    if text.count("\n") < most:
        return
    n_rows = sum(1 for _ in csv.reader(io.StringIO(text), delimiter=separator))  # a cell may span lines
    if n_rows > most:
        raise too_many_cells(name, n_rows, n_columns, "leave out columns or rows")


def check_workbook(content: bytes, name: str, sheet: str | None) -> None:
    """Refuse an Excel file that holds too many bytes, or whose sheet (by default the first) spans too many cells.

    A single cell in the last row and column makes a sheet of 17 billion. Cells of .xls, .xlsb and .ods files are not
    checked here.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > max_unpacked_bytes():
                raise too_many_bytes(name)
            for part in _sheet_parts(archive, sheet):
                with archive.open(part) as stream:
                    n_rows, n_columns = _extent(stream)
                if n_rows * n_columns > max_cells():
                    raise too_many_cells(name, n_rows, n_columns, "delete stray cells far from the table")
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        what = f"{name} cannot be read as an Excel file: {error}"
        raise Failure(what.splitlines()[0], "the file may be damaged: save it as .xlsx or as CSV") from None


def _sheet_parts(archive: zipfile.ZipFile, sheet: str | None) -> list[str]:
    """Return the parts that hold a sheet of a workbook, all sheets where it cannot be told; none in other formats."""
    members = set(archive.namelist())
    every = sorted(each for each in members if re.fullmatch(r"xl/worksheets/[^/]+\.xml", each))
    try:
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    except (KeyError, ElementTree.ParseError):
        return every
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    sheets = {}
    for element in book.iter():
        if element.tag.rpartition("}")[2] == "sheet":
            link = next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == "id"), None)
            sheets[element.get("name")] = f"xl/{targets.get(link, '')}".replace("xl//xl/", "xl/")
    part = sheets.get(sheet) or next(iter(sheets.values()), "")
    return [part] if part in members and part in every else every


def _extent(stream: IO[bytes]) -> tuple[int, int]:
    """Return the last row and column that a sheet mentions."""
    last_row = last_column = 0
    end = b""
    for chunk in _chunks(stream):
        for letters, digits in set(_CELL.findall(end + chunk)):
            column = 0
            for letter in letters:
                column = 26 * column + letter - 64
            last_row, last_column = max(last_row, int(digits)), max(last_column, column)
        end = chunk[-_OVERLAP:]
    return last_row, last_column


def _chunks(stream: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK):
        yield chunk
