"""Tests that columns are recognised for what they are."""

from datetime import date, timedelta

import polars as pl
import pytest

from evoter.cli.tables.column_kinds import Found, as_category, as_number, view_column
from evoter.cli.tables.files import Source

N = 60


def view(values: list[object], name: str = "x", *, decimal_comma: bool = False) -> tuple[Found, str]:
    column = pl.Series(name, values, strict=False)
    found = view_column(column, Source("t", column.to_frame(), "", decimal_comma=decimal_comma))
    assert len(found.values) == len(values)
    return found.found, found.note


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([str(0.5 * n) for n in range(N)], Found.NUMBER),
        (["1", "2", "NA"], Found.NUMBER),
        (["1e3", "-2.5", "+7"], Found.NUMBER),
        (["1,234", "2,345"], Found.NUMBER),
        ([1.5, 2.5, None], Found.NUMBER),
        (["0", "1", "1"], Found.YES_NO),
        ([0, 1, None], Found.YES_NO),
        (["True", "false", ""], Found.YES_NO),
        ([True, False], Found.YES_NO),
        (["yes", "no", "yes"], Found.CATEGORY),
        (["a", "b", "a"] * 20, Found.CATEGORY),
        (["0", "0", "0"], Found.CONSTANT),
        (["a", "a"], Found.CONSTANT),
        (["a", "a", ""], Found.CATEGORY),
        (["", "NA", None], Found.EMPTY),
        ([None, None], Found.EMPTY),
        ([f"P{n}" for n in range(N)], Found.IDENTIFIER),
        ([str(n) for n in range(N)], Found.IDENTIFIER),
        ([str(7 * n) for n in range(N)], Found.NUMBER),
        ([f"text {n % 57}" for n in range(N)], Found.TEXT),
        ([f"2024-01-{n % 28 + 1:02}" for n in range(N)], Found.DATE),
        (["3.4.2024", "12.11.2023", ""], Found.DATE),
        (["2024-01-01T10:00:00Z", "2024-01-02 11:30"], Found.DATE),
        ([date(2024, 1, 1), None], Found.DATE),
        ([[1, 2], [3]], Found.OTHER),
        ([timedelta(hours=1), None], Found.DATE),
    ],
)
def test_kinds(values: list[object], found: Found) -> None:
    assert view(values)[0] is found


def test_names_tell_identifiers_among_whole_numbers() -> None:
    assert view([7 * n for n in range(N)], "patient_id")[0] is Found.IDENTIFIER
    assert view([7 * n for n in range(N)], "paid")[0] is Found.NUMBER
    assert view([7 * (n // 2) for n in range(N)], "patient_id")[0] is Found.NUMBER


def test_identifiers_may_have_more_digits_than_whole_numbers_of_a_machine() -> None:
    assert view([str(12345678901234567890 + 100_003 * n) for n in range(N)], "patient_id")[0] is Found.IDENTIFIER


def test_placeholders_among_numbers_are_missing() -> None:
    found, note = view([*(str(n * 1.5) for n in range(30)), "unknown", "-", "unknown"])
    assert found is Found.NUMBER
    assert note == "3 × 'unknown', '-' taken as missing"
    assert view(["1", "2", "many"])[0] is Found.CATEGORY


def test_decimal_commas_where_the_comma_does_not_separate() -> None:
    column = pl.Series("x", ["1,5", "2,25", "3"])
    assert view_column(column, Source("t", column.to_frame(), "", decimal_comma=True)).values.to_list() == [
        1.5,
        2.25,
        3,
    ]


def test_codes_are_suspected() -> None:
    assert "codes? --category" in view([str(n % 4) for n in range(N)])[1]


def test_the_users_word_counts() -> None:
    column = pl.Series("x", ["1", "2", "x"])
    source = Source("t", column.to_frame(), "")
    assert as_category(column, source).values.to_list() == ["1", "2", "x"]
    numbers = as_number(column, source)
    assert numbers.values.to_list() == [1.0, 2.0, None]
    assert numbers.placeholders == ("x",)


def test_summaries() -> None:
    def summary(values: list[object]) -> str:
        column = pl.Series("x", values)
        return view_column(column, Source("t", column.to_frame(), "")).summary

    assert summary([1.5, 20.0, None]) == "1.5 .. 20"
    assert summary([True, False, True, True]) == "75% yes"
    assert summary(["a", "a", "b"]) == "a, b"
    assert summary([*"aabcdef"]).endswith("+ 2 more")


def test_codes_show_by_their_leading_zeros() -> None:
    assert view([f"{n:05}" for n in range(1067, 99999, 1500)]) == (
        Found.NUMBER,
        "leading zeros, such as 01067; codes? --category or --drop",
    )
    assert view([f"{n / 7:.3f}" for n in range(N)])[1] == ""


def test_points_that_may_divide_thousands_raise_a_doubt() -> None:
    def doubt(values: list[str]) -> str:
        column = pl.Series("x", values)
        return view_column(column, Source("t", column.to_frame(), "", decimal_comma=True)).doubt

    assert doubt(["12.345", "950", "1.250"]) == "12.345 is read as 12.345: if it means 12345, take points out"
    assert doubt(["12.345", "950.5", "1.250"]) == ""
    assert doubt(["0.345", "0.125", "0.500"]) == ""
    assert doubt(["12.345,50", "950", "1,5"]) == ""
