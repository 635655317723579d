"""Tables in files or from standard input: CSV and its kin, gzipped or not, Parquet and Excel."""

import gzip
import hashlib
import io
import re
import shlex
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from evoter.cli.output import Failure

if TYPE_CHECKING:
    import polars as pl

TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".data", ".gz", ".parquet", ".pq", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_JSON = re.compile(rb"\s*(\{|\[\s*[\[{\"\d])")  # names of columns may be in brackets too
_GZIP, _PARQUET, _ZIP, _OLD_EXCEL = b"\x1f\x8b", b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What the user says about how a table is to be read.

    `likely_sheet` and `likely_encoding` are those of an earlier table: taken where this one has that sheet, and where
    it is not UTF-8.
    """

    header: bool = True
    sheet: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    likely_sheet: str | None = None
    likely_encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A table as it was found: cells of a text table are text still, those of other formats have types.

    `separator` stands between the cells of a text table, and `decimal_comma` says that a comma may stand in a number
    for the point; `missing` are texts that the user says mean
    missing, beside the usual ones; `other_sheets` are the sheets of an Excel file that were not read.
    """

    name: str
    frame: "pl.DataFrame"
    sha256: str
    separator: str = ","
    decimal_comma: bool = False
    header_looks_like_data: bool = False
    other_sheets: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    options: ReadingOptions = field(default_factory=ReadingOptions)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.frame)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns


def read_source(path: str, options: ReadingOptions | None = None) -> Source:
    """Read a table; `-` is standard input, where the content tells the format."""
    options = options or ReadingOptions()
    content = read_bytes(path)
    name = "standard input" if path == "-" else Path(path).name
    digest = hashlib.sha256(content).hexdigest()
    if not content.strip():
        raise Failure(f"{name} is empty", "a table needs a line of column names and lines of values")
    if content.startswith(_GZIP):
        content = _unzipped(content, name)
    if content.startswith(_PARQUET):
        return _checked(Source(name, _read_parquet(content, name), digest, missing=options.missing, options=options))
    if content.startswith((_ZIP, _OLD_EXCEL)):
        frame, others = _read_excel(content, name, options)
        return _checked(Source(name, frame, digest, other_sheets=others, missing=options.missing, options=options))
    if _JSON.match(content):
        raise Failure(f"{name} is JSON, which is no table here", "tables are CSV, TSV, Parquet or Excel files")
    from evoter.cli.tables.delimited_text import read_text

    table = read_text(content, name, encoding=options.encoding, likely=options.likely_encoding, header=options.header)
    source = Source(
        name,
        table.frame,
        digest,
        separator=table.separator,
        decimal_comma=table.separator != ",",
        header_looks_like_data=table.header_looks_like_data,
        missing=options.missing,
        options=options,
    )
    return _checked(source)


def read_bytes(path: str) -> bytes:
    """Return the content of a file or of standard input."""
    if path == "-":
        if sys.stdin.isatty():
            raise Failure("nothing comes in on standard input", "pipe a table in, as in: cat data.csv | evoter ... -")
        return sys.stdin.buffer.read()
    place = Path(path).expanduser()
    try:
        return place.read_bytes()
    except FileNotFoundError:
        raise Failure(f"there is no file {path!r}", _nearest_file(place)) from None
    except IsADirectoryError:
        raise Failure(f"{path!r} is a directory", "name a file in it") from None
    except OSError as error:
        raise Failure(f"{path!r} cannot be read: {error.strerror or error}") from None


def unknown_column(name: str, names: Iterable[str], source: str) -> Failure:
    """Return the failure for a column that a table does not have."""
    names = list(names)
    folded = {each.casefold(): each for each in names}
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, n=3, cutoff=0.7)]
    if near:
        hint = f"did you mean {' or '.join(repr(each) for each in near)}?"
    else:
        shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
        hint = f"its columns are {shown}"
    return Failure(f"{source} has no column {name!r}", hint)


def about_sheets(source: Source) -> str:
    """Say which other sheets an Excel file has, where what is wanted may be."""
    if not source.other_sheets:
        return ""
    return f"the file has other sheets: --sheet {' or '.join(map(shlex.quote, source.other_sheets[:5]))}"


def _nearest_file(place: Path) -> str:
    folder = place.parent
    if not folder.is_dir():
        return f"there is no directory {str(folder)!r} either"
    names = [each.name for each in folder.iterdir() if each.is_file()]
    near = get_close_matches(place.name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {str(place.with_name(near[0]))!r}?"
    tables = sorted(name for name in names if Path(name).suffix.lower() in (*TABLE_SUFFIXES, ".json"))[:5]
    return f"files there: {', '.join(tables)}" if tables else "`evoter datasets` lists tables to try"


def _unzipped(content: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise Failure(f"{name} cannot be unzipped: {error}", "fetch it again") from None


def _read_parquet(content: bytes, name: str) -> "pl.DataFrame":
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(content))
    except pl.exceptions.PolarsError as error:
        raise Failure(f"{name} is no valid Parquet file: {str(error).splitlines()[0]}", "write it again") from None


def _read_excel(content: bytes, name: str, options: ReadingOptions) -> "tuple[pl.DataFrame, tuple[str, ...]]":
    """Return a sheet, the first unless something else is said, and the names of the others."""
    try:
        import fastexcel
    except ModuleNotFoundError:
        raise Failure("reading Excel files needs fastexcel", 'pip install "evoter[cli]"') from None
    import polars as pl

    try:
        sheets = fastexcel.read_excel(content).sheet_names
        if options.sheet is not None and options.sheet not in sheets:
            raise Failure(f"{name} has no sheet {options.sheet!r}", f"its sheets are {', '.join(sheets)}")
        likely = options.likely_sheet if options.likely_sheet in sheets else sheets[0]
        chosen = options.sheet or likely
        frame = pl.read_excel(io.BytesIO(content), sheet_name=chosen, has_header=options.header)
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError, pl.exceptions.NoDataError, IndexError) as error:
        what = (str(error) or "it has no cells").splitlines()[0]
        raise Failure(f"{name} cannot be read as an Excel file: {what}", "save it as .xlsx or as CSV") from None
    named = frame.rename({each: each.strip() for each in frame.columns})
    return named, tuple(each for each in sheets if each != chosen)


def _checked(source: Source) -> Source:
    if source.n_rows == 0 or not source.names:
        hint = about_sheets(source) or "a table needs column names and at least one row"
        raise Failure(f"{source.name} has no rows", hint)
    return source
