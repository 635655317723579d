"""Tests of cells as values."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.schema import Kind
from evoter.rules.values import category_name
from evoter.tables.intake.cells import present_text, read_as, to_numbers, to_truths


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back_exactly(number: float) -> None:
    assert to_numbers(pl.Series([repr(number)]), decimal_comma=False).to_list() == [number]


@given(
    st.one_of(
        st.integers(-(10**15), 10**15),
        st.floats(-1e15, 1e15),
        st.booleans(),
        st.text(st.characters(codec="ascii", categories=["L"]), min_size=3),
    )
)
def test_typed_values_are_called_as_the_language_calls_them(value: object) -> None:
    (text,) = present_text(pl.Series([value]))
    wanted = category_name(value)
    if isinstance(value, float) and not value.is_integer():
        assert float(text) == value
    elif isinstance(value, str) and text is None:
        assert value.lower() in {"nan", "null", "nil"}
    else:
        assert text == wanted


@pytest.mark.parametrize("text", ["", " ", "NA", "n/a", "?", "NaN", "null", "NULL", "<NA>"])
def test_what_means_missing(text: str) -> None:
    assert present_text(pl.Series([text, "x"])).to_list() == [None, "x"]
    assert present_text(pl.Series(["gone", "x"]), ["Gone"]).to_list() == [None, "x"]


def test_none_and_dashes_are_values_of_categories() -> None:
    assert present_text(pl.Series(["None", "-", "+"])).to_list() == ["None", "-", "+"]


def test_truths() -> None:
    assert to_truths(pl.Series(["TRUE", "false", "1", "0.0", "yes", None])).to_list() == [
        True,
        False,
        True,
        False,
        None,
        None,
    ]


def test_misfits_are_kept_apart() -> None:
    reading = read_as(pl.Series(["1,5", "x", "-", ""]), Kind.NUMERIC, missing=["-"], decimal_comma=True)
    assert reading.values.to_list() == [1.5, None, None, None]
    assert reading.misfits.to_list() == ["x"]
