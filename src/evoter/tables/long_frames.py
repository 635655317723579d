"""Long frames, a row for each instance and time, as panels."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Feature
from evoter.rules.values import is_missing
from evoter.tables.columns import read_numbers
from evoter.tables.panel import Floats, Ints, Panel
from evoter.tables.sources import Table, open_table

MOST_STEPS_PER_ROW = 1_000
"""A frame whose gaps would take more steps than this per row has a step too small, or a time that is a mistake."""


def read_long_frame(
    X: Any,
    id_column: str | None,
    time_column: str | None,
    step: float | timedelta | None,
    channels: Sequence[str] | None,
) -> Panel:
    """Read a frame with a row for each instance and time as a panel; `evoter.tables.read_panel` says how."""
    if id_column is None or time_column is None:
        raise SchemaError(
            "a data frame of series needs the names of two columns, one that tells instances apart and one that orders "
            "their rows: read_panel(X, id_column=..., time_column=...); a frame with both in its index, after "
            "X.reset_index()"
        )
    table = open_table(X)
    names = table.names or ()
    for role, column in (("id_column", id_column), ("time_column", time_column)):
        if column not in names:
            raise SchemaError(f"{role}: the frame has no column {column!r}{did_you_mean(column, names)}")
    chosen = [name for name in names if name not in (id_column, time_column)] if channels is None else list(channels)
    frame = nw.from_native(X, eager_only=True)
    codes, ids = _instances(frame[id_column], id_column)
    times, unit = _times(frame[time_column], time_column)
    order = np.lexsort((times, codes))
    codes, times = codes[order], times[order]
    shown = frame[time_column]
    begins = np.append(0, np.flatnonzero(np.diff(codes)) + 1)
    same = np.flatnonzero((np.diff(times) == 0) & (np.diff(codes) == 0))
    if same.size:
        where = int(order[same[0]])
        raise SchemaError(
            f"instance {ids[codes[same[0]]]!r} has two rows for the time {shown[where]} in {time_column!r}: keep one "
            f"of them, or their mean"
        )
    values = _channels(table, chosen)[:, order]
    stops = np.append(begins[1:], len(codes))
    if step is not None:
        positions = _positions(
            times, begins, _in_unit(step, unit), lambda row: (ids[codes[row]], shown[int(order[row])])
        )
        filled = np.full((len(chosen), int(positions[-1]) + 1), np.nan)
        filled[:, positions] = values
        values, begins, stops = filled, positions[begins], positions[stops - 1] + 1
    return Panel(chosen, values, begins, stops, ids)


def _instances(series: "nw.Series[Any]", column: str) -> tuple[Ints, NDArray[Any]]:
    """Return for each row the number of its instance, in order of appearance, and the ids of the instances."""
    numbers: dict[object, int] = {}
    cells = series.to_list()
    codes = np.empty(len(cells), np.int64)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            raise SchemaError(f"row {row} has no id in {column!r}: drop it, or say which instance it belongs to")
        codes[row] = numbers.setdefault(cell, len(numbers))
    ids = np.empty(len(numbers), object)
    ids[:] = list(numbers)
    return codes, ids


def _times(series: "nw.Series[Any]", column: str) -> tuple[NDArray[Any], type]:
    """Return the times as numbers, dates and durations in microseconds, and the type that a step has to be of."""
    dtype = series.dtype
    missing = series.is_null().to_numpy()
    if missing.any():
        raise _no_time(int(np.argmax(missing)), column)
    if dtype.is_numeric():
        times = series.to_numpy()
        unknown = np.isnan(times) if times.dtype.kind == "f" else np.zeros(len(times), np.bool_)
        if unknown.any():
            raise _no_time(int(np.argmax(unknown)), column)
        return times, float
    if dtype == nw.Duration:
        return series.dt.total_microseconds().to_numpy(), timedelta
    if dtype in (nw.Date, nw.Datetime):
        return series.dt.timestamp("us").to_numpy(), timedelta
    raise SchemaError(f"the column {column!r} is of type {dtype}: times must be numbers, dates or durations")


def _no_time(row: int, column: str) -> SchemaError:
    return SchemaError(f"row {row} has no time in {column!r}: drop it, or give it its time")


def _in_unit(step: float | timedelta, unit: type) -> float:
    if isinstance(step, timedelta) is not (unit is timedelta):
        wanted = "a timedelta, since the times are dates" if unit is timedelta else "a number, since the times are"
        raise SchemaError(f"step must be {wanted}, not {step!r}")
    number = step / timedelta(microseconds=1) if isinstance(step, timedelta) else float(step)
    if not 0 < number < float("inf"):
        raise SchemaError(f"step must be positive and finite, not {step!r}")
    return number


def _positions(times: NDArray[Any], begins: Ints, step: float, named: Any) -> Ints:
    """Return the position of each row on a grid of equal steps, in which missing times take a step too."""
    gaps = np.diff(times) / step
    whole = np.rint(gaps)
    whole[begins[1:] - 1] = 1  # where the next instance begins
    odd = np.abs(gaps - whole) > 1e-6 * np.maximum(1.0, whole)
    odd[begins[1:] - 1] = False
    odd |= whole < 1
    if odd.any():
        instance, time = named(int(np.argmax(odd)) + 1)
        raise SchemaError(
            f"instance {instance!r} has the time {time}, which is not a whole number of steps after the one before: "
            f"resample the series, choose another step, or pass step=None to count rows"
        )
    if whole.sum() > MOST_STEPS_PER_ROW * len(times):
        instance, time = named(int(np.argmax(whole)) + 1)
        raise SchemaError(
            f"the gaps would take {int(whole.sum())} steps for {len(times)} rows, the longest one before the time "
            f"{time} of instance {instance!r}: correct it, or choose a larger step"
        )
    return np.append(0, np.cumsum(whole)).astype(np.int64)


def _channels(table: Table, chosen: Sequence[str]) -> Floats:
    names = table.names or ()
    values = np.empty((len(chosen), table.n_rows))
    for index, name in enumerate(chosen):
        if name not in names:
            raise SchemaError(f"channels: the frame has no column {name!r}{did_you_mean(name, names)}")
        try:
            values[index] = read_numbers(table.load(names.index(name), name), Feature(name))
        except SchemaError as error:
            raise SchemaError(f"{error}; the channels of a series are numbers: list them in channels=[...]") from None
    return values
