"""Numbered cells of polars and Arrow are the cells of the series."""

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.tables.coding import code_cells

TEXTS = st.lists(st.none() | st.text(alphabet=st.characters(codec="utf-8"), max_size=3), max_size=30)
TRUTHS = st.lists(st.none() | st.booleans(), max_size=30)


@given(TEXTS)
def test_texts_are_the_same(cells: list[str | None]) -> None:
    chunks = pa.chunked_array([cells[:7], cells[7:]], pa.string())
    for series in (pl.Series(cells, dtype=pl.String), chunks):
        coded = code_cells(series)
        assert coded is not None
        assert coded.to_list() == cells
        assert coded.in_use().to_list() == cells
        assert len(coded) == len(cells)


@given(TRUTHS)
def test_truth_values_are_the_same(cells: list[bool | None]) -> None:
    for series in (pl.Series(cells, dtype=pl.Boolean), pa.chunked_array([cells], pa.bool_())):
        coded = code_cells(series)
        assert coded is not None
        assert coded.to_list() == cells


@pytest.mark.parametrize("series", [
    pl.Series(["b", None, "a"], dtype=pl.Categorical), pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b", "c"])),
    pa.chunked_array([pa.array(["b", None, "a"]).dictionary_encode()]),
])  # fmt: skip
def test_categories_are_texts(series: object) -> None:
    coded = code_cells(series)
    assert coded is not None
    assert coded.to_list() == ["b", None, "a"]


def test_numbers_and_lists_are_left_to_others() -> None:
    assert code_cells(pl.Series([1.5])) is None
    assert code_cells(pa.chunked_array([[1.5]])) is None
    assert code_cells(["a"]) is None
