"""From the forms that series come in, arrays, lists of arrays and long frames, to panels."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.tables.long_frames import read_long_frame
from evoter.tables.panel import Floats, Panel


def read_panel(
    X: Any,
    *,
    id_column: str | None = None,
    time_column: str | None = None,
    step: float | timedelta | None = None,
    channels: Sequence[str] | None = None,
    units: Mapping[str, str] | None = None,
    padded: bool = True,
) -> Panel:
    """Read series as a panel, each instance ending at its decision time; NaN and None mean missing.

    An array of three dimensions is (instances, channels, time), of two dimensions (instances, time) with one channel;
    a list holds one array (channels, time), or (time,) for one channel, per instance, of any lengths. `channels` names
    their channels, x0, x1, ... without it. With `padded`, steps at the end of an instance of an array at which all
    channels are NaN are no steps, but what makes all lengths equal.

    A frame is long: a row for each instance and time, told apart by `id_column` and `time_column`, in any order. All
    other columns are channels, or those listed in `channels`. Instances come in the order in which their ids first
    appear. Lags count rows; with a `step`, times that are left out become steps of missing values.

    `units` gives some channels a unit. A panel is returned as it is.

    >>> read_panel([[[1.0, 2.0, 3.0]], [[4.0, 5.0]]], channels=["pulse"]).lengths.tolist()
    [3, 2]
    >>> read_panel(np.array([[1.0, 2.0, np.nan]])).lengths.tolist()
    [2]
    """
    if nw.dependencies.is_into_dataframe(X):
        panel = read_long_frame(X, id_column, time_column, step, channels)
    elif id_column is not None or time_column is not None or step is not None:
        raise SchemaError(f"id_column, time_column and step are for data frames, not for {type(X).__name__}")
    elif isinstance(X, Panel):
        panel = X if channels is None else X.select(channels)
    else:
        panel = _named(X, channels, padded)
    return panel if units is None else _with_units(panel, units)


def _with_units(panel: Panel, units: Mapping[str, str]) -> Panel:
    for name in units:
        if name not in panel.names:
            raise SchemaError(f"units: the panel has no channel {name!r}{did_you_mean(name, panel.names)}")
    by_channel = [units.get(name, unit) for name, unit in zip(panel.names, panel.units, strict=True)]
    return Panel(panel.names, panel.values, panel.firsts, panel.stops, panel.ids, by_channel)


def _named(X: Any, channels: Sequence[str] | None, padded: bool) -> Panel:
    if isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 1:
        X = list(X)
    values, lengths, room = _read_list(X) if isinstance(X, list | tuple) else _read_array(X, padded)
    names = [f"x{index}" for index in range(len(values))] if channels is None else list(channels)
    if len(names) != len(values):
        raise SchemaError(
            f"the series have {len(values)} channels, but there are {len(names)} names for them: arrays are "
            f"(instances, channels, time), so X.transpose(0, 2, 1) if time comes first"
        )
    firsts = np.cumsum(room) - room
    return Panel(names, values, firsts, firsts + lengths)


def _read_array(X: Any, padded: bool) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    array = _numbers(X, "X")
    if array.ndim == 2:
        array = array[:, None, :]
    if array.ndim != 3:
        raise SchemaError(
            f"series are an array (instances, channels, time), or (instances, time) for one channel, but X has "
            f"{array.ndim} dimension(s). Reshape your data: X[None] for a single instance"
        )
    n_instances, n_channels, n_steps = array.shape
    if 0 in array.shape:
        raise SchemaError(f"X has the shape {array.shape}: it needs at least one instance, channel and time step")
    lengths = np.full(n_instances, n_steps, np.int64)
    if padded:
        seen: NDArray[np.bool_] = np.logical_not(np.isnan(array).all(axis=1))
        lengths = np.where(seen.any(axis=1), n_steps - np.argmax(seen[:, ::-1], axis=1), 0)
        if (lengths == 0).any():
            raise SchemaError(
                f"instance {int(np.argmin(lengths))} has no values at all: drop it, or pass padded=False to read "
                f"every NaN as a missing value"
            )
    values = np.ascontiguousarray(array.transpose(1, 0, 2)).reshape(n_channels, -1)
    return values, lengths, np.full(n_instances, n_steps, np.int64)


def _read_list(X: Sequence[Any]) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    if not X:
        raise SchemaError("X is an empty list: 0 sample(s) while a minimum of 1 is required.")
    instances = [_numbers(instance, f"instance {i}") for i, instance in enumerate(X)]
    for i, instance in enumerate(instances):
        if instance.ndim not in (1, 2):
            raise SchemaError(
                f"instance {i} has {instance.ndim} dimension(s): each instance is an array (channels, time), or "
                f"(time,) for one channel; a single series goes into a list of its own, [X]"
            )
    series = [instance[None, :] if instance.ndim == 1 else instance for instance in instances]
    for i, instance in enumerate(series):
        if len(instance) != len(series[0]):
            raise SchemaError(
                f"instance {i} has {len(instance)} channels, but instance 0 has {len(series[0])}: give every instance "
                f"every channel, with NaN where it was not measured"
            )
        if 0 in instance.shape:
            raise SchemaError(f"instance {i} has the shape {instance.shape}, which holds no step: drop it")
    lengths = np.array([instance.shape[1] for instance in series], np.int64)
    return np.ascontiguousarray(np.concatenate(series, axis=1)), lengths, lengths


def _numbers(values: Any, where: str) -> Floats:
    """Return an array of numbers; text, dates and ragged lists are refused."""
    if isinstance(values, np.ma.MaskedArray):
        raise SchemaError(f"{where} is a masked array: pass {where}.filled(np.nan)")
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except ValueError:
        raise SchemaError(
            f"{where} is ragged: all channels of an instance have the same times, with NaN where one was not measured"
        ) from None
    if array.dtype == object:
        for index, value in np.ndenumerate(array):
            if value is not None and not isinstance(value, int | float | np.number):
                raise SchemaError(f"{where} holds the {type(value).__name__} {value!r} at {index}: pass numbers")
        return array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise SchemaError(f"{where} is of type {array.dtype}: pass numbers, with NaN for missing values")
    return np.asarray(array, np.float64)
