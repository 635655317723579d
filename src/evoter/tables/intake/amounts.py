"""Numbers as people write them: with a unit or currency, separators of thousands, or brackets for a minus sign."""

from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

_CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|SGD|HKD|TRY"
_BEFORE = rf"(?:[A-Z]{{0,3}}\p{{Sc}}|(?:{_CODES})\b)"
_AFTER = r"(?:%|‰|\p{Sc}|°\s?[CF]?|[\p{L}µ][\p{L}\d_µ/%°²³^·*-]{0,14})"
_GAPS = r"' \u00a0\u2009\u202f’"
_AMOUNT = (
    rf"^(?P<before>{_BEFORE})?\s*(?P<open>\()?\s*(?P<minus>[-+\u2212])?\s*(?P<inner>{_BEFORE})?\s*(?P<inner_minus>[-+\u2212])?"
    rf"(?P<number>\d[\d.,{_GAPS}]*|[.,]\d+)(?P<gap>\s*)(?P<within>{_AFTER})?\s*(?P<close>\))?\s*(?P<after>{_AFTER})?$"
)
_WHOLE = rf"\d*|\d{{1,3}}([{_GAPS}]\d{{3}})+"
_POINT = rf"^({_WHOLE}|\d{{1,3}}(,\d{{3}})+)(\.\d*)?$"
_COMMA = rf"^({_WHOLE}|\d{{1,3}}(\.\d{{3}})+)(,\d*)?$"
_BOTH_MARKS = r"^\d{1,3}((,\d{3})+\.\d*|(\.\d{3})+,\d*)$"
"""A number with both marks can be read in one way only: the last mark is the decimal one."""

_FAMILIES = (
    {"ng", "µg", "ug", "mcg", "mg", "g", "kg", "t", "oz", "lb", "st"},
    {"nm", "µm", "mm", "cm", "dm", "m", "km", "in", "inch", "ft", "yd", "mi", "mile"},
    {"ms", "s", "sec", "second", "min", "minute", "h", "hr", "hour", "d", "day", "week", "month", "y", "yr", "year"},
    {"ml", "mL", "cl", "dl", "dL", "l", "L", "gal"},
    {"°C", "°F", "°", "C", "F"},
    {"k", "K", "M", "m", "B", "bn", "mn"},
    {"%", "‰"},
)
"""Units of one quantity: a column that has several of one family measures that quantity in several units."""


class AmountStyle(NamedTuple):
    """How the amounts of a column are written: their unit, "" if they have none, and the decimal mark.

    `n_bare` is the number of cells without the unit that others have.
    """

    unit: str
    decimal_comma: bool
    n_bare: int = 0


class MixedUnits(NamedTuple):
    """The units of a column that measures one quantity in several, the most frequent first."""

    units: tuple[str, ...]


def find_style(present: pl.Series, *, decimal_comma: bool) -> AmountStyle | MixedUnits | None:
    """Return how all cells of a column are written as amounts; None if some are not, or they disagree on the unit.

    >>> find_style(pl.Series(["$1,262.00", "($3.50)"]), decimal_comma=False)
    AmountStyle(unit='$', decimal_comma=False, n_bare=0)
    >>> find_style(pl.Series(["12 kg", "300 g"]), decimal_comma=False)
    MixedUnits(units=('g', 'kg'))
    >>> find_style(pl.Series(["3,5", "1.262,00"]), decimal_comma=False)
    AmountStyle(unit='', decimal_comma=True, n_bare=0)
    """
    parts = _taken_apart(present)
    if parts["number"].null_count():
        return None
    units = parts["unit"].drop_nulls().value_counts(sort=True).sort("count", "unit", descending=[True, False])["unit"]
    by_key: dict[str, str] = {}
    for unit in units.to_list():
        by_key[_key(unit)] = max(by_key.get(_key(unit), ""), unit, key=len)
    if len(by_key) > 1:
        are_comparable = any(set(by_key) <= family for family in _FAMILIES) or all(map(_is_currency, by_key.values()))
        return MixedUnits(tuple(by_key.values())) if are_comparable else None
    unit = next(iter(by_key.values()), "")
    n_bare = parts["unit"].null_count() if unit else 0
    likely = decimal_comma and not commas_separate_thousands(parts["number"])
    for comma in (likely, not likely):
        if not _numbers(parts, decimal_comma=comma).null_count():
            return AmountStyle(unit, comma, n_bare)
    return None


def commas_separate_thousands(numbers: pl.Series) -> bool:
    """Tell whether commas separate thousands, although they are the decimal mark elsewhere in the table.

    Each is then followed by three digits, and there are numbers without a comma, none of which has more than three
    digits. If the comma were the decimal mark, numbers with one or two decimals would be far more frequent than those
    without any.

    >>> commas_separate_thousands(pl.Series(["1,065", "402"])), commas_separate_thousands(pl.Series(["1,065", "0,402"]))
    (True, False)
    """
    with_comma = numbers.str.contains(",", literal=True)
    grouped, others = numbers.filter(with_comma), numbers.filter(~with_comma)
    if not len(grouped) or not len(others):
        return False
    are_groups = bool(grouped.str.contains(r"^[+-]?[1-9]\d{0,2}(,\d{3})+$").all())
    return are_groups and bool(others.str.contains(r"^[+-]?\d{1,3}$").all())


def read_amounts(text: pl.Series, unit: str, *, decimal_comma: bool) -> pl.Series:
    """Return amounts as numbers, null where a cell is no amount or has another unit; the unit may be left out.

    >>> read_amounts(pl.Series(["12 kg", "(1,200)", "300 g", "7.5kg", None]), "kg", decimal_comma=False).to_list()
    [12.0, -1200.0, None, 7.5, None]
    """
    parts = _taken_apart(text)
    fits = parts["unit"].is_null() | parts["unit"].is_in(_spellings(unit))
    numbers = _numbers(parts, decimal_comma=decimal_comma)
    return numbers.set(~fits, None).alias(text.name)


def _taken_apart(text: pl.Series) -> pl.DataFrame:
    """Return the number, the sign and the unit of each cell, null where a cell is no amount or has two units."""
    groups = text.to_frame("x").select(pl.col("x").str.extract_groups(_AMOUNT)).to_series().struct.unnest()
    units = ("before", "inner", "within", "after")
    n_units = pl.sum_horizontal(pl.col(each).is_not_null() for each in units)
    n_minus = pl.sum_horizontal(pl.col(each).is_in(["-", "\u2212"]) for each in ("minus", "inner_minus"))
    n_signs = pl.sum_horizontal(pl.col(each).is_not_null() for each in ("minus", "inner_minus", "open"))
    is_whole = pl.col("open").is_null() == pl.col("close").is_null()
    is_amount = pl.col("number").is_not_null() & (n_units <= 1) & (n_signs <= 1) & is_whole
    return groups.select(
        number=pl.when(is_amount).then(pl.col("number").str.strip_chars()),
        negative=pl.col("open").is_not_null() | (n_minus > 0),
        unit=pl.when(is_amount).then(pl.coalesce(units)),
    )


def _numbers(parts: pl.DataFrame, *, decimal_comma: bool) -> pl.Series:
    number = pl.col("number")
    gapless = number.str.replace_all(rf"[{_GAPS}]", "")
    point = gapless.str.replace_all(",", "", literal=True)
    comma = gapless.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    other_mark = number.str.contains(_BOTH_MARKS)
    pattern, clean = (_COMMA, comma) if decimal_comma else (_POINT, point)
    plain = (
        pl.when(number.str.contains(pattern))
        .then(clean)
        .when(other_mark & number.str.contains(_POINT))
        .then(point)
        .when(other_mark & number.str.contains(_COMMA))
        .then(comma)
    )
    value = plain.cast(pl.Float64, strict=False)
    return parts.select(pl.when(pl.col("negative")).then(-value).otherwise(value)).to_series()


def _key(unit: str) -> str:
    """Return a unit without the s of a plural."""
    return unit.removesuffix("s") if len(unit) > 2 else unit


def _spellings(unit: str) -> list[str]:
    return [_key(unit), f"{_key(unit)}s", unit] if unit else []


def _is_currency(unit: str) -> bool:
    return unit in _CODES.split("|") or any(mark in unit for mark in "$€£¥₹₽₩₺")


def style_note(style: AmountStyle, examples: Iterable[tuple[str, float]]) -> str:
    """Say how amounts were read, for the table of columns.

    >>> style_note(AmountStyle("%", False), [("30.0%", 30.0)])
    "in percent: '30.0%' is 30"
    """
    text, number = next(iter(examples))
    unit = {"": "", "%": "in percent: "}.get(style.unit, f"in {style.unit}: ")
    bare = f"; {style.n_bare:,} without a unit, taken as {style.unit}" if style.n_bare else ""
    return f"{unit}{text!r} is {number:.15g}{bare}"
