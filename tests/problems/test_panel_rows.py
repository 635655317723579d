"""Every value of a panel stands where the kernels look for it, whatever the order of the instances and their spans."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.layout import WORD, Rows
from evoter.problems.panel_rows import panel_rows
from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Schema
from evoter.tables.series import read_panel
from laws import examples
from panels import random_panel


def read(rows: Rows, feature: int, lag: int, row: int) -> float:
    """Read a value as `Rows` says that kernels do."""
    place = int(rows.steps[row]) if len(rows.steps) else row
    known = len(rows.steps) == 0 or rows.history[row] >= lag
    return float(rows.values[rows.starts[feature] - lag * rows.lag_stride + place]) if known else np.nan


XY = [Feature("x", low=0, high=1, scaled=True), Feature("y")]


@pytest.mark.parametrize("shared", [False, True])
@examples(200)
@given(seed=st.integers(0, 2**32), max_lag=st.integers(0, 7))
def test_a_lag_is_an_offset(seed: int, max_lag: int, shared: bool) -> None:
    rng = Random(seed)
    schema = Schema(rng.sample(XY, rng.randint(0, 2)), ["go"], max_lag)
    lengths = [rng.randint(1, 9) for _ in range(rng.choice([1, 5, 64, 65]))]
    panel = random_panel(rng, Schema(XY, ["go"]), [12, 7] if shared else lengths)
    if shared:
        panel = panel[[rng.randint(0, 1) for _ in lengths]]
        panel = panel.until([rng.randint(1, length) for length in panel.lengths.tolist()])
    positions = np.full(rng.randint(2, 3) * WORD, -1)
    places = rng.sample(range(len(positions)), len(panel))
    positions[places] = np.arange(len(panel))
    rows = panel_rows(panel, schema, positions)
    valid = np.unpackbits(rows.valid.view(np.uint8), bitorder="little").astype(np.bool_)
    assert (valid == (positions >= 0)).all()
    for i, place in enumerate(places):
        assert rows.history[place] == panel.lengths[i] - 1
        for f, feature in enumerate(schema.features):
            series = panel.select([feature.name])[i][0][::-1]
            for lag in range(max_lag + 1):
                expected = series[lag] if lag < len(series) else np.nan
                np.testing.assert_array_equal(read(rows, f, lag, place), expected)


def test_without_positions_the_instances_keep_their_order() -> None:
    panel = read_panel(np.arange(140.0).reshape(70, 1, 2), channels=["x"])
    rows = panel_rows(panel, Schema([XY[0]], ["go"], 1))
    assert rows.values[rows.starts[0] : rows.starts[0] + 70].tolist() == np.arange(1.0, 140.0, 2).tolist()
    assert rows.values.size == 2 * 128, "every value once, and the padding of a word"


def test_memory_does_not_grow_with_what_no_lag_reaches() -> None:
    panel = read_panel(np.zeros((3, 2, 1000)), channels=["x", "y"])
    assert panel_rows(panel, Schema(XY, ["go"], 4)).values.size == 2 * 5 * WORD


def test_a_series_looked_at_from_many_times_is_not_copied() -> None:
    series = read_panel(np.arange(2000.0).reshape(1, 2, 1000), channels=["x", "y"])
    panel = series[np.zeros(1000, np.int64)].until(np.arange(1, 1001))
    rows = panel_rows(panel, Schema(XY, ["go"], 500))
    assert np.shares_memory(rows.values, series.values)


def test_memory_does_not_grow_with_the_longest_of_many_series() -> None:
    panel = read_panel([np.zeros((2, 5000)), *[np.zeros((2, 1))] * 5000], channels=["x", "y"])
    assert panel_rows(panel, Schema(XY, ["go"], 4999)).values.size == 2 * 10_000


def test_a_channel_that_is_not_there_is_named() -> None:
    with pytest.raises(SchemaError, match="lacks 1 of the channels: 'y'"):
        panel_rows(read_panel([[1.0]], channels=["x"]), Schema(XY, ["go"]))
