"""Series are read alike from arrays, lists and frames, and what cannot be read is refused by its place."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from laws import examples
from panels import instances

NAN = float("nan")


def assert_holds(panel: Panel, series: list[Floats]) -> None:
    assert len(panel) == len(series)
    for i, instance in enumerate(series):
        np.testing.assert_array_equal(panel[i], instance)


@examples(200)
@given(instances())
def test_lists_keep_every_step(series: list[Floats]) -> None:
    assert_holds(read_panel(series), series)
    assert_holds(read_panel([instance.tolist() for instance in series]), series)
    as_objects = np.empty(len(series), object)
    as_objects[:] = series
    assert_holds(read_panel(as_objects), series)
    assert read_panel(series).names == tuple(f"x{c}" for c in range(len(series[0])))


@examples(200)
@given(instances())
def test_arrays_are_padded_at_the_end(series: list[Floats]) -> None:
    ending = [np.concatenate([instance, np.ones((len(instance), 1))], axis=1) for instance in series]
    longest = max(instance.shape[1] for instance in ending)
    array = np.full((len(ending), len(ending[0]), longest), NAN)
    for row, instance in zip(array, ending, strict=True):
        row[:, : instance.shape[1]] = instance
    assert_holds(read_panel(array), ending)
    assert_holds(read_panel(array, padded=False), list(array))


def test_two_dimensions_are_one_channel() -> None:
    panel = read_panel(np.array([[1, 2], [3, 4]], dtype=np.int32), channels=["pulse"])
    assert panel.shape == (2, 1, 2)
    assert panel[1].tolist() == [[3.0, 4.0]]
    assert read_panel([np.array([1.0, 2.0]), [3.0]]).lengths.tolist() == [2, 1]
    assert read_panel(np.ones((3, 2, 4), np.float32)).values.dtype == np.float64
    assert read_panel([[None, 2.0]])[0].tolist()[0][1:] == [2.0]


def test_a_panel_is_read_as_it_is() -> None:
    panel = read_panel(np.ones((2, 2, 3)))
    assert read_panel(panel) is panel
    assert read_panel(panel, channels=["x1"]).names == ("x1",)
    assert read_panel(panel, units={"x0": "mmHg"}).units == ("mmHg", "")
    with pytest.raises(SchemaError, match="units: the panel has no channel 'x2'"):
        read_panel(panel, units={"x2": "mmHg"})


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), "X has 1 dimension"),
        (np.zeros((1, 2, 3, 4)), "X has 4 dimension"),
        (np.zeros((0, 1, 3)), r"shape \(0, 1, 3\)"),
        (np.array([[1.0, 2.0], [NAN, NAN]]), "instance 1 has no values at all: drop it, or pass padded=False"),
        (np.array([["a", "b"]]), "X is of type <U1: pass numbers"),
        (np.array([["2020-01-01"]], "M8[D]"), "pass numbers"),
        (np.ma.masked_array([[1.0, 2.0]], [[True, False]]), "masked array: pass X.filled"),
        (np.array([[1.0, "b"]], object), r"X holds the str 'b' at \(0, 1\)"),
        ([], "empty list"),
        ([1.0, 2.0], r"instance 0 has 0 dimension\(s\).*\[X\]"),
        ([[1.0], [[1.0], [2.0]]], "instance 1 has 2 channels, but instance 0 has 1"),
        ([[1.0], []], r"instance 1 has the shape \(1, 0\)"),
        ([[[1.0, 2.0], [3.0]]], "instance 0 is ragged"),
    ],
)
def test_what_are_no_series_is_refused(X: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        read_panel(X)


def test_arguments_that_do_not_fit_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"2 channels, but there are 1 names.*transpose\(0, 2, 1\)"):
        read_panel(np.ones((2, 2, 3)), channels=["x"])
    with pytest.raises(SchemaError, match="are for data frames, not for ndarray"):
        read_panel(np.ones((2, 2, 3)), id_column="patient")
