"""Tests that columns are recognised for what they are."""

import random
from datetime import date, timedelta

import polars as pl
import pytest

from evoter.cli.tables.column_views import as_category, as_number, class_warning, view_column, with_target_warnings
from evoter.cli.tables.files import Source
from evoter.tables import ColumnKind

N = 60


def view(values: list[object], name: str = "x", *, decimal_comma: bool = False) -> tuple[ColumnKind, str]:
    column = pl.Series(name, values, strict=False)
    found = view_column(column, Source("t", column.to_frame(), "", decimal_comma=decimal_comma))
    assert len(found.values) == len(values)
    return found.kind, found.note


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([str(0.5 * n) for n in range(N)], ColumnKind.NUMERIC),
        (["1", "2", "NA"], ColumnKind.NUMERIC),
        (["1e3", "-2.5", "+7"], ColumnKind.NUMERIC),
        (["1,234", "2,345"], ColumnKind.NUMERIC),
        ([1.5, 2.5, None], ColumnKind.NUMERIC),
        (["0", "1", "1"], ColumnKind.BOOLEAN),
        ([0, 1, None], ColumnKind.BOOLEAN),
        (["True", "false", ""], ColumnKind.BOOLEAN),
        ([True, False], ColumnKind.BOOLEAN),
        (["yes", "no", "yes"], ColumnKind.CATEGORICAL),
        (["a", "b", "a"] * 20, ColumnKind.CATEGORICAL),
        (["0", "0", "0"], ColumnKind.CONSTANT),
        (["a", "a"], ColumnKind.CONSTANT),
        (["a", "a", ""], ColumnKind.CATEGORICAL),
        (["", "NA", None], ColumnKind.EMPTY),
        ([None, None], ColumnKind.EMPTY),
        ([f"P{n}" for n in range(N)], ColumnKind.IDENTIFIER),
        ([str(n) for n in range(N)], ColumnKind.IDENTIFIER),
        ([str(7 * n) for n in range(N)], ColumnKind.NUMERIC),
        ([f"text {n % 57}" for n in range(N)], ColumnKind.TEXT),
        ([f"2024-01-{n % 28 + 1:02}" for n in range(N)], ColumnKind.DATE),
        (["3.4.2024", "12.11.2023", ""], ColumnKind.DATE),
        (["2024-01-01T10:00:00Z", "2024-01-02 11:30"], ColumnKind.DATE),
        ([date(2024, 1, 1), None], ColumnKind.DATE),
        ([[1, 2], [3]], ColumnKind.OTHER),
        ([timedelta(hours=1), None], ColumnKind.DATE),
    ],
)
def test_kinds(values: list[object], kind: ColumnKind) -> None:
    assert view(values)[0] is kind


def test_names_tell_identifiers_among_whole_numbers() -> None:
    assert view([7 * n for n in range(N)], "patient_id")[0] is ColumnKind.IDENTIFIER
    assert view([7 * n for n in range(N)], "paid")[0] is ColumnKind.NUMERIC
    assert view([7 * (n // 2) for n in range(N)], "patient_id")[0] is ColumnKind.IDENTIFIER
    assert view([7 * (n // 2) for n in range(N)], "paid")[0] is ColumnKind.NUMERIC


def test_identifiers_may_have_more_digits_than_whole_numbers_of_a_machine() -> None:
    assert view([str(12345678901234567890 + 100_003 * n) for n in range(N)], "patient_id")[0] is ColumnKind.IDENTIFIER


def test_placeholders_among_numbers_are_missing() -> None:
    found, note = view([*(str(n * 1.5) for n in range(30)), "unknown", "-", "unknown"])
    assert found is ColumnKind.NUMERIC
    assert note == "3 × 'unknown', '-' taken as missing"
    assert view(["1", "2", "many"])[0] is ColumnKind.CATEGORICAL


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
        return view_column(column, Source("t", column.to_frame(), "")).report.summary

    assert summary([1.5, 20.0, None]) == "1.5 .. 20"
    assert summary([True, False, True, True]) == "75% yes"
    assert summary(["a", "a", "b"]) == "a, b"
    assert summary([*"aabcdef"]).endswith("+ 2 more")


def test_codes_show_by_their_leading_zeros() -> None:
    assert view([f"{n:05}" for n in range(1067, 99999, 1500)]) == (
        ColumnKind.NUMERIC,
        "leading zeros, such as 01067; codes? --category or --drop",
    )
    assert view([f"{n / 7:.3f}" for n in range(N)])[1] == ""


def test_points_that_may_separate_thousands_are_warned_about() -> None:
    def warnings(values: list[str]) -> tuple[str, ...]:
        column = pl.Series("x", values)
        return view_column(column, Source("t", column.to_frame(), "", decimal_comma=True)).warnings

    assert warnings(["12.345", "950", "1.250"]) == (
        "has 12.345, read as 12.345, not as 12345: remove the points if they separate thousands",
    )
    assert warnings(["12.345", "950.5", "1.250"]) == ()
    assert warnings(["0.345", "0.125", "0.500"]) == ()
    assert warnings(["12.345,50", "950", "1,5"]) == ()


RNG = random.Random(0)
LABELS = [RNG.choice(["yes", "no", "no"]) for _ in range(200)]


def warnings_about(values: list[object], name: str = "x") -> tuple[str, ...]:
    column = pl.Series(name, values)
    view = view_column(column, Source("t", column.to_frame(), ""))
    return with_target_warnings([view], LABELS, "y")[0].warnings


def test_columns_that_determine_the_target_are_warned_about() -> None:
    paid: list[object] = ["paid" if label == "yes" else "due" for label in LABELS]
    assert warnings_about(paid) == (
        "determines y by itself for 100.0% of the rows: is it known beforehand? If not: --drop",
    )
    assert warnings_about([RNG.choice("abc") for _ in LABELS]) == ()


def test_identifiers_that_repeat_are_warned_about() -> None:
    numbers: list[object] = [RNG.randrange(10**6) for _ in range(180)]
    (warning,) = warnings_about([*numbers, *numbers[:20]], "shelf nbr")
    assert warning.startswith("looks like an identifier: 180 values that repeat, about 1.1 rows each: --id")


def test_misspelt_categories_and_classes_are_asked_about() -> None:
    towns: list[object] = [RNG.choice(["Bonn", "Köln"]) for _ in LABELS]
    towns[7] = "köln"
    assert warnings_about(towns) == ("has 'köln' and 'Köln': the same? Then correct the table",)
    assert class_warning({"good": 90, "Good": 3}, "y") == (
        "'y' has 'Good' and 'good': the same? Rules would tell them apart: correct the table"
    )
    assert class_warning({"good": 90, "bad": 3}, "y") == ""


@pytest.mark.parametrize("values", [["7", "-999", "8.5"], [7, -999, 8.5]])
def test_texts_that_mean_missing_count_in_typed_columns_too(values: list[object]) -> None:
    column = pl.Series("x", values, strict=False)
    source = Source("t", column.to_frame(), "", missing=("-999",))
    assert view_column(column, source).values.to_list() == [7.0, None, 8.5]
    assert as_number(column, source).values.to_list() == [7.0, None, 8.5]
