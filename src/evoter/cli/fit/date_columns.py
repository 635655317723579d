"""Parts of dates as columns that rules can read, which `--dates COLUMN=month,weekday` asks for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

import polars as pl

from evoter.analysis.formatting import counted
from evoter.cli.output import Failure, nearest
from evoter.cli.tables.column_views import CellFields, ColumnView
from evoter.cli.tables.files import Source
from evoter.tables.intake.cells import as_text, counted_as_missing, present_text
from evoter.tables.intake.dates import ORDER_NAMES, PARTS, YEAR_FIRST, find_order, read_dates, read_part
from evoter.tables.intake.description import describe_series
from evoter.tables.intake.limits import MOSTLY

_ALL = "all"


class DateParts(NamedTuple):
    """The parts of dates that are asked for, and the order of year, month and day, "" if it is not given."""

    parts: tuple[str, ...]
    order: str = ""

    @property
    def words(self) -> list[str]:
        """What the user may have written after the name of the column."""
        return [*(name for name, order in ORDER_NAMES.items() if order == self.order), *self.parts]


def read_date_options(pairs: Iterable[str]) -> dict[str, DateParts]:
    """Read options such as `admitted=month,weekday` or `admitted=dmy,days`.

    >>> read_date_options(["admitted=dmy,month,weekday"])
    {'admitted': DateParts(parts=('month', 'weekday'), order='day-month-year')}
    """
    read: dict[str, DateParts] = {}
    for pair in pairs:
        column, _, text = pair.rpartition("=")
        if not column.strip():
            hint = f"write --dates COLUMN=PART,...; parts are {', '.join(PARTS)} and all"
            raise Failure(f"--dates {pair!r} does not name a column and parts of its dates", hint)
        if column.strip() in read:
            raise Failure(f"--dates names {column.strip()!r} twice", "list all parts after one =")
        read[column.strip()] = read_words([word.strip().casefold() for word in text.split(",")])
    return read


def read_words(words: Sequence[str]) -> DateParts:
    """Read the parts of dates, and perhaps their order."""
    known = [*PARTS, _ALL, *ORDER_NAMES]
    for word in words:
        if word not in known:
            raise Failure(f"{word!r} is not a part of a date", nearest(word, known, f"known: {', '.join(known)}"))
    parts = PARTS if _ALL in words else tuple(dict.fromkeys(word for word in words if word in PARTS))
    orders = [ORDER_NAMES[word] for word in words if word in ORDER_NAMES]
    if not parts:
        raise Failure("--dates names no part of a date", f"known: {', '.join([*PARTS, _ALL])}")
    if len(orders) > 1:
        raise Failure("--dates gives two orders of year, month and day", f"write one of {', '.join(ORDER_NAMES)}")
    return DateParts(parts, orders[0] if orders else "")


def date_views(column: pl.Series, source: Source, asked: DateParts, names: Sequence[str]) -> Iterator[ColumnView]:
    """Yield a column for each part of the dates in a column, under names that are not among `names`, the table's."""
    cells = column if column.dtype.is_temporal() else present_text(column, source.missing)
    order = asked.order or (YEAR_FIRST if column.dtype.is_temporal() else find_order(cells.drop_nulls()))
    if order is None:
        example = cells.drop_nulls()[0]
        hint = f"say which comes first: --dates '{column.name}=dmy,{asked.parts[0]}' or mdy"
        raise Failure(f"{column.name!r} has dates such as {example!r}, whose day and month cannot be told apart", hint)
    dates = read_dates(cells, order)
    misfits = as_text(cells).filter(dates.is_null() & cells.is_not_null())
    n_present = len(cells) - cells.null_count()
    if n_present == 0 or len(misfits) > (1 - MOSTLY) * n_present:
        example = f", such as {misfits[0]!r}" if len(misfits) else ""
        found = f"{counted(len(misfits), 'cell')} of {column.name!r} are not dates{example}"
        raise Failure(found if n_present else f"{column.name!r} has no dates", "name a column of dates with --dates")
    first: date = dates.drop_nulls().sort()[0]
    for part in asked.parts:
        wanted = f"days since {first}" if part == "days" else part
        name = f"{column.name} {wanted}"
        if name in names:
            raise Failure(f"the table has a column {name!r} already", f"rename it to use --dates {column.name}={part}")
        values = read_part(cells, f"{wanted} of {order}").alias(name)
        note = f"of {column.name!r}" + (f"; {counted_as_missing(misfits)}" if len(misfits) else "")
        placeholders = tuple(misfits.unique(maintain_order=True).to_list())
        fields = CellFields(cells=f"{wanted} of {order}", column=column.name, decimal_comma=False)
        yield ColumnView(describe_series(values), values, placeholders, note, fields)


def words_by_column(dates: Mapping[str, DateParts]) -> dict[str, list[str]]:
    """Return what was asked for as the record of a fit has it."""
    return {column: asked.words for column, asked in dates.items()}
