"""Tables in files or from standard input: CSV and similar text, gzipped or not, Parquet and Excel."""

import hashlib
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Self

from evoter.cli.output import Failure, split_hint
from evoter.cli.tables.size_limits import gunzipped
from evoter.cli.tables.typed_files import TypedTable, read_excel, read_parquet
from evoter.rules.errors import SchemaError

if TYPE_CHECKING:
    import polars as pl

TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".data", ".gz", ".parquet", ".pq", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_JSON = re.compile(rb"\s*(\{|\[\s*[\[{\"\d])")  # names of columns may be in brackets too
_GZIP, _PARQUET, _ZIP, _OLD_EXCEL = b"\x1f\x8b", b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How the user wants a table to be read; `header` says that the first line holds the names of the columns."""

    header: bool = True
    sheet: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()

    @classmethod
    def given(cls, missing: Iterable[str] | None, *, no_header: bool, sheet: str | None, encoding: str | None) -> Self:
        """Return the options of a command."""
        return cls(not no_header, sheet, encoding, tuple(missing or ()))

    def refuse_ignored(self, name: str, *, has_sheets: bool, is_text: bool) -> None:
        """Refuse options that have no effect on a table of this format."""
        if self.sheet is not None and not has_sheets:
            raise Failure(f"--sheet has no effect: {name} is not an Excel file", "leave it out")
        if self.encoding is not None and not is_text:
            raise Failure(f"--encoding has no effect: {name} is not a text file", "leave it out")
        if not self.header and not (has_sheets or is_text):
            raise Failure(
                f"--no-header has no effect: {name} is a Parquet file, which names its columns", "leave it out"
            )


@dataclass(frozen=True, slots=True)
class Source:
    """A table as it was read: all cells of a text file are text, those of other formats have types.

    `separator` separates the cells of a text file, and `decimal_comma` says that a comma may be the decimal mark;
    `missing` are values that mean missing, in addition to the usual ones; `other_sheets` are the sheets of an Excel
    file that were not read.
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
    sampled_from: int | None = None
    """The number of rows of the table, where these are a sample of them."""

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.frame)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns


def read_source(path: str, options: ReadingOptions | None = None) -> Source:
    """Read a table from a file, or from standard input for `-`; its content tells the format."""
    options = options or ReadingOptions()
    if path != "-" and Path(path).expanduser().is_dir():
        return _read_folder(Path(path).expanduser(), options)
    content = read_bytes(path)
    name = "standard input" if path == "-" else Path(path).name
    digest = hashlib.sha256(content).hexdigest()
    if not content.strip():
        raise Failure(f"{name} is empty", "a table needs a line of column names and lines of values")
    if content.startswith(_GZIP):
        content = gunzipped(content, name)
    if content.startswith(_PARQUET):
        options.refuse_ignored(name, has_sheets=False, is_text=False)
        return _checked(_typed_source(name, read_parquet(content, name), digest, options))
    if content.startswith((_ZIP, _OLD_EXCEL)):
        options.refuse_ignored(name, has_sheets=True, is_text=False)
        read = read_excel(content, name, sheet=options.sheet, has_header=options.header)
        return _checked(_typed_source(name, read, digest, options))
    if _JSON.match(content):
        raise Failure(f"{name} is JSON, not a table", "tables are CSV, TSV, Parquet or Excel files")
    from evoter.cli.tables.delimited_text import read_text

    options.refuse_ignored(name, has_sheets=False, is_text=True)
    table = read_text(content, name, encoding=options.encoding, header=options.header)
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


def _read_folder(folder: Path, options: ReadingOptions) -> Source:
    """Read all Parquet files of a folder as one table."""
    import polars as pl

    from evoter.tables.stored.batches import parquet_files

    try:
        files = parquet_files(folder)
    except SchemaError as error:
        raise Failure(f"{str(folder)!r} is a directory: {split_hint(str(error))[0]}", "name a file in it") from None
    parts = [read_source(str(file), options) for file in files]
    try:
        frame = pl.concat([part.frame for part in parts])
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise Failure(f"the files of {str(folder)!r} differ in their columns: {reason}", "name one of them") from None
    digest = folder_digest([(file.name, part.sha256) for file, part in zip(files, parts, strict=True)])
    return Source(folder.name, frame, digest, missing=options.missing, options=options)


def folder_digest(digests: Sequence[tuple[str, str]]) -> str:
    """Return the checksum of a folder, made of the names and checksums of its files."""
    return hashlib.sha256("\n".join(f"{name} {digest}" for name, digest in digests).encode()).hexdigest()


def read_bytes(path: str) -> bytes:
    """Return the content of a file or of standard input."""
    if path == "-":
        if sys.stdin.isatty():
            raise Failure("standard input is a terminal", "pipe a file into it, as in: cat data.csv | evoter ... -")
        return sys.stdin.buffer.read()
    file = Path(path).expanduser()
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise Failure(f"there is no file {path!r}", _nearest_file(file)) from None
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
    """Return a hint that names the other sheets of an Excel file, "" if there are none."""
    if not source.other_sheets:
        return ""
    return f"the file has other sheets: --sheet {' or '.join(map(shlex.quote, source.other_sheets[:5]))}"


def _nearest_file(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"there is no directory {str(folder)!r} either"
    names = [each.name for each in folder.iterdir() if each.is_file()]
    near = get_close_matches(path.name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {str(path.with_name(near[0]))!r}?"
    tables = sorted(name for name in names if Path(name).suffix.lower() in (*TABLE_SUFFIXES, ".json"))[:5]
    return f"the directory has {', '.join(tables)}" if tables else "`evoter datasets` lists tables to try"


def _typed_source(name: str, read: TypedTable, digest: str, options: ReadingOptions) -> Source:
    return Source(name, read.frame, digest, other_sheets=read.other_sheets, missing=options.missing, options=options)


def _checked(source: Source) -> Source:
    if source.n_rows == 0 or not source.names:
        hint = about_sheets(source) or "a table needs column names and at least one row"
        raise Failure(f"{source.name} has no rows", hint)
    return source
