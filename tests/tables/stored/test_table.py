"""A stored table is inferred and encoded like the frame it was made from, with all of its rows or some."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evoter.rules.errors import SchemaError
from evoter.tables import describe_columns, encode, infer_schema
from evoter.tables.stored.cache import store_table
from evoter.tables.stored.table import StoredTable
from stored import mixed_frame, write_parquet


@pytest.fixture
def frame() -> pd.DataFrame:
    return mixed_frame()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frame: pd.DataFrame) -> StoredTable:
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path))
    return store_table(write_parquet(frame, tmp_path / "t.parquet"))


def test_schema_and_numbers_are_those_of_the_frame(table: StoredTable, frame: pd.DataFrame) -> None:
    schema = infer_schema(frame, actions=["a"])
    assert infer_schema(table, actions=["a"]) == schema
    assert np.array_equal(encode(table, schema), encode(frame, schema), equal_nan=True)
    told, known = describe_columns(table, frame["y"]), describe_columns(frame, frame["y"])
    assert [(each.kind, each.summary, each.n_missing) for each in told] == [
        (each.kind, each.summary, each.n_missing) for each in known
    ]
    assert [str(w) for each in told for w in each.warnings] == [str(w) for each in known for w in each.warnings]


def test_some_rows_of_some_rows(table: StoredTable, frame: pd.DataFrame) -> None:
    schema = infer_schema(frame, actions=["a"])
    rows = np.array([3, 50, 51, 399])
    whole = encode(frame, schema)
    assert np.array_equal(encode(table.take(rows), schema), whole[:, rows], equal_nan=True)
    assert np.array_equal(encode(table.take(rows).take(slice(1, 3)), schema), whole[:, rows[1:3]], equal_nan=True)
    assert np.array_equal(encode(table.take(slice(9, 20)).take(np.array([2])), schema), whole[:, [11]], equal_nan=True)
    assert len(table.take(slice(9, 20))) == 11
    few = infer_schema(frame.iloc[rows], actions=["a"], categorical=["colour"])
    assert infer_schema(table.take(rows), actions=["a"], categorical=["colour"]) == few


def test_columns_by_name(table: StoredTable) -> None:
    assert table.without("y").names == ("size", "count", "eighths", "colour", "wild", "dose")
    assert table.select(["dose", "wild"]).names == ("dose", "wild")
    with pytest.raises(SchemaError, match="no column 'doze'; did you mean 'dose'"):
        table.select(["doze"])


def test_numbers_can_be_categories(table: StoredTable, frame: pd.DataFrame) -> None:
    named = infer_schema(table, actions=["a"], categorical=["count"])
    assert named == infer_schema(frame, actions=["a"], categorical=["count"])
    assert np.array_equal(encode(table, named), encode(frame, named), equal_nan=True)
