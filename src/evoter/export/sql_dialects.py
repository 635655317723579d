"""What differs between the dialects of SQL: names, strings, numbers, casts, and what becomes of NaN."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evoter.export.sql_numbers import float_literal, quotient_literal
from evoter.rules.errors import RuleError


@dataclass(frozen=True, slots=True)
class Dialect:
    """The syntax of one database; a pair of braces in a template stands for the operand."""

    name: str
    quotes: tuple[str, str]
    """What opens and closes a name; inside it, the closing one is doubled, or escaped where `escapes_names`."""
    string: Callable[[str], str]
    number: Callable[[float], str]
    double: str
    """Reads a column of any numeric type as a double."""
    text: str
    """Reads a column as text that is compared byte by byte."""
    true: str
    false: str
    without_nan: str = "{}"
    """Turns NaN into NULL, where NaN equals itself and is larger than all other numbers."""
    missing: str = "{} IS NULL"
    present: str = "{} IS NOT NULL"
    truth: str = "{}"
    """Reads a column of truth values so that it is NULL where it is missing."""
    differs: str = "{0} <> {1}"
    infinity: str | None = None
    escapes_names: bool = False
    refuses_text: bool = True
    """Whether text that is not a number, read as one, is an error or NULL, and not 0."""
    folds_case: bool = True
    """Whether names that differ only in case are the same column."""

    def identifier(self, name: str) -> str:
        """Quote a name, so that it is nothing but a name."""
        _refuse_null(name)
        opening, closing = self.quotes
        if self.escapes_names:
            return f"{opening}{_with_escapes(name, closing)}{closing}"
        return f"{opening}{name.replace(closing, closing * 2)}{closing}"

    def literal(self, text: str) -> str:
        """Quote a string, so that it is nothing but a string."""
        _refuse_null(text)
        return self.string(text)


def _refuse_null(text: str) -> None:
    if "\0" in text:
        raise RuleError(f"SQL text cannot contain a null character, but there is one in {text!r}: rename it")


def _standard(text: str) -> str:
    return f"'{_doubled(text)}'"


def _doubled(text: str) -> str:
    return text.replace("'", "''")


def _postgres(text: str) -> str:
    # Marked as escaped, it means the same whatever the setting standard_conforming_strings is.
    return "E'" + _doubled(text).replace("\\", "\\\\") + "'" if "\\" in text else _standard(text)


def _mysql(text: str) -> str:
    # As bytes, it means the same whatever the setting NO_BACKSLASH_ESCAPES is.
    return f"_utf8mb4 X'{text.encode().hex().upper()}'" if "\\" in text else _standard(text)


def _escaped(text: str) -> str:
    return "'" + _with_escapes(text, "'") + "'"


def _with_escapes(text: str, quote: str) -> str:
    escapes = {"\\": "\\\\", quote: f"\\{quote}", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(escapes.get(character, character) for character in text)


def _tsql(text: str) -> str:
    # A backslash at the end of a line would join it with the next one, so line feeds are written outside the quotes.
    pieces = [f"N'{_doubled(piece)}'" for piece in text.split("\n")]
    return pieces[0] if len(pieces) == 1 else f"({' + NCHAR(10) + '.join(pieces)})"


def _typed(number: float) -> str:
    return f"{float_literal(number)}::DOUBLE"


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            Dialect(
                "duckdb",
                quotes=('"', '"'),
                string=_standard,
                number=float_literal,
                double="CAST({} AS DOUBLE)",
                text="CAST({} AS VARCHAR) COLLATE C",
                true="CAST({} AS DOUBLE) = 1e0",
                false="CAST({} AS DOUBLE) = 0e0",
                without_nan="NULLIF({}, 'NaN')",
                truth="NULLIF(CAST({} AS DOUBLE), 'NaN')",
                infinity="CAST('Infinity' AS DOUBLE)",
            ),
            Dialect(
                "postgres",
                quotes=('"', '"'),
                string=_postgres,
                number=float_literal,
                double="CAST({} AS DOUBLE PRECISION)",
                text='CAST({} AS TEXT) COLLATE "C"',
                true="CAST({} AS BOOLEAN) = TRUE",
                false="CAST({} AS BOOLEAN) = FALSE",
                without_nan="NULLIF({}, 'NaN')",
                infinity="CAST('Infinity' AS DOUBLE PRECISION)",
                folds_case=False,
            ),
            Dialect(
                "sqlite",
                quotes=("`", "`"),  # between double quotes, a name that is no column would be taken for a string
                string=_standard,
                number=quotient_literal,
                double="CAST({} AS REAL)",
                text="CAST({} AS TEXT) COLLATE BINARY",
                true="CAST({} AS REAL) = 1.0",
                false="CAST({} AS REAL) = 0.0",
                infinity="9e999",
                refuses_text=False,
            ),
            Dialect(
                "mysql",
                quotes=("`", "`"),
                string=_mysql,
                number=float_literal,
                double="CAST({} AS DOUBLE)",
                text="CAST({} AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_0900_bin",
                refuses_text=False,
                true="CAST({} AS DOUBLE) = 1e0",
                false="CAST({} AS DOUBLE) = 0e0",
            ),
            Dialect(
                "bigquery",
                quotes=("`", "`"),
                string=_escaped,
                number=float_literal,
                double="CAST({} AS FLOAT64)",
                text="CAST({} AS STRING)",
                true="CAST({} AS BOOL) = TRUE",
                false="CAST({} AS BOOL) = FALSE",
                missing="COALESCE(IS_NAN({}), TRUE)",
                present="NOT COALESCE(IS_NAN({}), TRUE)",
                differs="({0} < {1} OR {0} > {1})",
                infinity="CAST('inf' AS FLOAT64)",
                escapes_names=True,
            ),
            Dialect(
                "snowflake",
                quotes=('"', '"'),
                string=_escaped,
                number=_typed,
                double="CAST({} AS DOUBLE)",
                text="CAST({} AS VARCHAR)",
                true="CAST({} AS BOOLEAN) = TRUE",
                false="CAST({} AS BOOLEAN) = FALSE",
                without_nan="NULLIF({}, CAST('NaN' AS DOUBLE))",
                infinity="CAST('inf' AS DOUBLE)",
                folds_case=False,
            ),
            Dialect(
                "tsql",
                quotes=("[", "]"),
                string=_tsql,
                number=float_literal,
                double="CAST({} AS FLOAT(53))",
                text="CAST({} AS NVARCHAR(4000)) COLLATE Latin1_General_100_BIN2",
                true="CAST({} AS FLOAT(53)) = 1e0",
                false="CAST({} AS FLOAT(53)) = 0e0",
            ),
            Dialect(
                "spark",
                quotes=("`", "`"),
                string=_escaped,
                number=float_literal,
                double="CAST({} AS DOUBLE)",
                text="CAST({} AS STRING)",
                true="CAST({} AS BOOLEAN) = TRUE",
                false="CAST({} AS BOOLEAN) = FALSE",
                without_nan="NULLIF({}, CAST('NaN' AS DOUBLE))",
                infinity="CAST('Infinity' AS DOUBLE)",
            ),
        )
    }
)
"""All dialects, by name."""
