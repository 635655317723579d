"""Panels: a series of several channels for each instance, which ends at the time of its decision."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Feature, Schema, check_distinct, check_name
from evoter.rules.values import plain_value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Series laid out channel by channel, so that instances are spans of steps and never copied.

    Instance `i` is `values[:, firsts[i]:stops[i]]`, the oldest step first; its last step is the decision time, from
    which lags count back. NaN means missing. Spans may overlap: one series can be looked at from many times. `ids`
    name the instances in messages. scikit-learn can split a panel as it splits an array.

    >>> panel = Panel(("x",), np.array([[1.0, 2.0, 3.0, 4.0]]), [0, 0], [4, 2])
    >>> panel.shape, panel[1].tolist(), panel[[1]].lengths.tolist()
    ((2, 1, 4), [[1.0, 2.0]], [2])
    """

    names: tuple[str, ...]
    values: Floats
    firsts: Ints
    stops: Ints
    ids: NDArray[Any]
    units: tuple[str, ...]

    def __init__(
        self,
        names: Iterable[str],
        values: Floats,
        firsts: ArrayLike,
        stops: ArrayLike,
        ids: NDArray[Any] | None = None,
        units: Iterable[str] | None = None,
    ) -> None:
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "values", np.ascontiguousarray(values, np.float64))
        object.__setattr__(self, "firsts", np.asarray(firsts, np.int64))
        object.__setattr__(self, "stops", np.asarray(stops, np.int64))
        object.__setattr__(self, "ids", np.arange(len(self.stops)) if ids is None else ids)
        object.__setattr__(self, "units", ("",) * len(self.names) if units is None else tuple(units))
        self._check()

    def _check(self) -> None:
        if self.values.ndim != 2 or len(self.values) != len(self.names):
            raise SchemaError(f"{len(self.names)} names for values of shape {self.values.shape}: one row per channel")
        if not self.names:
            raise SchemaError("the panel has no channels: 0 feature(s) while a minimum of 1 is required.")
        for name in self.names:
            check_name("channel", name)
        check_distinct("the panel has the channel", self.names)
        if len(self.units) != len(self.names):
            raise SchemaError(f"{len(self.units)} units for {len(self.names)} channels: give one each, '' for none")
        if not len(self.firsts) == len(self.stops) == len(self.ids):
            raise SchemaError(
                f"{len(self.firsts)} first steps, {len(self.stops)} ends and {len(self.ids)} ids: give one each per "
                f"instance"
            )
        if len(self.stops) == 0:
            raise SchemaError("the panel is empty: 0 sample(s) while a minimum of 1 is required.")
        bad = (self.firsts < 0) | (self.stops <= self.firsts) | (self.stops > self.values.shape[1])
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            raise SchemaError(
                f"instance {self._called(i)} takes the steps {self.firsts[i]}..{self.stops[i] - 1} of "
                f"{self.values.shape[1]}: every instance needs at least one step, so drop those without any"
            )

    def __len__(self) -> int:
        return len(self.stops)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of instances, of channels, and of steps of the longest instance."""
        return len(self.stops), len(self.names), int(self.lengths.max())

    @property
    def lengths(self) -> Ints:
        """The number of steps of each instance."""
        return self.stops - self.firsts

    def __getitem__(self, key: Any) -> Any:
        """Return one instance as an array (channels, steps) for a whole number, else the panel of some instances."""
        if isinstance(key, tuple) and key[1:] == (Ellipsis,):
            key = key[0]
        if isinstance(key, int | np.integer):
            return self.values[:, self.firsts[key] : self.stops[key]]
        if not isinstance(key, slice):
            key = np.asarray(key)
            key = key if key.size else key.astype(np.int64)
        return self._over(self.firsts[key], self.stops[key], self.ids[key])

    def _over(self, firsts: Ints, stops: Ints, ids: NDArray[Any]) -> Self:
        return type(self)(self.names, self.values, firsts, stops, ids, self.units)

    def _called(self, i: int) -> str:
        return repr(plain_value(self.ids[i]))

    def recent(self, n_steps: int) -> Self:
        """Return the panel with no more than the last `n_steps` steps of each instance."""
        return self._over(np.maximum(self.firsts, self.stops - n_steps), self.stops, self.ids)

    def until(self, lengths: ArrayLike) -> Self:
        """Return the panel in which instance `i` is decided after its first `lengths[i]` steps instead of its last."""
        asked = np.broadcast_to(np.asarray(lengths, np.int64), self.stops.shape)
        bad = np.flatnonzero((asked < 1) | (asked > self.lengths))
        if bad.size:
            i = int(bad[0])
            raise SchemaError(
                f"instance {self._called(i)} has {self.lengths[i]} steps and cannot be decided after {asked[i]}: "
                f"choose from 1 to {self.lengths[i]}"
            )
        return self._over(self.firsts, self.firsts + asked, self.ids)

    def select(self, names: Sequence[str]) -> Self:
        """Return the panel with the channels called `names`, in this order."""
        if tuple(names) == self.names:
            return self
        indices = self.channel_indices(names)
        units = [self.units[index] for index in indices]
        return type(self)(names, self.values[indices], self.firsts, self.stops, self.ids, units)

    def places(self, names: Sequence[str]) -> list[int]:
        """Return the indices of channels; deprecated, use `channel_indices`."""
        warnings.warn("Panel.places is now Panel.channel_indices", DeprecationWarning, stacklevel=2)
        return self.channel_indices(names)

    def channel_indices(self, names: Sequence[str]) -> list[int]:
        """Return the indices of the channels called `names`."""
        lacking = [name for name in names if name not in self.names]
        if lacking:
            hints = [f"{name!r}{did_you_mean(name, self.names)}" for name in lacking[:5]]
            more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
            raise SchemaError(f"the panel lacks {len(lacking)} of the channels: {', '.join(hints)}{more}")
        return [self.names.index(name) for name in names]

    def observations(self) -> Floats:
        """Return the values of the steps that belong to some instance, each step once: shape (channels, steps)."""
        covered = self._covered()
        return self.values if covered.all() else self.values[:, covered]

    @property
    def n_observations(self) -> int:
        """The number of steps that belong to some instance."""
        return int(self._covered().sum())

    def _covered(self) -> NDArray[np.bool_]:
        edges = np.zeros(self.values.shape[1] + 1, np.int64)
        np.add.at(edges, self.firsts, 1)
        np.add.at(edges, self.stops, -1)
        return np.cumsum(edges[:-1]) > 0

    def refuse_infinite(self) -> None:
        """Refuse infinite values, and say where the first one is."""
        if not np.isinf(self.values).any():
            return
        infinite = np.argwhere(np.isinf(self.values) & self._covered())
        if len(infinite):
            channel, step = map(int, infinite[0])
            i = int(np.flatnonzero((self.firsts <= step) & (step < self.stops))[0])
            raise SchemaError(
                f"instance {self._called(i)}, channel {self.names[channel]!r}, step {step - self.firsts[i]}: the "
                f"value is {self.values[channel, step]}, which gives the channel no range: replace infinite values by "
                f"NaN (missing) or by a large number"
            )


def infer_panel_schema(
    panel: Panel, *, actions: Iterable[str], max_lag: int | None = None, scaled: bool = False
) -> Schema:
    """Infer the schema of a panel: a numeric feature for each channel, with the range of all its values at all times.

    The largest lag is `max_lag`, or what the longest instance has if that is less, or if `max_lag` is None. Values
    that the largest lag does not reach count as well: cut them off with `Panel.recent` where they should not.

    >>> panel = Panel(("x", "y"), np.array([[1.0, 2.0, 3.0], [np.nan, 0.5, 0.5]]), [0], [3])
    >>> schema = infer_panel_schema(panel, actions=["up", "down"], max_lag=9)
    >>> schema.max_lag, schema.feature("x").bounds, schema.feature("y").missing
    (2, (1.0, 3.0), True)
    """
    panel.refuse_infinite()
    features = []
    for name, unit, numbers in zip(panel.names, panel.units, panel.observations(), strict=True):
        present = numbers[~np.isnan(numbers)]
        missing = present.size < numbers.size
        low, high = (float(present.min()), float(present.max())) if present.size else (None, None)
        features.append(
            Feature(name, low=low, high=high, unit=unit, scaled=scaled and low is not None, missing=missing)
        )
    longest = panel.shape[2] - 1
    return Schema(features, actions, longest if max_lag is None else min(max_lag, longest))
