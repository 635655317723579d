"""What the columns of a table are: numbers, categories, yes/no, dates, text, identifiers, found by looking at them."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

import polars as pl

from evoter.cli.tables.cells import TRUTHS, as_text, is_placeholder, present_text, read_as, to_numbers
from evoter.cli.tables.files import Source
from evoter.rules.schema import Kind

MAX_CATEGORIES = 200
"""A text column with more distinct values is taken for text, unless the user says that it is a category."""

_NEARLY_UNIQUE = 0.9
_ENOUGH_TO_JUDGE = 20
_FEW_CODES = range(3, 11)
_MOSTLY = 0.95
_MAX_ODD_TEXTS = 3
_DATE = r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ]\d{1,2}:\d{2}.*)?$"
_LEADING_ZERO = r"^0\d+$"
_POINTED_THOUSANDS = r"^[+-]?[1-9]\d{0,2}\.\d{3}$"
_ID_NAME = re.compile(
    r"(^|[^a-z])(id|ids|uuid|guid|key|index|nr|nbr|no|number|rowid|row)$|^(id|index|row)[^a-z]|^unnamed"
)


class Found(StrEnum):
    """What a column was found to be."""

    NUMBER = "number"
    CATEGORY = "category"
    YES_NO = "yes/no"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    EMPTY = "empty"
    OTHER = "other"


_N_EXAMPLES = {Found.CATEGORY: 4, Found.TEXT: 2, Found.CONSTANT: 1, Found.IDENTIFIER: 2, Found.DATE: 2}

KINDS = {Found.NUMBER: Kind.NUMERIC, Found.CATEGORY: Kind.CATEGORICAL, Found.YES_NO: Kind.BOOLEAN}
"""What rules can read, and how they call it."""


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One column: what it is, its values as rules read them, and what a person should know about it.

    `placeholders` are texts among numbers that were taken for missing; `note` says why a column is left out, or how it
    was read; `doubt` is what should be looked at.
    """

    name: str
    found: Found
    values: pl.Series
    placeholders: tuple[str, ...] = ()
    note: str = ""
    doubt: str = ""

    @property
    def is_feature(self) -> bool:
        """Whether rules may read it."""
        return self.found in KINDS

    @property
    def n_missing(self) -> int:
        """The number of missing values."""
        return self.values.null_count()

    @property
    def summary(self) -> str:
        """The range of numbers, or the most frequent values."""
        present = self.values.drop_nulls()
        if self.found is Found.NUMBER and len(present):
            numbers = present.to_numpy()
            return f"{numbers.min():g} .. {numbers.max():g}"
        if self.found is Found.YES_NO:
            return f"{present.sum() / max(len(present), 1):.0%} yes"
        if self.found in _N_EXAMPLES:
            return _examples(present, _N_EXAMPLES[self.found])
        return ""


def view_column(column: pl.Series, source: Source) -> ColumnView:
    """Find out what a column is."""
    if column.dtype.is_temporal():
        return _left_out(column.name, Found.DATE, as_text(column), _ABOUT_DATES)
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        note = f"holds {column.dtype}, which rules cannot read"
        return _left_out(column.name, Found.OTHER, pl.Series(column.name, [None] * len(column), pl.String), note)
    text = present_text(column, source.missing)
    if text.null_count() == len(text):
        return _left_out(column.name, Found.EMPTY, text, "has no values")
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return _typed(column)
    return _from_text(text, source.decimal_comma)


def as_category(column: pl.Series, source: Source) -> ColumnView:
    """Read a column as categories because the user says so."""
    values = present_text(column, source.missing)
    return ColumnView(column.name, Found.CATEGORY, values, note="as you said")


def as_number(column: pl.Series, source: Source) -> ColumnView:
    """Read a column as numbers because the user says so; what is no number counts as missing."""
    reading = read_as(column, Kind.NUMERIC, missing=source.missing, decimal_comma=source.decimal_comma)
    odd = tuple(reading.misfits.unique(maintain_order=True).to_list())
    note = "as you said" + (f"; {_taken_as_missing(odd, len(reading.misfits))}" if odd else "")
    return ColumnView(column.name, Found.NUMBER, reading.values, placeholders=odd, note=note)


def _typed(column: pl.Series) -> ColumnView:
    if column.dtype == pl.Boolean:
        return _unless_constant(ColumnView(column.name, Found.YES_NO, column))
    return _numbers(column.name, column.cast(pl.Float64).fill_nan(None))


def _from_text(text: pl.Series, decimal_comma: bool) -> ColumnView:
    present = text.drop_nulls()
    numbers = to_numbers(text, decimal_comma=decimal_comma).alias(text.name)
    n_numbers = len(numbers) - numbers.null_count()
    if n_numbers == len(present):
        return _as_written(_numbers(text.name, numbers), present, decimal_comma=decimal_comma)
    if set(present.str.to_lowercase().unique().to_list()) <= set(TRUTHS):
        truths = text.str.to_lowercase().replace_strict(TRUTHS, default=None, return_dtype=pl.Boolean)
        return _unless_constant(ColumnView(text.name, Found.YES_NO, truths))
    odd = text.filter(numbers.is_null() & text.is_not_null())
    texts = odd.unique(maintain_order=True).to_list()
    if _are_placeholders(texts, n_numbers / len(present)):
        note = _taken_as_missing(texts, len(odd))
        return replace(_numbers(text.name, numbers), placeholders=tuple(texts), note=note)
    if present.str.contains(_DATE).mean() >= _MOSTLY:  # type: ignore[operator]
        return _left_out(text.name, Found.DATE, text, _ABOUT_DATES)
    return _categories(text, present)


def _as_written(view: ColumnView, present: pl.Series, *, decimal_comma: bool) -> ColumnView:
    """Return numbers with what their spelling gives reason to ask: codes have leading zeros, and thousands points."""
    if view.found is not Found.NUMBER:
        return view
    padded = present.filter(present.str.contains(_LEADING_ZERO))
    if len(padded):
        return replace(view, note=f"leading zeros, such as {padded[0]}; codes? --category or --drop")
    pointed = present.filter(present.str.contains(".", literal=True)) if decimal_comma else padded
    if len(pointed) and pointed.str.contains(_POINTED_THOUSANDS).all():
        number = float(pointed[0])
        return replace(
            view, doubt=f"{pointed[0]} is read as {number:g}: if it means {number * 1000:g}, take points out"
        )
    return view


def _are_placeholders(texts: Collection[str], share_of_numbers: float) -> bool:
    if len(texts) > _MAX_ODD_TEXTS:
        return False
    return share_of_numbers >= _MOSTLY or (share_of_numbers >= 0.5 and all(map(is_placeholder, texts)))


def _numbers(name: str, numbers: pl.Series) -> ColumnView:
    present = numbers.drop_nulls()
    distinct = present.unique()
    whole = bool((present == present.round()).all())
    if set(distinct.to_list()) == {0.0, 1.0}:
        truths = (numbers == 1.0).alias(name)
        return ColumnView(name, Found.YES_NO, truths, note="0 is no, 1 is yes")
    view = _unless_constant(ColumnView(name, Found.NUMBER, numbers))
    if view.found is Found.CONSTANT:
        return view
    if whole and len(distinct) == len(present) == len(numbers) and _numbers_rows(name, distinct):
        return _left_out(name, Found.IDENTIFIER, present_text(numbers), _ABOUT_IDENTIFIERS)
    if whole and len(distinct) in _FEW_CODES and len(present) >= _ENOUGH_TO_JUDGE:
        return replace(view, note=f"{len(distinct)} whole numbers; codes? --category")
    return view


def _numbers_rows(name: str, distinct: pl.Series) -> bool:
    """Tell whether different whole numbers number the rows, or are called as if they did."""
    if len(distinct) < _ENOUGH_TO_JUDGE:
        return False
    consecutive = distinct.max() - distinct.min() == len(distinct) - 1  # type: ignore[operator]
    return bool(consecutive) or _ID_NAME.search(name.casefold()) is not None


def _categories(text: pl.Series, present: pl.Series) -> ColumnView:
    n_distinct = present.n_unique()
    view = _unless_constant(ColumnView(text.name, Found.CATEGORY, text))
    if view.found is Found.CONSTANT or len(present) < _ENOUGH_TO_JUDGE:
        return view
    if n_distinct == len(present):
        return _left_out(text.name, Found.IDENTIFIER, text, _ABOUT_IDENTIFIERS)
    if n_distinct > MAX_CATEGORIES or n_distinct > _NEARLY_UNIQUE * len(present):
        return _left_out(text.name, Found.TEXT, text, f"{n_distinct:,} texts; --category keeps it")
    return view


def _unless_constant(view: ColumnView) -> ColumnView:
    present = view.values.drop_nulls()
    if present.n_unique() > 1 or view.n_missing:
        return view
    return _left_out(view.name, Found.CONSTANT, present_text(view.values), "always the same")


def _left_out(name: str, found: Found, values: pl.Series, note: str) -> ColumnView:
    return ColumnView(name, found, values.alias(name), note=f"left out: {note}")


def _examples(present: pl.Series, n: int) -> str:
    counts = present.value_counts(sort=True)
    names = [str(value) for value in counts[present.name].head(n).to_list()]
    shown = ", ".join(name if len(name) <= 20 else f"{name[:19]}…" for name in names)
    return shown + (f" + {len(counts) - n:,} more" if len(counts) > n else "")


def _taken_as_missing(texts: Collection[str], n_cells: int) -> str:
    shown = ", ".join(repr(text) for text in list(texts)[:_MAX_ODD_TEXTS])
    return f"{n_cells:,} × {shown} taken as missing"


_ABOUT_DATES = "dates; make numbers of them first"
_ABOUT_IDENTIFIERS = "all different; --category keeps it"
