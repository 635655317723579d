"""From cells to typed values: what counts as missing, as a number and as a truth value in a text file.

Columns of a text file hold text only. Here they get the type that a data frame would give them, and from there on they
are understood in the same way. This module needs polars, unlike the rest of the folder.
"""

from collections.abc import Collection
from typing import NamedTuple

import polars as pl

from evoter.rules.schema import AMOUNT, MISSING_TEXTS, Feature, Kind
from evoter.tables.intake.amounts import (
    AmountStyle,
    MixedUnits,
    commas_separate_thousands,
    find_style,
    read_amounts,
    style_note,
)
from evoter.tables.intake.dates import read_part
from evoter.tables.intake.kinds import ColumnConcern, ColumnWarning
from evoter.tables.intake.limits import BOOLEAN_TEXTS, MAX_PLACEHOLDERS, MOSTLY, PLACEHOLDERS

_THOUSANDS = r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$"
_DECIMAL_COMMA = r"^[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+([eE][+-]?\d+)?$"
_LEADING_ZERO = r"^0\d+$"
_POINTED_THOUSANDS = r"^[+-]?[1-9]\d{0,2}\.\d{3}$"


class CellReading(NamedTuple):
    """A column with its type: the values, and the texts that could not be read and count as missing.

    `note` says how the cells were read, and `warnings` what is questionable about that. `style` is how numbers are
    written that are not plain ones, and `is_amount` says that they take more than a decimal comma; `mixed_units` are
    those of a column that measures one quantity in several, which is then text.
    """

    values: pl.Series
    misfits: pl.Series
    note: str = ""
    warnings: tuple[ColumnWarning, ...] = ()
    style: AmountStyle | None = None
    is_amount: bool = False
    mixed_units: tuple[str, ...] = ()


def read_cells(column: pl.Series, *, missing: Collection[str] = (), decimal_comma: bool = False) -> CellReading:
    """Give a column of text the type of its values: numbers, truth values or text; other columns keep their types.

    A few texts among numbers, such as `unknown`, count as missing. `missing` are texts, or numbers, that mean missing
    beside the usual texts. Numbers may have a unit, separators of thousands, or brackets for a minus sign, if the whole
    column agrees.

    >>> (
    ...     read_cells(pl.Series(["1.5", "NA", "2"])).values.to_list(),
    ...     read_cells(pl.Series(["True", "false"])).values.dtype,
    ... )
    ([1.5, None, 2.0], Boolean)
    """
    nothing = pl.Series([], dtype=pl.String)
    if column.dtype != pl.String:
        values = without(column, missing)
        return CellReading(values.fill_nan(None) if values.dtype.is_float() else values, nothing)
    if not missing and (numbers := _plain_numbers(column)) is not None:
        note, warnings = _spelling_of_numbers(
            column.drop_nulls() if column.null_count() else column, decimal_comma=decimal_comma
        )
        return CellReading(numbers, nothing, note, warnings)
    text = present_text(column, missing)
    present = text.drop_nulls()
    if not len(present):
        return CellReading(text, nothing)
    if decimal_comma and commas_separate_thousands(present):
        return _in_style(text, AmountStyle("", False), missing, decimal_comma=decimal_comma)
    numbers = to_numbers(text, decimal_comma=decimal_comma).alias(text.name)
    n_numbers = len(numbers) - numbers.null_count()
    if n_numbers == len(present):
        note, warnings = _spelling_of_numbers(present, decimal_comma=decimal_comma)
        return CellReading(without_numbers(numbers, missing), nothing, note, warnings)
    if set(present.str.to_lowercase().unique().to_list()) <= set(BOOLEAN_TEXTS):
        truths = text.str.to_lowercase().replace_strict(BOOLEAN_TEXTS, default=None, return_dtype=pl.Boolean)
        return CellReading(truths, nothing)
    amounts = _read_amounts(text, missing, decimal_comma=decimal_comma)
    if amounts is not None:
        return amounts
    misfits = text.filter(numbers.is_null() & text.is_not_null())
    if _are_placeholders(misfits.unique().to_list(), n_numbers / len(present)):
        return CellReading(without_numbers(numbers, missing), misfits, counted_as_missing(misfits))
    return CellReading(text, nothing)


def _read_amounts(text: pl.Series, missing: Collection[str], *, decimal_comma: bool) -> CellReading | None:
    """Return a column of text as numbers if all its cells, but for the usual words for missing, are amounts."""
    present = text.drop_nulls()
    is_word = present.str.to_lowercase().is_in(list(PLACEHOLDERS))
    amounts = present.filter(~is_word)
    is_plain = not to_numbers(amounts, decimal_comma=decimal_comma).null_count()
    if len(amounts) < 0.5 * len(present) or not len(amounts) or is_plain:
        return None
    style = find_style(amounts, decimal_comma=decimal_comma)
    if style is None:
        return None
    if isinstance(style, MixedUnits):
        return CellReading(text, pl.Series([], dtype=pl.String), mixed_units=style.units)
    return _in_style(text, style, missing, decimal_comma=decimal_comma)


def _in_style(text: pl.Series, style: AmountStyle, missing: Collection[str], *, decimal_comma: bool) -> CellReading:
    """Read a column as amounts that are written in some style; anything else counts as missing.

    `decimal_comma` is what holds for the whole table: what it says need not be said about the column.
    """
    numbers = read_amounts(text, style.unit, decimal_comma=style.decimal_comma)
    misfits = text.filter(numbers.is_null() & text.is_not_null())
    plain = to_numbers(text, decimal_comma=decimal_comma or style.decimal_comma)
    differs = plain.ne_missing(numbers)
    is_amount = bool(style.unit) or bool(differs.any())
    examples = text.filter(numbers.is_not_null() & differs if is_amount else numbers.is_not_null())
    number = read_amounts(examples[:1], style.unit, decimal_comma=style.decimal_comma)
    note = style_note(style, zip(examples[:1], number, strict=True)) if len(examples) else ""
    if len(misfits):
        note = "; ".join(filter(None, [note, counted_as_missing(misfits)]))
    finding = f"has {style.n_bare:,} cells without the unit {style.unit} of the others"
    warnings = (ColumnWarning(text.name, ColumnConcern.UNITS, finding),) if style.n_bare else ()
    return CellReading(without_numbers(numbers, missing), misfits, note, warnings, style, is_amount)


def _plain_numbers(column: pl.Series) -> pl.Series | None:
    """Return a column whose cells are numbers and nothing else, as most are: it needs no closer look."""
    try:
        numbers = column.cast(pl.Float64)
    except pl.exceptions.InvalidOperationError:
        return None
    return None if numbers.is_nan().any() or numbers.null_count() == len(numbers) else numbers


def read_feature(
    column: pl.Series, feature: Feature, *, missing: Collection[str] = (), decimal_comma: bool = False
) -> CellReading:
    """Read a column as a rule set's feature says; `missing` and `decimal_comma` are what is known besides.

    >>> age = Feature("age", missing_texts=("-9", "unknown"))
    >>> read_feature(pl.Series("age", ["40", "-9.0", "unknown", "x"]), age).values.to_list()
    [40.0, None, None, None]
    """
    texts = [*missing, *feature.missing_texts]
    if not feature.cells or (feature.cells == AMOUNT and column.dtype.is_numeric()):
        return read_as(column, feature.kind, missing=texts, decimal_comma=decimal_comma or feature.decimal_comma)
    text = column if column.dtype.is_temporal() else present_text(column, texts)
    if feature.cells == AMOUNT:
        # The decimal mark of amounts is that of the column in training, whatever the rest of the table has.
        values = without_numbers(read_amounts(text, feature.unit, decimal_comma=feature.decimal_comma), texts)
    else:
        values = read_part(text, feature.cells)
    misfits = as_text(text).filter(values.is_null() & text.is_not_null())
    if feature.kind is Kind.CATEGORICAL:
        values = values.cast(pl.String)
    return CellReading(values.alias(column.name), misfits)


def read_numbers_of(column: pl.Series, *, missing: Collection[str], decimal_comma: bool) -> CellReading:
    """Read a column as numbers because the user says so: plain ones, or amounts if these are more."""
    plain = read_as(column, Kind.NUMERIC, missing=missing, decimal_comma=decimal_comma)
    if not len(plain.misfits):
        return plain
    text = present_text(column, missing)
    amounts = _read_amounts(text, missing, decimal_comma=decimal_comma)
    if amounts is not None and amounts.mixed_units:
        style = AmountStyle(amounts.mixed_units[0], decimal_comma)
        amounts = _in_style(text, style, missing, decimal_comma=decimal_comma)
    if amounts is None or len(amounts.misfits) >= len(plain.misfits):
        return plain._replace(note=counted_as_missing(plain.misfits))
    return amounts


def read_as(column: pl.Series, kind: Kind, *, missing: Collection[str], decimal_comma: bool) -> CellReading:
    """Read a column as one kind of feature."""
    nothing = pl.Series([], dtype=pl.String)
    if kind is Kind.NUMERIC and column.dtype.is_numeric():
        return CellReading(without(column, missing).cast(pl.Float64).fill_nan(None), nothing)
    if kind is Kind.BOOLEAN and column.dtype == pl.Boolean:
        return CellReading(column, nothing)
    text = present_text(column, missing)
    if kind is Kind.CATEGORICAL:
        return CellReading(text, nothing)
    values = to_truths(text) if kind is Kind.BOOLEAN else to_numbers(text, decimal_comma=decimal_comma)
    misfits = text.filter(values.is_null() & text.is_not_null())
    if kind is Kind.NUMERIC:
        values = without_numbers(values, missing)
    return CellReading(values.alias(column.name), misfits)


def present_text(column: pl.Series, missing: Collection[str] = ()) -> pl.Series:
    """Return a column as text without spaces around it, null where the text means missing."""
    text = as_text(column).str.strip_chars()
    also = {each.strip().casefold() for each in missing}
    absent = text.str.to_lowercase().is_in([*MISSING_TEXTS, *also])
    return text.set(absent.fill_null(False), None)


def without_numbers(numbers: pl.Series, missing: Collection[str]) -> pl.Series:
    """Return numbers, null where one is equal to a text that means missing: -9.0 and -9 are the same number."""
    if not missing:
        return numbers
    codes = to_numbers(pl.Series([each.strip() for each in missing], dtype=pl.String), decimal_comma=False).drop_nulls()
    return numbers.set(numbers.is_in(codes.to_list()).fill_null(False), None) if len(codes) else numbers


def without(column: pl.Series, missing: Collection[str]) -> pl.Series:
    """Return a column that is not text, null where its value, as text, is one of those that mean missing."""
    if not missing or has_no_text(column.dtype):
        return column
    is_absent = as_text(column).is_in([each.strip() for each in missing]).fill_null(False)
    return column.to_frame().select(pl.when(~is_absent).then(column).alias(column.name)).to_series()


def to_numbers(text: pl.Series, *, decimal_comma: bool) -> pl.Series:
    """Return text as numbers, null where it is not a number.

    With `decimal_comma` a comma is the decimal mark, and points before it separate thousands; else commas do.

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
    """Return text as truth values, null where it is not one; 0 and 1 are truth values here."""
    known = BOOLEAN_TEXTS | {"0": False, "1": True, "0.0": False, "1.0": True}
    return text.str.to_lowercase().replace_strict(known, default=None, return_dtype=pl.Boolean)


def counted_as_missing(misfits: pl.Series) -> str:
    """Say which texts count as missing, and how often they occur."""
    texts = misfits.unique(maintain_order=True).to_list()[:MAX_PLACEHOLDERS]
    return f"{len(misfits):,} × {', '.join(map(repr, texts))} taken as missing"


def has_no_text(dtype: pl.DataType) -> bool:
    """Tell whether polars cannot write values of a type as text: lists, records, bytes, durations and objects."""
    return dtype.is_nested() or dtype in (pl.Binary, pl.Duration, pl.Object)


def as_text(column: pl.Series) -> pl.Series:
    """Return a column as text, with the names that the rule language gives to categories."""
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


def _are_placeholders(texts: Collection[str], share_of_numbers: float) -> bool:
    if len(texts) > MAX_PLACEHOLDERS:
        return False
    usual = all(text.casefold() in PLACEHOLDERS for text in texts)
    return share_of_numbers >= MOSTLY or (share_of_numbers >= 0.5 and usual)


def _spelling_of_numbers(present: pl.Series, *, decimal_comma: bool) -> tuple[str, tuple[ColumnWarning, ...]]:
    """Return what the spelling of numbers suggests: leading zeros are signs of codes, points may separate thousands."""
    is_padded = present.str.contains(_LEADING_ZERO)
    if is_padded.any():
        return f"leading zeros, such as {present.filter(is_padded)[0]}; codes?", ()
    if not decimal_comma:
        return "", ()
    pointed = present.filter(present.str.contains(".", literal=True))
    if not len(pointed) or not pointed.str.contains(_POINTED_THOUSANDS).all():
        return "", ()
    number = float(pointed[0])
    finding = f"has {pointed[0]}, read as {number:g}, not as {number * 1000:g}"
    return "", (ColumnWarning(present.name, ColumnConcern.THOUSANDS, finding),)
