"""Panels as the kernels read them: no value is stored more than twice, and a lag is an offset."""

from typing import Final

import numpy as np

from evoter.genome.arrays import table_rows
from evoter.kernels.layout import WORD, Floats, Ints, Rows
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel

_ROOM: Final = 2
"""Instances are copied one by one, the fastest layout, unless that takes this many times the memory of the series."""


def panel_rows(panel: Panel, schema: Schema, positions: Ints | None = None) -> Rows:
    """Lay out a panel for the kernels: a row for each instance, at its last step; channels are found by name.

    `positions` says which instance each row holds, as for `table_rows`. Instances that share steps, such as different
    time points of one series, or whose lengths differ much, are read from the series in place: memory grows with the
    series and not with the lags.
    """
    reached = panel.recent(schema.max_lag + 1)
    channels = panel.channel_indices(schema.names)
    rows = table_rows(np.empty((len(channels), len(panel))), schema, positions)
    width = len(rows.valid) * WORD
    if positions is None:
        positions = np.full(width, -1)
        positions[: len(panel)] = np.arange(len(panel))
    present = positions >= 0
    history = np.full(width, -1, np.int64)
    history[present] = panel.lengths[positions[present]] - 1
    if (schema.max_lag + 1) * len(panel) > _ROOM * reached.n_observations:
        return _shared(reached, channels, rows, positions, history)
    return _one_by_one(reached, channels, rows, positions, history, schema.max_lag + 1)


def _shared(panel: Panel, channels: list[int], rows: Rows, positions: Ints, history: Ints) -> Rows:
    """Let rows point to their last steps in the series."""
    values = panel.values if channels == list(range(len(panel.values))) else panel.values[channels]
    n_steps = values.shape[1]
    steps = np.where(positions >= 0, panel.stops[positions] - 1, 0)
    starts = np.arange(len(channels), dtype=np.int64) * n_steps
    return rows._replace(values=values.reshape(-1), starts=starts, lag_stride=1, history=history, steps=steps)


def _one_by_one(panel: Panel, channels: list[int], rows: Rows, positions: Ints, history: Ints, depth: int) -> Rows:
    """Make each feature a block of `depth` lines of rows, one line per step, the oldest first."""
    width = len(positions)
    values: Floats = np.full((len(channels), depth, width), np.nan)
    for lag in range(min(depth, panel.shape[2])):
        reached = np.flatnonzero(history >= lag)
        steps = panel.stops[positions[reached]] - 1 - lag
        for feature, channel in enumerate(channels):
            values[feature, depth - 1 - lag, reached] = panel.values[channel, steps]
    return rows._replace(
        values=values.reshape(-1),
        starts=(np.arange(len(channels), dtype=np.int64) * depth + depth - 1) * width,
        lag_stride=width,
        history=history,
    )
