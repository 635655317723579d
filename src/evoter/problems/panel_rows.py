"""Panels as the kernels read them: every value once, so that a lag is an offset."""

import numpy as np

from evoter.genome.arrays import table_rows
from evoter.kernels.layout import WORD, Ints, Rows
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel


def panel_rows(panel: Panel, schema: Schema, positions: Ints | None = None) -> Rows:
    """Lay out a panel for the kernels: a row for each instance, at its last step; channels are found by name.

    A feature is a block of `max_lag + 1` lines of rows, the oldest first, so that a row's value one step earlier
    stands a line before. `positions` says which instance stands where, as for `table_rows`. Whatever no lag of the
    schema can reach is not laid out.
    """
    channels = panel.places(schema.names)
    now = panel.values[:, panel.stops - 1][channels]
    rows = table_rows(now, schema, positions)
    width = len(rows.valid) * WORD
    depth = schema.max_lag + 1
    if positions is None:
        positions = np.full(width, -1)
        positions[: len(panel)] = np.arange(len(panel))
    present = positions >= 0
    history = np.full(width, -1, np.int64)
    history[present] = panel.lengths[positions[present]] - 1
    values = np.full((len(channels), depth, width), np.nan)
    for lag in range(min(depth, panel.shape[2])):
        places = np.flatnonzero(history >= lag)
        steps = panel.stops[positions[places]] - 1 - lag
        for feature, channel in enumerate(channels):
            values[feature, depth - 1 - lag, places] = panel.values[channel, steps]
    return rows._replace(
        values=values.reshape(-1),
        starts=(np.arange(len(channels), dtype=np.int64) * depth + depth - 1) * width,
        lag_stride=width,
        history=history,
    )
