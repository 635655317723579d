"""Dates in cells: the order in which they are written, and the parts of them that rules can read."""

from datetime import date
from typing import Final

import polars as pl

from evoter.rules.schema import DATE_CELLS, DATE_ORDERS

YEAR_FIRST, DAY_FIRST, MONTH_FIRST = DATE_ORDERS
ORDER_NAMES: Final = {"ymd": YEAR_FIRST, "dmy": DAY_FIRST, "mdy": MONTH_FIRST}
PARTS: Final = ("year", "month", "weekday", "days")
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DATE = r"^(?P<first>\d{1,4})(?P<mark>[-/.])(?P<second>\d{1,2})[-/.](?P<third>\d{1,4})(?:[T ]\d{1,2}:\d{2}.*)?$"
_CENTURY_TURNS: Final = 69
"""Two digits are a year of this century up to 68, as everywhere in POSIX."""


def find_order(present: pl.Series) -> str | None:
    """Return the order of year, month and day in a column of dates; None if nothing tells day and month apart.

    >>> find_order(pl.Series(["31/01/2024", "02/03/2024"])), find_order(pl.Series(["02/03/2024"]))
    ('day-month-year', None)
    """
    parts = _parts(present)
    later = parts.filter(pl.col("first") <= 31)
    if not len(later):
        return YEAR_FIRST
    if later.select((pl.col("mark") == ".").all()).item() or later.select((pl.col("first") > 12).any()).item():
        return DAY_FIRST
    return MONTH_FIRST if later.select((pl.col("second") > 12).any()).item() else None


def read_dates(column: pl.Series, order: str) -> pl.Series:
    """Return dates, null where a cell is none; a time of day is left out. A year of four digits may always come first.

    >>> read_dates(pl.Series(["3/4/24", "2024-04-03 10:30", "x"]), "day-month-year").to_list()
    [datetime.date(2024, 4, 3), datetime.date(2024, 4, 3), None]
    """
    if column.dtype.is_temporal():
        return column.cast(pl.Date, strict=False)
    first, second, third = pl.col("first"), pl.col("second"), pl.col("third")
    year_first = first > 31 if order != YEAR_FIRST else pl.lit(True)
    day, month = (first, second) if order == DAY_FIRST else (second, first)
    short = pl.when(third < _CENTURY_TURNS).then(third + 2000).when(third < 100).then(third + 1900).otherwise(third)
    written = pl.concat_str(
        pl.when(year_first).then(first).otherwise(short).cast(pl.String).str.zfill(4),
        pl.when(year_first).then(second).otherwise(month).cast(pl.String).str.zfill(2),
        pl.when(year_first).then(third).otherwise(day).cast(pl.String).str.zfill(2),
        separator="-",
    )
    return _parts(column).select(written.str.to_date("%Y-%m-%d", strict=False)).to_series().alias(column.name)


def read_part(column: pl.Series, cells: str) -> pl.Series:
    """Return the part of dates that a feature's `cells` asks for: a number, or the name of the day of the week.

    >>> read_part(pl.Series(["2024-04-03"]), "days since 2024-04-01 of year-month-day").to_list()
    [2.0]
    """
    found = DATE_CELLS.fullmatch(cells)
    assert found is not None
    dates = read_dates(column, found[3])
    if found[2]:
        return (dates - date.fromisoformat(found[2])).dt.total_days().cast(pl.Float64)
    if found[1] == "weekday":
        return dates.dt.weekday().replace_strict(
            dict(enumerate(WEEKDAYS, start=1)), default=None, return_dtype=pl.Enum(WEEKDAYS)
        )
    return (dates.dt.year() if found[1] == "year" else dates.dt.month()).cast(pl.Float64)


def _parts(text: pl.Series) -> pl.DataFrame:
    groups = text.to_frame("x").select(pl.col("x").str.extract_groups(_DATE)).to_series().struct.unnest()
    return groups.with_columns(pl.col(each).cast(pl.Int32) for each in ("first", "second", "third"))
