"""Cells as values: what counts as missing, as a number and as a truth value, in text and in typed columns."""

from collections.abc import Collection
from typing import NamedTuple

import polars as pl

from evoter.rules.schema import Kind

MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "nan", "null", "<na>", "nil"})
"""Texts that mean missing in any column, in small letters."""

PLACEHOLDERS = frozenset(
    {"-", "--", "---", ".", "..", "*", "none", "unknown", "unk", "missing", "n.a.", "n.d.", "nd", "tbd", "x", "#ref!",
     "#value!", "#div/0!", "not available", "not recorded", "keine angabe", "k.a."}
)  # fmt: skip
"""Texts that mean missing where they stand among numbers."""

TRUTHS = {"true": True, "false": False}
_THOUSANDS = r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$"
_DECIMAL_COMMA = r"^[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?$"


class Reading(NamedTuple):
    """A column read as one kind: the values, and the texts that could not be read and count as missing."""

    values: pl.Series
    misfits: pl.Series


def present_text(column: pl.Series, missing: Collection[str] = ()) -> pl.Series:
    """Return a column as text without spaces around it, null where the text means missing."""
    text = as_text(column).str.strip_chars()
    also = {each.strip().casefold() for each in missing}
    absent = text.str.to_lowercase().is_in([*MISSING, *also])
    return text.set(absent.fill_null(False), None)


def to_numbers(text: pl.Series, *, decimal_comma: bool) -> pl.Series:
    """Return text as numbers, null where it is none.

    A comma is the point where `decimal_comma` says so, and points before it divide thousands; else commas do.

    >>> to_numbers(pl.Series(["1.5", "1,234", "x"]), decimal_comma=False).to_list()
    [1.5, 1234.0, None]
    >>> to_numbers(pl.Series(["1.5", "1,234", "12.345,67", None]), decimal_comma=True).to_list()
    [1.5, 1.234, 12345.67, None]
    """
    if decimal_comma:
        pointed = pl.col("x").str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
        plain = pl.when(pl.col("x").str.contains(_DECIMAL_COMMA)).then(pointed)
    else:
        plain = pl.when(pl.col("x").str.contains(_THOUSANDS)).then(pl.col("x").str.replace_all(",", "", literal=True))
    cleaned = text.to_frame("x").select(plain.otherwise(pl.col("x"))).to_series()
    return cleaned.cast(pl.Float64, strict=False).fill_nan(None)


def to_truths(text: pl.Series) -> pl.Series:
    """Return text as truth values, null where it is none; 0 and 1 are truth values here."""
    known = TRUTHS | {"0": False, "1": True, "0.0": False, "1.0": True}
    return text.str.to_lowercase().replace_strict(known, default=None, return_dtype=pl.Boolean)


def read_as(
    column: pl.Series, kind: Kind, *, missing: Collection[str], decimal_comma: bool, lenient: Collection[str] = ()
) -> Reading:
    """Read a column as one kind of feature; texts in `lenient` mean missing and are no misfits."""
    if kind is Kind.NUMERIC and column.dtype.is_numeric():
        return Reading(column.cast(pl.Float64).fill_nan(None), pl.Series([], dtype=pl.String))
    if kind is Kind.BOOLEAN and column.dtype == pl.Boolean:
        return Reading(column, pl.Series([], dtype=pl.String))
    text = present_text(column, [*missing, *lenient])
    if kind is Kind.CATEGORICAL:
        return Reading(text, pl.Series([], dtype=pl.String))
    values = to_truths(text) if kind is Kind.BOOLEAN else to_numbers(text, decimal_comma=decimal_comma)
    misfits = text.filter(values.is_null() & text.is_not_null())
    return Reading(values.alias(column.name), misfits)


def is_placeholder(text: str) -> bool:
    """Tell whether a text among numbers means that the number is missing."""
    return text.casefold() in PLACEHOLDERS


def has_no_text(dtype: pl.DataType) -> bool:
    """Tell whether polars has no text for values of a type: lists, records, bytes, durations and objects."""
    return dtype.is_nested() or dtype in (pl.Binary, pl.Duration, pl.Object)


def as_text(column: pl.Series) -> pl.Series:
    """Return a column as text, each value by the name that the language has for a category."""
    dtype = column.dtype
    if has_no_text(dtype):
        return pl.Series(column.name, [None if each is None else str(each) for each in column.to_list()], pl.String)
    if dtype == pl.Boolean:
        return column.replace_strict({True: "true", False: "false"}, default=None, return_dtype=pl.String)
    if dtype.is_float():
        whole = (column == column.round()) & column.is_finite() & (column.abs() < 2**53)
        texts = pl.select(pl.when(whole).then(column.cast(pl.Int64, strict=False).cast(pl.String))
                          .otherwise(column.fill_nan(None).cast(pl.String))).to_series()  # fmt: skip
        return texts.alias(column.name)
    return column.cast(pl.String, strict=False)
