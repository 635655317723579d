"""Tables as text: encoding, separator and names of columns are detected."""

import codecs
import csv
import io
import re
from dataclasses import dataclass

import polars as pl

from evoter.cli.output import Failure
from evoter.cli.tables.size_limits import check_text

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_LINES = 50
_NUMBERED = "column"
_DECLARED_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""The line that tells Excel the separator."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose cells are text, with its separator; unnamed columns have been named."""

    frame: pl.DataFrame
    separator: str
    header_looks_like_data: bool


def read_text(content: bytes, name: str, *, encoding: str | None, header: bool) -> TextTable:
    """Read delimited text; all cells remain text."""
    try:
        return _read(decode(content, name, encoding), name, header=header)
    except csv.Error as error:
        raise Failure(f"{name} cannot be read: {error}", "check quotes and separators") from None


def _read(text: str, name: str, *, header: bool) -> TextTable:
    text = text.removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")  # the line ends of old Macintosh programs
    text = text.lstrip("\r\n")
    if not text.strip():
        raise Failure(f"{name} is empty", "a table needs a line of column names and lines of values")
    declared = _DECLARED_SEPARATOR.match(text)
    if declared:
        text = text[declared.end() :]
    sample = text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES]
    separator = declared[1] if declared else find_separator(sample)
    first = next(csv.reader(io.StringIO(text), delimiter=separator), [])
    names = column_names(first if header else [""] * len(first), name)
    body, first_line = _after_first_record(text, separator) if header else (text, 1)
    if not body.strip():
        raise Failure(f"{name} has column names but no rows", "add rows, or use --no-header if that line is a row")
    check_text(body, separator, len(names), name)
    frame = _parse(body, separator, names, name, first_line + (1 if declared else 0))
    looks_like_data = header and any(_is_number(cell) for cell in first)
    return TextTable(frame, separator, looks_like_data)


def decode(content: bytes, name: str, encoding: str | None) -> str:
    """Return the text of a file: UTF-8, unless a byte order mark or the user says otherwise."""
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS if content.startswith(mark)), "utf-8")
    chosen = encoding or marked
    if chosen == "utf-8" and b"\0" in content:
        hint = "tables are CSV, TSV, Parquet or Excel files; UTF-16 text may need --encoding utf-16-le"
        raise Failure(f"{name} is neither text nor a table of a known format", hint)
    try:
        return content.decode(chosen)
    except LookupError:
        raise Failure(
            f"there is no encoding {encoding!r}", "use utf-8, latin-1, cp1252, utf-16 or another one that Python knows"
        ) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"{name}, line {line}: byte 0x{content[error.start]:02x} is not {chosen.removesuffix('-sig').upper()}"
        hint = "give the encoding, such as --encoding cp1252 (Western Excel) or utf-16, or save the file as UTF-8"
        raise Failure(problem, hint) from None


def find_separator(lines: list[str]) -> str:
    r"""Return the separator that splits the most lines into the same number of cells, more than one.

    >>> find_separator(["a;b;c", "1,5;2;3", "4;5;6"]), find_separator(["alone", "1"])
    (';', ',')
    """

    def merit(separator: str) -> tuple[int, int]:
        counts = [len(record) for record in csv.reader(lines, delimiter=separator) if record]
        width = counts[0] if counts else 1
        return (sum(count == width for count in counts), width) if width > 1 else (0, 1)

    return max(SEPARATORS, key=merit)  # of equals, the first


def column_names(cells: list[str], name: str) -> list[str]:
    """Return the names of columns without spaces around them; columns without a name are named by their number.

    >>> column_names([" age ", "", "sex"], "data.csv")
    ['age', 'column 2', 'sex']
    """
    names = [cell.strip() or f"{_NUMBERED} {number}" for number, cell in enumerate(cells, start=1)]
    if len(set(names)) < len(names):
        twice = next(each for index, each in enumerate(names) if each in names[:index])
        numbers = [str(number) for number, each in enumerate(names, start=1) if each == twice]
        hint = "rename one of them, or use --no-header if the first line is data"
        raise Failure(f"{name}: columns {' and '.join(numbers)} are both named {twice!r}", hint)
    return names


def is_numbered(name: str) -> bool:
    """Tell whether `column_names` may have made a name.

    >>> is_numbered("column 2"), is_numbered("columns")
    (True, False)
    """
    word, _, number = name.partition(" ")
    return word == _NUMBERED and number.isdecimal()


def _after_first_record(text: str, separator: str) -> tuple[str, int]:
    """Return the text after the header, which may span lines, and the number of the line it begins on."""
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    next(reader)
    lines = text.split("\n", reader.line_num)
    return (lines[-1] if len(lines) > reader.line_num else ""), reader.line_num + 1


def _parse(body: str, separator: str, names: list[str], name: str, first_line: int) -> pl.DataFrame:
    try:
        frame = pl.read_csv(
            body.encode(),
            separator=separator,
            has_header=False,
            infer_schema=False,
            schema=dict.fromkeys(names, pl.String),
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _misfit(body, separator, len(names), name, first_line, str(error)) from None
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if len(names) > 1 else frame


def _misfit(body: str, separator: str, width: int, name: str, first_line: int, message: str) -> Failure:
    reader = csv.reader(io.StringIO(body), delimiter=separator)
    for record in reader:
        if len(record) > width:
            line = reader.line_num + first_line - 1
            found = f"{name}, line {line}: {len(record)} values for {width} columns"
            return Failure(found, "put quotes around values that contain the separator")
    return Failure(f"{name} cannot be read: {message.splitlines()[0]}", "check quotes and separators")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
