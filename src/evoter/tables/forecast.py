"""Examples for forecasting a class: the history up to a time, and the class of a later mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.tables.panel import Floats, Ints, Panel


@dataclass(frozen=True, slots=True, eq=False)
class ForecastExamples:
    """Examples for a classifier: histories, classes, and the series that each comes from.

    `panel` holds the histories, over the steps of the original panel and not copied; `groups` numbers the series they
    come from, for splits that keep each series on one side; `times` are the decision times, as steps of the series;
    `means` are the future means that the classes stand for.
    """

    panel: Panel
    classes: NDArray[np.str_]
    groups: Ints
    times: Ints
    means: Floats

    def __len__(self) -> int:
        return len(self.classes)


def forecast_examples(
    panel: Panel,
    *,
    ahead: int,
    over: int,
    borders: Sequence[float],
    labels: Sequence[str],
    channel: str | None = None,
    stride: int = 1,
    min_history: int = 1,
    max_history: int | None = None,
    min_present: float = 0.5,
) -> ForecastExamples:
    """Make examples that forecast the class of a channel's mean over the steps t + ahead .. t + ahead + over.

    A mean up to and including `borders[0]` has the class `labels[0]`, up to `borders[1]` the next, above all of them
    the last. Decision times t begin where `min_history` steps are known and come every `stride` steps, as long as the
    future reaches. A history has all steps up to and including t, or the last `max_history` of them. Missing values
    do not count in the mean; a time whose future has less than `min_present` of its values gives no example.

    >>> pressure = Panel(("MAP",), np.array([[80.0, 70.0, 60.0, 50.0, 40.0]]), [0], [5])
    >>> settings = {"borders": (55, 85), "labels": ("Low", "Normal", "High")}
    >>> examples = forecast_examples(pressure, ahead=1, over=1, **settings)
    >>> examples.means.tolist(), examples.classes.tolist(), examples.panel.lengths.tolist()
    ([65.0, 55.0, 45.0], ['Normal', 'Low', 'Low'], [1, 2, 3])
    """
    _check_settings(ahead, over, stride, min_history, max_history, min_present)
    edges, names = _check_classes(borders, labels)
    panel.refuse_infinite()
    target = panel.values[_target(panel, channel)]
    parts = [_future_means(target, *span, ahead, over, stride, min_history, min_present) for span in _spans(panel)]
    counts = np.array([len(times) for times, _ in parts], np.int64)
    if counts.sum() == 0:
        raise SchemaError(
            f"no series is long enough for an example: it takes {min_history + ahead + over} steps, of which the last "
            f"{over + 1} have values; the longest has {panel.shape[2]}"
        )
    groups = np.repeat(np.arange(len(panel)), counts)
    times = np.concatenate([times for times, _ in parts])
    means = np.concatenate([means for _, means in parts])
    stops = panel.firsts[groups] + times + 1
    histories = Panel(panel.names, panel.values, panel.firsts[groups], stops, panel.ids[groups], panel.units)
    return ForecastExamples(
        panel=histories if max_history is None else histories.recent(max_history),
        classes=names[np.searchsorted(edges, means, side="left")],
        groups=groups,
        times=times,
        means=means,
    )


def _future_means(
    values: Floats, first: int, stop: int, ahead: int, over: int, stride: int, min_history: int, min_present: float
) -> tuple[Ints, Floats]:
    """Return the decision times of one series, as steps from its beginning, and the means of what follows them."""
    times = np.arange(min_history - 1, stop - first - ahead - over, stride, dtype=np.int64)
    if len(times) == 0:
        return times, np.empty(0)
    futures = np.lib.stride_tricks.sliding_window_view(values[first:stop], over + 1)[times + ahead]
    n_present = (~np.isnan(futures)).sum(axis=1)
    enough = (n_present > 0) & (n_present >= min_present * (over + 1))
    means: Floats = np.nansum(futures[enough], axis=1) / n_present[enough]
    return times[enough], means


def _spans(panel: Panel) -> list[tuple[int, int]]:
    return list(zip(panel.firsts.tolist(), panel.stops.tolist(), strict=True))


def _target(panel: Panel, channel: str | None) -> int:
    if channel is None:
        if len(panel.names) > 1:
            raise SchemaError(f"channel: say which of the channels {', '.join(panel.names)} is to be forecast")
        return 0
    if channel not in panel.names:
        raise SchemaError(f"channel: the panel has no channel {channel!r}{did_you_mean(channel, panel.names)}")
    return panel.names.index(channel)


def _check_settings(
    ahead: int, over: int, stride: int, min_history: int, max_history: int | None, min_present: float
) -> None:
    least = {"ahead": (ahead, 1), "over": (over, 0), "stride": (stride, 1), "min_history": (min_history, 1)}
    if max_history is not None:
        least["max_history"] = (max_history, 1)
    for name, (number, lowest) in least.items():
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < lowest:
            raise SchemaError(f"{name} must be a whole number of steps, at least {lowest}, not {number!r}")
    if not 0 <= min_present <= 1:
        raise SchemaError(f"min_present must be a share from 0 to 1, not {min_present!r}")


def _check_classes(borders: Sequence[float], labels: Sequence[str]) -> tuple[Floats, NDArray[Any]]:
    edges = np.asarray(borders, np.float64)
    if edges.ndim != 1 or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
        raise SchemaError(f"borders must be finite numbers in ascending order, not {borders!r}")
    if len(labels) != len(edges) + 1 or len(set(labels)) != len(labels):
        raise SchemaError(f"{len(edges)} borders need {len(edges) + 1} different labels, not {labels!r}")
    return edges, np.array(labels, dtype=str)
