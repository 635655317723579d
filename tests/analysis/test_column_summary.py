"""Summaries of columns, and fingerprints that depend on values and on nothing else."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.analysis.column_summary import ColumnSummary, fingerprint, summarise
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import Panel

TABLE: dict[str, list[object]] = {
    "size": [1.0, None, 3.0],
    "colour": ["red", "blue", "red"],
    "wild": [True, False, None],
    "n": [1, 2, 3],
}
SCHEMA = Schema(
    [Feature("size", low=0, high=2), Feature("n", Kind.CATEGORICAL, categories=("1", "2")), Feature("colour")], ["yes"]
)


@pytest.mark.parametrize("frame", [pd.DataFrame(TABLE), pl.DataFrame(TABLE)], ids=["pandas", "polars"])
def test_columns_are_read_as_the_schema_says_or_as_they_are(frame: object) -> None:
    size, colour, wild, n = summarise(frame, SCHEMA)
    assert size == ColumnSummary("size", Kind.NUMERIC, 2, 1, 1.0, 2.0, 3.0, outside=1)
    assert colour == ColumnSummary("colour", None, 0, 0)  # the schema calls it numeric
    assert wild == ColumnSummary("wild", Kind.BOOLEAN, 2, 1, counts=(("false", 1), ("true", 1)))
    assert n == ColumnSummary("n", Kind.CATEGORICAL, 3, 0, counts=(("1", 1), ("2", 1), ("3", 1)), outside=1)


def test_columns_that_nothing_can_be_made_of_are_named() -> None:
    frame = pd.DataFrame({"when": pd.to_datetime(["2001-01-01"]), "odd": [[1]], "none": [None]})
    assert [column.kind for column in summarise(frame, Schema([], ["yes"]))] == [None, None, None]
    [empty] = summarise(pd.DataFrame({"gap": [np.nan]}), Schema([], ["yes"]))
    assert (empty.kind, empty.n_values, empty.n_missing) == (Kind.NUMERIC, 0, 1)


def test_columns_of_arrays_are_called_as_the_schema_does_or_by_numbers() -> None:
    array = np.ones((2, 2))
    assert [column.name for column in summarise(array, Schema([Feature("a"), Feature("b")], ["yes"]))] == ["a", "b"]
    assert [column.name for column in summarise(array, Schema([Feature("x1")], ["yes"]))] == ["x0", "x1"]


def test_panels_are_summed_up_by_channel() -> None:
    panel = Panel(("x",), np.array([[1.0, np.nan, 3.0, 9.0]]), [0], [3])
    assert summarise(panel, Schema([], ["yes"])) == [ColumnSummary("x", Kind.NUMERIC, 2, 1, 1.0, 2.0, 3.0)]


def test_fingerprints_are_of_values_whatever_holds_them() -> None:
    frames = [
        pd.DataFrame(TABLE),
        pl.DataFrame(TABLE),
        [dict(zip(TABLE, row, strict=True)) for row in zip(*TABLE.values(), strict=True)],
    ]
    assert len({fingerprint(frame, ["a", "b", "a"]) for frame in frames}) == 1
    assert fingerprint(frames[0], [0, 1, 0]) == fingerprint(frames[0], np.array([0.0, 1.0, 0.0]))


@pytest.mark.parametrize(
    "other",
    [
        {**TABLE, "n": [1, 2, 4]},
        {**TABLE, "colour": ["red", "blue", "green"]},
        {**TABLE, "wild": [True, False, True]},
        {("Size" if name == "size" else name): values for name, values in TABLE.items()},
        {name: values[::-1] for name, values in TABLE.items()},
    ],
    ids=["number", "category", "truth value", "name", "order"],
)
def test_fingerprints_differ_when_something_does(other: dict[str, list[object]]) -> None:
    assert fingerprint(pd.DataFrame(other)) != fingerprint(pd.DataFrame(TABLE))


def test_fingerprints_differ_with_labels_and_spans() -> None:
    frame = pd.DataFrame(TABLE)
    assert len({fingerprint(frame), fingerprint(frame, ["a", "b", "c"]), fingerprint(frame, ["a", "b", "b"])}) == 3
    values = np.arange(4.0)[None]
    assert fingerprint(Panel(("x",), values, [0, 2], [2, 4])) != fingerprint(Panel(("x",), values, [0, 3], [3, 4]))
