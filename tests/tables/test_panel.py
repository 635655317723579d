"""Panels hold spans of steps, are split like arrays, and have a schema of ranges over all times."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, train_test_split
from sklearn.utils import _safe_indexing

from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError
from evoter.tables.panel import Panel, infer_panel_schema
from evoter.tables.series import read_panel
from laws import examples
from panels import instances

PANEL = read_panel([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0], [8.0]]], channels=["x", "y"], units={"y": "mmHg"})


def test_instances_are_spans_of_the_same_values() -> None:
    assert PANEL.shape == (2, 2, 3)
    assert len(PANEL) == 2
    assert PANEL.lengths.tolist() == [3, 1]
    assert np.shares_memory(PANEL[0], PANEL.values)
    assert PANEL[-1].tolist() == [[7.0], [8.0]]


@pytest.mark.parametrize("key", [[1, 0], np.array([1, 0]), slice(None, None, -1), (np.array([1, 0]), Ellipsis)])
def test_some_instances_are_a_panel(key: Any) -> None:
    picked = PANEL[key]
    assert picked.lengths.tolist() == [1, 3]
    assert picked.ids.tolist() == [1, 0]
    assert picked.units == ("", "mmHg")
    assert np.shares_memory(picked.values, PANEL.values)


def test_truth_values_pick_instances() -> None:
    assert PANEL[[False, True]].ids.tolist() == [1]


def test_scikit_learn_splits_a_panel() -> None:
    panel = read_panel(np.arange(60.0).reshape(10, 2, 3))
    train, test = train_test_split(panel, test_size=3, random_state=0)
    assert isinstance(train, Panel)
    assert sorted([*train.ids, *test.ids]) == list(range(10))
    for rows, _ in GroupKFold(2).split(panel, groups=np.arange(10) // 3):
        assert _safe_indexing(panel, rows).ids.tolist() == rows.tolist()


def test_decisions_can_be_taken_earlier_and_on_less() -> None:
    assert PANEL.until([2, 1])[0].tolist() == [[1.0, 2.0], [4.0, 5.0]]
    assert PANEL.until(1).lengths.tolist() == [1, 1]
    assert PANEL.recent(2)[0].tolist() == [[2.0, 3.0], [5.0, 6.0]]
    with pytest.raises(SchemaError, match="instance 1 has 1 steps and cannot be decided after 2: choose from 1 to 1"):
        PANEL.until(2)
    with pytest.raises(SchemaError, match="every instance needs at least one step"):
        PANEL.recent(0)


def test_channels_are_found_by_name() -> None:
    assert PANEL.select(["y"])[0].tolist() == [[4.0, 5.0, 6.0]]
    assert PANEL.select(["y"]).units == ("mmHg",)
    assert PANEL.select(["x", "y"]) is PANEL
    assert PANEL.channel_indices(["y", "x"]) == [1, 0]
    with pytest.deprecated_call(match="channel_indices"):
        assert PANEL.places(["y"]) == [1]
    with pytest.raises(SchemaError, match="lacks 1 of the channels: 'xx'; did you mean 'x'"):
        PANEL.select(["xx"])


@examples(200)
@given(instances(), st.integers(0, 15))
def test_the_schema_covers_all_values_at_all_times(series: list[Floats], max_lag: int) -> None:
    panel = read_panel(series)
    schema = infer_panel_schema(panel, actions=["go"], max_lag=max_lag)
    longest = max(instance.shape[1] for instance in series)
    assert schema.max_lag == min(max_lag, longest - 1)
    assert infer_panel_schema(panel, actions=["go"]).max_lag == longest - 1
    for c, feature in enumerate(schema.features):
        values = np.concatenate([instance[c] for instance in series])
        assert feature.missing == bool(np.isnan(values).any())
        if np.isnan(values).all():
            assert (feature.low, feature.high) == (None, None)
        else:
            assert feature.bounds == (np.nanmin(values), np.nanmax(values))


@examples(200)
@given(instances(), st.data())
def test_only_steps_of_some_instance_count(series: list[Floats], data: st.DataObject) -> None:
    panel = read_panel(series)
    lengths = [data.draw(st.integers(1, int(n))) for n in panel.lengths]
    cut = panel.until(lengths)
    expected = np.concatenate([instance[:, :n] for instance, n in zip(series, lengths, strict=True)], axis=1)
    np.testing.assert_array_equal(cut.observations(), expected)
    twice = cut[np.repeat(np.arange(len(cut)), 2)]
    np.testing.assert_array_equal(twice.observations(), expected)


def test_units_and_scaling_go_into_the_schema() -> None:
    schema = infer_panel_schema(PANEL, actions=["go"], scaled=True)
    assert [feature.unit for feature in schema.features] == ["", "mmHg"]
    assert all(feature.scaled for feature in schema.features)
    unknown = read_panel([[np.nan, np.nan]])
    assert not infer_panel_schema(unknown, actions=["go"], scaled=True).features[0].scaled


def test_infinite_values_are_refused_by_place() -> None:
    panel = read_panel([[1.0], [2.0, np.inf]], channels=["x"])
    with pytest.raises(SchemaError, match="instance 1, channel 'x', step 1: the value is inf"):
        infer_panel_schema(panel, actions=["go"])
    panel.until(1).refuse_infinite()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["x"], np.zeros((2, 3)), [0], [3]), "1 names for values of shape"),
        (([], np.zeros((0, 3)), [0], [3]), "no channels"),
        ((["x", "x"], np.zeros((2, 3)), [0], [3]), "the channel 'x' twice"),
        (([""], np.zeros((1, 3)), [0], [3]), "channel: a name must not be empty"),
        ((["x"], np.zeros((1, 3)), [], []), "the panel is empty"),
        ((["x"], np.zeros((1, 3)), [0, 1], [3]), "2 first steps, 1 ends"),
        ((["x"], np.zeros((1, 3)), [0], [4]), "instance 0 takes the steps 0..3 of 3"),
        ((["x"], np.zeros((1, 3)), [0, 1], [1, 1]), "instance 1 .* needs at least one step"),
        ((["x"], np.zeros((1, 3)), [0], [3], None, ["a", "b"]), "2 units for 1 channels"),
    ],
)
def test_what_is_no_panel_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Panel(*arguments)
