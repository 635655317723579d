"""Tests that parts of dates become named columns on request, from reading to predicting."""

from datetime import date, timedelta
from pathlib import Path
from random import Random

import polars as pl
import pytest

from commands import QUICK, fails, run, run_json
from evoter.cli.fit.date_columns import DateParts, date_views, read_date_options
from evoter.cli.output import Failure
from evoter.cli.tables.files import Source

RNG = Random(0)
DAYS = [date(2024, 1, 10) + timedelta(RNG.randrange(400)) for _ in range(300)]


def write_visits(path: Path, layout: str = "%d/%m/%Y") -> Path:
    """Write a table whose classes depend on the day of the week alone."""
    lines = [f"{day.strftime(layout)},{RNG.random():.3f},{'closed' if day.weekday() > 4 else 'open'}\n" for day in DAYS]
    path.write_text("visited,size,shop\n" + "".join(lines), encoding="utf-8")
    return path


def test_rules_read_parts_of_dates_and_predict_derives_them(folder: Path) -> None:
    write_visits(folder / "visits.csv")
    result = run("fit", "visits.csv", "-t", "shop", "--dates", "visited=month,weekday,days", *QUICK)
    assert result.exit_code == 0, result.output
    for name in ("visited month", "visited weekday", f"visited days since {min(DAYS)}"):
        assert name in result.stdout
    decided = run_json("predict", "visits.rules.json", "visits.csv")["predictions"]
    right = [
        each["prediction"] == ("closed" if day.weekday() > 4 else "open")
        for each, day in zip(decided, DAYS, strict=True)
    ]
    assert all(right), "the day of the week decides"
    assert "visited weekday" in Path("visits.rules.txt").read_text("utf-8")
    assert run_json("predict", "visits.rules.txt", "visits.csv")["predictions"] == decided
    pl.DataFrame({"visited": DAYS}).write_parquet("typed.parquet")
    assert run_json("predict", "visits.rules.json", "typed.parquet")["predictions"] == decided
    assert run("check", "visits.rules.json", "visits.csv").exit_code == 0
    assert run("compare", "visits.rules.json", "visits.csv", "--model", "majority").exit_code == 0
    explained = run("explain", "visits.rules.json", "visits.csv", "--row", "1", "visited weekday=Sunday")
    assert "closed" in explained.stdout


def test_without_a_request_dates_are_left_out_and_the_option_is_named(folder: Path) -> None:
    write_visits(folder / "visits.csv")
    result = run("fit", "visits.csv", "-t", "shop", *QUICK)
    assert "left out: dates; --dates reads parts of them" in result.stdout


def test_a_table_without_the_dates_is_refused_by_the_name_of_its_column(folder: Path) -> None:
    (folder / "some.rules").write_text(
        'd month > 6 -> late; Default -> early\nwhere\n  d month: numeric [1..12], read as "month of year-month-day", in column "d"',
        encoding="utf-8",
    )
    (folder / "t.csv").write_text("e,f\n1,2\n3,4\n", encoding="utf-8")
    assert fails("predict", "some.rules", "t.csv")[0] == "t.csv has no column 'd', which the rules read"
    (folder / "t.csv").write_text("d,f\n2024-07-01,2\n2024-06-30,4\n", encoding="utf-8")
    assert [each["prediction"] for each in run_json("predict", "some.rules", "t.csv")["predictions"]] == [
        "late",
        "early",
    ]


def test_days_and_months_that_cannot_be_told_apart_are_asked_about() -> None:
    column = pl.Series("d", ["01/02/2024", "03/04/2024"])
    source = Source("t", column.to_frame(), "")
    with pytest.raises(Failure, match="whose day and month cannot be told apart") as caught:
        list(date_views(column, source, DateParts(("month",)), ["d"]))
    assert caught.value.hint == "say which comes first: --dates 'd=dmy,month' or mdy"
    months = [
        next(date_views(column, source, *arguments)).values.to_list()
        for arguments in ((DateParts(("month",), order), ["d"]) for order in ("day-month-year", "month-day-year"))
    ]
    assert months == [[2.0, 4.0], [1.0, 3.0]]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("visited", "does not name a column"),
        ("visited=moon", "'moon' is not a part of a date"),
        ("visited=dmy", "names no part"),
        ("visited=dmy,mdy,year", "two orders"),
        ("when=month", "has no column 'when'"),
        ("size=month", "are not dates, such as"),
        ("shop=month", "was given two roles"),
    ],
)
def test_wrong_requests_are_one_line(option: str, message: str, folder: Path) -> None:
    write_visits(folder / "visits.csv")
    assert message in fails("fit", "visits.csv", "-t", "shop", "--dates", option)[0]


def test_options_are_read() -> None:
    assert read_date_options(["a=b=all"]) == {"a=b": DateParts(("year", "month", "weekday", "days"))}
    with pytest.raises(Failure, match="names 'a' twice"):
        read_date_options(["a=year", "a=month"])
