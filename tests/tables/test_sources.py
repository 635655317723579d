"""Opening tables of every library: what is read, how columns are found, and what is refused."""

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Schema
from evoter.tables.sources import open_table

SCHEMA = Schema([Feature("size"), Feature("wild")], actions=["yes"])


def read_all(source: object) -> list[list[object]]:
    table = open_table(source)
    return [list(table.load(place, f"column {place}").cells) for place in range(table.n_columns)]


FRAME = pl.DataFrame({"size": [1.0, 2.0], "name": ["b", None]})
WITH_CATEGORIES = FRAME.with_columns(pl.col("name").cast(pl.Categorical))


def check_named(source: object) -> None:
    table = open_table(source)
    assert (table.n_rows, table.n_columns, table.names) == (2, 2, ("size", "name"))
    assert read_all(source) == [[1.0, 2.0], ["b", None]]


@pytest.mark.parametrize("source", [FRAME, nw.from_native(FRAME), FRAME.to_dicts(), WITH_CATEGORIES])
def test_frames_and_lists_of_mappings_have_names(source: object) -> None:
    check_named(source)


def test_tables_of_pyarrow() -> None:
    pytest.importorskip("pyarrow")
    check_named(FRAME.to_arrow())
    check_named(WITH_CATEGORIES.to_arrow())


def test_arrays_lists_and_numbered_frames_have_none() -> None:
    cells = [[1.0, 2.0], [3.0, 4.0]]
    for source in (
        cells,
        np.array(cells),
        np.array(cells, dtype=object),
        tuple(cells),
        pd.DataFrame(cells, columns=[7, 1]),
    ):
        assert open_table(source).names is None
        assert read_all(source) == [[1.0, 3.0], [2.0, 4.0]]


def test_lists_keep_numbers_and_text_apart() -> None:
    assert read_all([[1, "a"], [None, True]]) == [[1, None], ["a", True]]


def test_columns_are_found_by_name_among_others_in_any_order() -> None:
    frame = pd.DataFrame({"wild": [1], "when": [pd.Timestamp(0)], "size": [2]})
    assert [(column.name, list(column.cells)) for column in open_table(frame).matched(SCHEMA)] == [
        ("size", [2]),
        ("wild", [1]),
    ]
    with pytest.raises(
        SchemaError,
        match=r"lacks 2 of the schema's features \(rename columns or add them\): 'size'; did you mean 'Size'\?, 'wild'",
    ):
        open_table(frame.rename(columns={"size": "Size", "wild": "tame"})).matched(SCHEMA)
    many = Schema([Feature(f"f{number}") for number in range(9)], ["yes"])
    with pytest.raises(SchemaError, match=r"lacks 9 .* and 4 more"):
        open_table(frame).matched(many)


def test_columns_without_names_are_counted() -> None:
    assert [list(column.cells) for column in open_table([[2, 1]]).matched(SCHEMA)] == [[2], [1]]
    with pytest.raises(SchemaError, match="3 columns without names, but the schema has 2 features"):
        open_table(np.zeros((1, 3))).matched(SCHEMA)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(3), r"an array of 1\. Reshape your data"),
        ([1, 2, 3], "Reshape your data"),
        ([], "Reshape your data"),
        (5, "Reshape your data"),
        (pd.Series([1.0]), "a Series of 1. Reshape your data"),
        (pl.Series([1.0]), "Reshape your data"),
        (np.zeros((2, 2, 2)), "an array of 3"),
        (np.zeros((0, 3)), r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required"),
        (np.zeros((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required"),
        (pd.DataFrame({"a": []}), "0 sample"),
        (pl.DataFrame(), "0 feature"),
        ([[1, 2], [3]], "the rows are not of equal length"),
        ([[1], 3], "the rows are not of equal length"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "several columns of the same name"),
        (pd.DataFrame([[1, 2]], columns=["a", 3]), "the column name 3, which is no text"),
        (pl.LazyFrame({"a": [1]}), r"LazyFrame is lazy: pass X.collect\(\)"),
        (np.ma.masked_array([[1.0]], [[True]]), "masked arrays"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "the array holds dates or times, of type datetime64"),
        (np.array([[1j]]), "Complex data not supported"),
        (np.array([[b"a"]]), "unsupported type"),
        (np.zeros((2, 1), dtype=[("a", float)]), "unsupported type"),
        ([{"a": 1}, {"b": 1}], r"rows\[1\] has no value for 'a': use None"),
        ([{1: 1}], r"rows\[0\] has the key 1"),
    ],
)
def test_refused_tables(table: object, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        read_all(table)


def test_sparse_matrices_are_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (sparse.csr_array(np.eye(2)), sparse.csr_matrix(np.eye(2))):
        with pytest.raises(SchemaError, match=r"sparse matrices are not supported: pass X.toarray\(\)"):
            read_all(matrix)


def test_columns_without_names_are_found_by_the_numbers_that_inference_gave_them() -> None:
    table = open_table(np.array([[1.0, 2.0, 3.0]]))
    assert [list(column.cells) for column in table.matched(Schema([Feature("x2"), Feature("x0")], ["go"]))] == [
        [3],
        [1],
    ]
    with pytest.raises(SchemaError, match="3 columns without names"):
        table.matched(Schema([Feature("x2"), Feature("x3")], ["go"]))


@pytest.mark.parametrize("library", [pd, pl])
def test_the_names_of_wide_frames_are_not_listed_for_each_column(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = library.DataFrame({f"c{n}": [1.0, 2.0] if n % 2 else ["a", "b"] for n in range(100)})
    listed = 0
    columns: Any = nw.DataFrame.columns.fget  # type: ignore[attr-defined]

    def counted(self: Any) -> Any:
        nonlocal listed
        listed += 1
        return columns(self)

    monkeypatch.setattr(nw.DataFrame, "columns", property(counted))
    table = open_table(frame)
    for position in range(100):
        table.load(position, f"c{position}")
    assert listed <= 2
