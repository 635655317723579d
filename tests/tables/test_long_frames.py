"""Long frames become the same panel whatever the order of their rows and whichever library they come from."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from laws import examples
from panels import instances

Frame = Callable[[dict[str, list[Any]]], Any]
LIBRARIES = [
    pytest.param(pd.DataFrame, id="pandas"),
    pytest.param(pl.DataFrame, id="polars"),
    pytest.param(pa.table, id="pyarrow"),
]
PATIENTS: dict[str, list[Any]] = {
    "patient": ["b", "a", "b", "b"],
    "hour": [3, 1, 1, 2],
    "MAP": [70.0, 90.0, 80.0, None],
    "cuff": [1, 0, 1, 0],
}


def read(frame: Any, **options: Any) -> Panel:
    return read_panel(frame, id_column="patient", time_column="hour", **options)


@pytest.mark.parametrize("library", LIBRARIES)
def test_rows_are_sorted_by_time_within_each_instance(library: Frame) -> None:
    panel = read(library(PATIENTS))
    assert panel.ids.tolist() == ["b", "a"]
    assert panel.names == ("MAP", "cuff")
    np.testing.assert_array_equal(panel[0], [[80.0, np.nan, 70.0], [1.0, 0.0, 1.0]])
    assert panel[1].tolist() == [[90.0], [0.0]]
    assert read(library(PATIENTS), channels=["cuff"]).names == ("cuff",)


@pytest.mark.parametrize("library", LIBRARIES[:2])
@examples(60)
@given(series=instances(), data=st.data())
def test_the_order_of_rows_says_nothing_but_which_instance_comes_first(
    library: Frame, series: list[Floats], data: st.DataObject
) -> None:
    rows = [(i, t, *instance[:, t].tolist()) for i, instance in enumerate(series) for t in range(instance.shape[1])]
    rows = data.draw(st.permutations(rows))
    columns = list(zip(*rows, strict=True))
    names = ["patient", "hour", *(f"c{c}" for c in range(len(series[0])))]
    panel = read(library({name: list(column) for name, column in zip(names, columns, strict=True)}))
    assert panel.ids.tolist() == list(dict.fromkeys(columns[0]))
    for place, i in enumerate(panel.ids):
        np.testing.assert_array_equal(panel[place], series[i])


DATES = [date(2024, 2, 28), date(2024, 3, 1), date(2024, 2, 29)]
MOMENTS = [datetime(2024, 1, 1, hour, tzinfo=UTC) for hour in (4, 2, 3)]
SPANS = [timedelta(minutes=m) for m in (1, 3, 2)]


@pytest.mark.parametrize("library", LIBRARIES[:2])
@pytest.mark.parametrize(
    ("times", "expected"), [(DATES, [1.0, 3.0, 2.0]), (MOMENTS, [2.0, 3.0, 1.0]), (SPANS, [1.0, 3.0, 2.0])]
)
def test_times_may_be_dates_and_durations(library: Frame, times: list[Any], expected: list[float]) -> None:
    if times is DATES and library is pd.DataFrame:
        times = [pd.Timestamp(day) for day in times]
    panel = read(library({"patient": [7, 7, 7], "hour": times, "x": [1.0, 2.0, 3.0]}))
    assert panel[0].tolist() == [expected]


@pytest.mark.parametrize("library", LIBRARIES[:2])
def test_a_step_fills_the_times_that_are_left_out(library: Frame) -> None:
    frame = library({"patient": [1, 1, 2, 2, 2], "hour": [0.5, 2.0, 9.0, 8.5, 8.0], "x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    panel = read(frame, step=0.5)
    np.testing.assert_array_equal(panel[0], [[1.0, np.nan, np.nan, 2.0]])
    assert panel[1].tolist() == [[5.0, 4.0, 3.0]]
    moments = library({"patient": [1, 1], "hour": [MOMENTS[0], MOMENTS[1]], "x": [1.0, 2.0]})
    np.testing.assert_array_equal(read(moments, step=timedelta(hours=1))[0], [[2.0, np.nan, 1.0]])


@pytest.mark.parametrize("library", LIBRARIES[:2])
@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"hour": [3, 1, 1, 3]}, {}, "instance 'b' has two rows for the time 3 in 'hour': keep one"),
        ({"hour": [3.0, None, 1.0, 2.0]}, {}, "row 1 has no time in 'hour'"),
        ({"hour": ["3", "1", "1", "2"]}, {}, "times must be numbers, dates or durations"),
        ({"patient": ["b", None, "b", "b"]}, {}, "row 1 has no id in 'patient'"),
        ({"MAP": ["high", "low", "low", "low"]}, {}, "row 0 of the column 'MAP'.*channels of a series are numbers"),
        ({}, {"channels": ["map"]}, "no column 'map'; did you mean 'MAP'"),
        ({}, {"step": 2}, "instance 'b' has the time 2, which is not a whole number of steps"),
        ({"hour": [3, 1, 1, 10**7]}, {"step": 1}, "time 10000000 of instance 'b': correct it, or choose a larger step"),
        ({}, {"step": 0}, "step must be positive"),
        ({}, {"step": timedelta(1)}, "step must be a number"),
    ],
)
def test_bad_frames_are_refused_by_place(
    library: Frame, changes: dict[str, list[Any]], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        read(library({**PATIENTS, **changes}), **options)


def test_a_frame_needs_the_names_of_its_columns() -> None:
    frame = pd.DataFrame(PATIENTS)
    with pytest.raises(SchemaError, match=r"read_panel\(X, id_column=..., time_column=...\).*reset_index"):
        read_panel(frame.set_index(["patient", "hour"]))
    with pytest.raises(SchemaError, match="id_column: the frame has no column 'patent'; did you mean 'patient'"):
        read_panel(frame, id_column="patent", time_column="hour")
    with pytest.raises(SchemaError, match="step must be a timedelta"):
        read(pd.DataFrame({"patient": [1], "hour": MOMENTS[:1], "x": [1.0]}), step=1)
