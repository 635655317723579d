"""Tests that dates are read in the order in which they are written, and taken apart."""

from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind
from evoter.tables.intake.cells import read_feature
from evoter.tables.intake.dates import WEEKDAYS, find_order, read_dates, read_part

FORMATS = {"year-month-day": "%Y-%m-%d", "day-month-year": "%d/%m/%Y", "month-day-year": "%m/%d/%Y"}


@given(
    st.sampled_from(sorted(FORMATS)), st.dates(date(1000, 1, 1), date(9999, 12, 31)), st.sampled_from(["", " 10:30"])
)
def test_dates_are_read_back(order: str, day: date, time: str) -> None:
    text = day.strftime(FORMATS[order]).rjust(10, "0") + time
    assert read_dates(pl.Series([text]), order).to_list() == [day]
    since = read_part(pl.Series([text]), f"days since 2000-01-01 of {order}").item()
    assert since == (day - date(2000, 1, 1)).days
    assert read_part(pl.Series([text]), f"weekday of {order}").item() == WEEKDAYS[day.weekday()]
    assert read_part(pl.Series([text]), f"month of {order}").item() == day.month
    assert read_part(pl.Series([text]), f"year of {order}").item() == day.year


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["2024-01-31", "2024-12-01"], "year-month-day"),
        (["31/12/2024", "01/02/2024"], "day-month-year"),
        (["12/31/2024", "01/02/2024"], "month-day-year"),
        (["01.02.2024", "03.04.2024"], "day-month-year"),
        (["01/02/2024", "03/04/2024"], None),
    ],
)
def test_the_order_is_found_or_asked_for(texts: list[str], order: str | None) -> None:
    assert find_order(pl.Series(texts)) == order


def test_what_is_no_date_is_null() -> None:
    texts = ["30.02.2024", "x", None, "2024-13-01", "1.2.69", "1.2.68"]
    read = read_dates(pl.Series(texts), "day-month-year").to_list()
    assert read == [None, None, None, None, date(1969, 2, 1), date(2068, 2, 1)]


def test_a_feature_takes_dates_apart_whatever_their_type() -> None:
    weekday = Feature("d weekday", Kind.CATEGORICAL, categories=WEEKDAYS, cells="weekday of day-month-year", column="d")
    days = [date(2024, 4, 1), None]
    assert read_feature(pl.Series("d", days), weekday).values.to_list() == ["Monday", None]
    moments = [datetime(2024, 4, 1, 23, 59), None]
    assert read_feature(pl.Series("d", moments), weekday).values.to_list() == ["Monday", None]
    reading = read_feature(pl.Series("d", ["1.4.2024", "soon", "NA"]), weekday)
    assert reading.values.to_list() == ["Monday", None, None]
    assert reading.misfits.to_list() == ["soon"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"cells": "decade of year-month-day"}, "unknown way to read cells"),
        ({"cells": "weekday of year-month-day"}, "is numeric, but cells read as"),
        ({"cells": "days since 2024-02-30 of year-month-day"}, "there is no date 2024-02-30"),
        ({"column": " x"}, "must not be empty or start or end with a space"),
    ],
)
def test_features_refuse_what_cannot_be_read(fields: dict[str, str], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Feature("x", **fields)  # type: ignore[arg-type]
