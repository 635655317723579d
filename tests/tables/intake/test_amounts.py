"""Tests that amounts are numbers when a whole column agrees on how they are written, and text when it does not."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.tables.intake.amounts import AmountStyle, MixedUnits, find_style, read_amounts
from evoter.tables.intake.cells import read_cells, read_feature, read_numbers_of

CASES: dict[str, tuple[list[str], list[float], str]] = {
    "dollars": (["$1,262.00", "$7", "-$3.50", "$-4"], [1262.0, 7.0, -3.5, -4.0], "$"),
    "brackets": (["(1,200)", "1,500", "(7.5)"], [-1200.0, 1500.0, -7.5], ""),
    "brackets and dollars": (["($1,262.00)", "$(3)", "$5"], [-1262.0, -3.0, 5.0], "$"),
    "euros": (["1.262,00 €", "3,5 €", "€ 12"], [1262.0, 3.5, 12.0], "€"),
    "decimal commas": (["1.262,00", "3,5", "12"], [1262.0, 3.5, 12.0], ""),
    "percent": (["30.0%", "4 %", "-1.5%"], [30.0, 4.0, -1.5], "%"),
    "kilograms": (["12 kg", "7.5kg", "0.25 kg"], [12.0, 7.5, 0.25], "kg"),
    "plurals": (["1 year", "2 years", "10 years"], [1.0, 2.0, 10.0], "years"),
    "spaces between thousands": (["1 262.5", "12", "3\u00a0000\u202f000"], [1262.5, 12.0, 3e6], ""),
    "apostrophes": (["1'262.50", "CHF 3"], [1262.5, 3.0], "CHF"),
    "a true minus sign": (["\u22123.5 °C", "21 °C"], [-3.5, 21.0], "°C"),
    "rates": (["5.5 mg/dL", "6 mg/dL"], [5.5, 6.0], "mg/dL"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_column_that_agrees_becomes_numbers(case: str) -> None:
    texts, numbers, unit = CASES[case]
    reading = read_cells(pl.Series("x", texts))
    assert reading.values.to_list() == numbers
    assert reading.style is not None
    assert reading.style.unit == unit
    assert not len(reading.misfits)


@pytest.mark.parametrize("case", CASES)
def test_a_feature_reads_the_same_cells_alike(case: str) -> None:
    """What a rule file says about a column is enough to read it again."""
    from evoter.rules.schema import AMOUNT, Feature

    texts, numbers, _ = CASES[case]
    reading = read_cells(pl.Series("x", texts))
    assert reading.style is not None
    cells = AMOUNT if reading.is_amount else ""
    feature = Feature("x", unit=reading.style.unit, cells=cells, decimal_comma=reading.style.decimal_comma)
    assert read_feature(pl.Series("x", texts), feature).values.to_list() == numbers
    assert read_feature(pl.Series("x", [1.5, None]), feature).values.to_list() == [1.5, None], "numbers have a type"


@pytest.mark.parametrize(
    "texts",
    [
        ["12A", "14B", "3C"],
        ["1st", "2nd", "3rd"],
        ["E119", "I10", "J45"],
        ["2024-01-31", "2024-02-01"],
        ["10-20", "20-30"],
        ["1.2.3", "1.2.4"],
        ["53111 Bonn", "50667 Köln"],
        ["$5", "cheap", "expensive", "free"],
        ["(5", "6)"],
        ["--5", "6"],
        ["$5 USD", "$6 USD"],
        ["1,23,4", "5"],
    ],
)
def test_other_texts_stay_text(texts: list[str]) -> None:
    reading = read_cells(pl.Series("x", texts))
    assert reading.values.dtype == pl.String
    assert reading.values.to_list() == texts


@pytest.mark.parametrize(
    ("texts", "units"),
    [(["12 kg", "300 g", "5 kg"], ("kg", "g")), (["$5", "5 €", "€3"], ("€", "$")), (["5 min", "1 h"], ("h", "min"))],
)
def test_mixed_units_are_refused_by_name(texts: list[str], units: tuple[str, ...]) -> None:
    assert find_style(pl.Series(texts), decimal_comma=False) == MixedUnits(units)
    assert read_cells(pl.Series("x", texts)).mixed_units == units


def test_who_says_that_it_is_a_number_gets_the_most_frequent_unit() -> None:
    reading = read_numbers_of(pl.Series("x", ["12 kg", "300 g", "5 kg"]), missing=(), decimal_comma=False)
    assert reading.values.to_list() == [12.0, None, 5.0]
    assert reading.misfits.to_list() == ["300 g"]
    assert "1 × '300 g' taken as missing" in reading.note


@pytest.mark.parametrize("unit", ["", " mg"])
def test_commas_in_thousands_where_other_columns_have_decimal_commas(unit: str) -> None:
    """A file with semicolons had 1,003 mg beside 402 mg, which is no milligram."""
    from evoter.rules.schema import AMOUNT, Feature

    texts = [f"{number}{unit}" for number in ("402", "1,003", "12,345,678", "-7")]
    reading = read_cells(pl.Series("x", texts), decimal_comma=True)
    assert reading.values.to_list() == [402.0, 1003.0, 12345678.0, -7.0]
    assert reading.is_amount
    feature = Feature("x", unit=unit.strip(), cells=AMOUNT)
    assert read_feature(pl.Series("x", texts), feature, decimal_comma=True).values.to_list() == reading.values.to_list()
    for numbers in (["0,402", "1,003"], ["1,003", "1,5", "2"], ["1,003", "2,250"], ["1,003", "4020"]):
        read = read_cells(pl.Series("x", [f"{number}{unit}" for number in numbers]), decimal_comma=True).values
        assert read.to_list() == [float(number.replace(",", ".")) for number in numbers]


def test_points_are_read_in_a_table_of_decimal_commas() -> None:
    """Percentages with points beside prices with commas, in one file, are read alike by fit and predict."""
    from evoter.rules.schema import AMOUNT, Feature

    texts = pl.Series("x", ["12.3%", "4%"])
    reading = read_cells(texts, decimal_comma=True)
    assert reading.values.to_list() == [12.3, 4.0]
    assert reading.style == AmountStyle("%", False)
    feature = Feature("x", unit="%", cells=AMOUNT)
    assert read_feature(texts, feature, decimal_comma=True).values.to_list() == [12.3, 4.0]
    with_word = read_cells(pl.Series("x", ["0.87", "n.d.", "1.2"]), decimal_comma=True)
    assert (with_word.is_amount, with_word.note) == (False, "1 × 'n.d.' taken as missing")


def test_words_for_missing_among_amounts() -> None:
    reading = read_cells(pl.Series("x", ["$5", "unknown", "-", "$7", None, "$8"]))
    assert reading.values.to_list() == [5.0, None, None, 7.0, None, 8.0]
    assert reading.misfits.to_list() == ["unknown", "-"]


def test_cells_without_the_unit_of_the_others_are_pointed_out() -> None:
    reading = read_cells(pl.Series("x", ["12 kg", "0", "7 kg"]))
    assert reading.values.to_list() == [12.0, 0.0, 7.0]
    (warning,) = reading.warnings
    assert str(warning).startswith("the column 'x' has 1 cells without the unit kg of the others")


@given(
    st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=1, max_size=8),
    st.sampled_from(["", "$", "€", "kg", "%", "mg/dL"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([",", " ", "'", ""]),
)
def test_what_is_written_is_read_back(numbers: list[Any], unit: str, comma: bool, brackets: bool, gap: str) -> None:
    """Whatever the unit, the decimal mark, the separator of thousands and the way to write what is negative."""
    texts = []
    for number in numbers:
        text = f"{abs(number):,.2f}".replace(",", "_").replace(".", "," if comma else ".")
        text = text.replace("_", "." if comma and gap == "," else gap)
        text = f"{unit}{text}" if unit in ("$", "€") else f"{text} {unit}".rstrip()
        negative = f"({text})" if brackets else f"-{text}"
        texts.append(negative if number < 0 else text)
    read = read_amounts(pl.Series(texts), unit, decimal_comma=comma)
    assert read.to_list() == [float(number) for number in numbers]
    style = find_style(pl.Series(texts), decimal_comma=comma)
    assert style == AmountStyle(unit, comma)
