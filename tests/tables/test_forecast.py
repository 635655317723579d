"""Examples of a forecast know the past and nothing else, and their classes come from the future alone."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError
from evoter.tables.forecast import ForecastExamples, forecast_examples
from evoter.tables.series import read_panel
from laws import examples
from panels import instances

CLASSES: dict[str, Any] = {"borders": (55, 85), "labels": ("Low", "Normal", "High")}


@st.composite
def settings_of(draw: st.DrawFn) -> dict[str, Any]:
    least = draw(st.integers(1, 3))
    return {
        "ahead": draw(st.integers(1, 3)),
        "over": draw(st.integers(0, 3)),
        "stride": draw(st.integers(1, 3)),
        "min_history": least,
        "max_history": draw(st.none() | st.integers(1, 5)),
        "min_present": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "channel": "x0",
        "borders": (-0.5, 0.5),
        "labels": ("Low", "Normal", "High"),
    }


def make(series: list[Floats], options: dict[str, Any]) -> ForecastExamples:
    try:
        return forecast_examples(read_panel(series), **options)
    except SchemaError:
        assume(False)
        raise


@examples(300)
@given(instances(), settings_of())
def test_examples_are_what_the_definition_says(series: list[Floats], options: dict[str, Any]) -> None:
    ahead, over, most = options["ahead"], options["over"], options["max_history"]
    expected = []
    for group, instance in enumerate(series):
        for t in range(options["min_history"] - 1, instance.shape[1] - ahead - over, options["stride"]):
            future = instance[0, t + ahead : t + ahead + over + 1]
            present = future[~np.isnan(future)]
            if len(present) and len(present) >= options["min_present"] * len(future):
                history = instance[:, max(0, 0 if most is None else t + 1 - most) : t + 1]
                expected.append((group, t, history, float(present.mean())))
    examples = make(series, options)
    assert list(zip(examples.groups.tolist(), examples.times.tolist(), strict=True)) == [e[:2] for e in expected]
    assert len(examples) == len(examples.panel) == len(expected)
    for i, (_, _, history, mean) in enumerate(expected):
        np.testing.assert_array_equal(examples.panel[i], history)
        assert examples.means[i] == pytest.approx(mean, rel=1e-12, abs=1e-9)
        bounds = {"Low": (-np.inf, -0.5), "Normal": (-0.5, 0.5), "High": (0.5, np.inf)}[str(examples.classes[i])]
        assert bounds[0] < examples.means[i] <= bounds[1]


@examples(300)
@given(instances(max_instances=2), settings_of(), st.data())
def test_the_future_changes_no_history_and_the_past_no_class(
    series: list[Floats], options: dict[str, Any], data: st.DataObject
) -> None:
    examples = make(series, options)
    i = data.draw(st.integers(0, len(examples) - 1))
    group, t = int(examples.groups[i]), int(examples.times[i])
    after, before = [one.copy() for one in series], [one.copy() for one in series]
    after[group][:, t + 1 :] = 1e3
    before[group][:, : t + 1] = 1e3
    known = (examples.groups == group) & (examples.times <= t)
    changed = make(after, options)
    places = {(g, s): k for k, (g, s) in enumerate(zip(changed.groups.tolist(), changed.times.tolist(), strict=True))}
    for k in np.flatnonzero(known):  # every earlier history as well
        if (group, int(examples.times[k])) in places:
            place = places[group, int(examples.times[k])]
            np.testing.assert_array_equal(changed.panel[place], examples.panel[k])
    assert (group, t) in places
    same = make(before, options)
    place = list(zip(same.groups.tolist(), same.times.tolist(), strict=True)).index((group, t))
    assert (same.classes[place], same.means[place]) == (examples.classes[i], examples.means[i])


@examples(100)
@given(instances(), settings_of(), st.data())
def test_series_do_not_see_each_other(series: list[Floats], options: dict[str, Any], data: st.DataObject) -> None:
    examples = make(series, options)
    group = data.draw(st.sampled_from(sorted(set(examples.groups.tolist()))))
    alone = make([series[group]], options)
    mine = np.flatnonzero(examples.groups == group)
    assert alone.means.tolist() == examples.means[mine].tolist()
    for k, i in enumerate(mine):
        np.testing.assert_array_equal(alone.panel[k], examples.panel[i])


def test_borders_belong_to_the_class_below() -> None:
    panel = read_panel(np.array([[0.0, 55.0, 55.1, 85.0, 85.1]]), units={"x0": "mmHg"})
    examples = forecast_examples(panel, ahead=1, over=0, **CLASSES)
    assert examples.classes.tolist() == ["Low", "Normal", "Normal", "High"]
    assert examples.panel.units == ("mmHg",)
    assert np.shares_memory(examples.panel.values, panel.values)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ahead": 0}, "ahead must be a whole number of steps, at least 1"),
        ({"over": -1}, "over must be"),
        ({"stride": 1.5}, "stride must be"),
        ({"min_history": True}, "min_history must be"),
        ({"max_history": 0}, "max_history must be"),
        ({"min_present": 2}, "min_present must be a share"),
        ({"borders": (85, 55)}, "ascending"),
        ({"borders": (55, np.nan)}, "finite"),
        ({"labels": ("Low", "High")}, "2 borders need 3 different labels"),
        ({"labels": ("Low", "High", "High")}, "different labels"),
        ({"channel": "map"}, "no channel 'map'; did you mean 'MAP'"),
        ({"channel": None}, "say which of the channels MAP, HR"),
        ({"ahead": 9}, "it takes 11 steps, of which the last 2 have values; the longest has 4"),
    ],
)
def test_bad_settings_are_refused(changes: dict[str, Any], message: str) -> None:
    panel = read_panel(np.ones((1, 2, 4)), channels=["MAP", "HR"])
    with pytest.raises(SchemaError, match=message):
        forecast_examples(panel, **{"ahead": 1, "over": 1, "channel": "MAP", **CLASSES, **changes})


def test_infinite_values_are_refused() -> None:
    with pytest.raises(SchemaError, match="instance 0, channel 'x0', step 1: the value is inf"):
        forecast_examples(read_panel(np.array([[1.0, np.inf]])), ahead=1, over=0, **CLASSES)
