"""A plane through a table: two features vary over a grid, and all others are held."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.analysis.formatting import counted
from evoter.rules.errors import did_you_mean
from evoter.rules.printing.pieces import number_text
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import encode

Floats = NDArray[np.float64]
Value = float | str | bool | None

MARGIN = 0.05
"""How far a plane reaches beyond the values in the table, as a share of their range."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One of the two features that vary, and the middles of its cells; those of categories are their indices."""

    feature: Feature
    middles: Floats

    @property
    def is_numeric(self) -> bool:
        """Whether the cells follow each other without gaps that mean something."""
        return self.feature.kind is Kind.NUMERIC

    @property
    def edges(self) -> Floats:
        """The borders of the cells, one more than there are cells."""
        width = self.middles[1] - self.middles[0] if len(self.middles) > 1 else 1.0
        return np.append(self.middles - width / 2, self.middles[-1] + width / 2)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells; none for numbers."""
        return _values_of(self.feature)


@dataclass(frozen=True, slots=True)
class Plane:
    """Two axes, and what the other features are held at, all as `evoter.tables.encode` makes them."""

    schema: Schema
    x: Axis
    y: Axis
    held: Mapping[str, float]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of cells upwards and across."""
        return len(self.y.middles), len(self.x.middles)

    def column(self, name: str) -> Floats:
        """Return the values of a feature in all cells, row by row from below."""
        upwards, across = self.shape
        if name == self.x.feature.name:
            return np.tile(self.x.middles, upwards)
        if name == self.y.feature.name:
            return np.repeat(self.y.middles, across)
        return np.full(upwards * across, self.held[name])

    def columns(self, schema: Schema) -> Floats:
        """Return the values of all features of a schema [feature, cell], as rules read them."""
        return np.array([self.column(name) for name in schema.names]).reshape(len(schema.names), -1)

    def table(self, X: Any) -> Any:
        """Return the cells as rows of a table of the same kind as X, whose columns are those of the schema."""
        n_cells = self.shape[0] * self.shape[1]
        encoded = encode(X, self.schema)
        if nw.dependencies.is_into_dataframe(X):
            frame = nw.from_native(X, eager_only=True)
            rows = frame[np.zeros(n_cells, np.int64)]
            index = nw.maybe_get_index(rows)
            columns = []
            for position, feature in enumerate(self.schema.features):
                name, values = frame.columns[position], self.column(feature.name)
                if feature.kind is Kind.NUMERIC:
                    column = nw.new_series(name, values, backend=frame.implementation)
                else:
                    column = frame[name][_rows_with(encoded[position], values, feature)]
                columns.append(column if index is None else nw.maybe_set_index(column, index=index))
            return rows.with_columns(*columns).to_native()
        array = np.asarray(X) if isinstance(X, np.ndarray) else np.array(X, dtype=object)
        rows = np.empty((n_cells, array.shape[1]), np.float64 if array.dtype.kind in "biuf" else object)
        for index, feature in enumerate(self.schema.features):
            values = self.column(feature.name)
            numeric = feature.kind is Kind.NUMERIC
            rows[:, index] = values if numeric else array[_rows_with(encoded[index], values, feature), index]
        return rows

    def held_text(self, names: Sequence[str], n_most: int = 12) -> str:
        """Say what the features of these names are held at, and how many more there are than can be named."""
        held = [name for name in names if name in self.held]
        named = [f"{name} {_value_text(self.schema.feature(name), self.held[name])}" for name in held[:n_most]]
        rest = len(held) - len(named)
        return ", ".join(named) + (f" and {counted(rest, 'more feature')} held" if rest else "")


def make_plane(
    schema: Schema,
    features: tuple[str, str],
    X: Any = None,
    *,
    at: Mapping[str, Value] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    n_cells: int = 160,
) -> Plane:
    """Lay a plane through the rows of X, or, without any, through the middle of the ranges of a schema.

    >>> schema = Schema([Feature("x", low=0, high=4), Feature("y", low=0, high=2), Feature("z", low=1, high=3)], ["a"])
    >>> plane = make_plane(schema, ("x", "y"), n_cells=2)
    >>> plane.columns(schema)
    array([[1. , 3. , 1. , 3. ],
           [0.5, 0.5, 1.5, 1.5],
           [2. , 2. , 2. , 2. ]])
    >>> plane.held_text(schema.names)
    'z = 2'
    """
    ranges, at = ranges or {}, at or {}
    for name in (*features, *at, *ranges):
        if name not in schema:
            raise ValueError(f"there is no feature {name!r}{did_you_mean(name, schema.names)}")
    if features[0] == features[1]:
        raise ValueError(f"a plane needs two features, got {features[0]!r} twice")
    encoded = dict(zip(schema.names, encode(X, schema), strict=True)) if X is not None else {}
    others = [feature for feature in schema.features if feature.name not in features]
    held = {feature.name: held_value(feature, encoded.get(feature.name), at) for feature in others}
    across, up = (_axis(schema.feature(name), encoded.get(name), ranges.get(name), n_cells) for name in features)
    return Plane(schema, across, up, held)


def held_value(feature: Feature, values: Floats | None, at: Mapping[str, Value]) -> float:
    """Return what a feature is held at, encoded: what `at` says, or else the middle of its values or of its range."""
    return _encoded_value(feature, at[feature.name]) if feature.name in at else _middle(feature, values)


def _axis(feature: Feature, values: Floats | None, limits: tuple[float, float] | None, n_cells: int) -> Axis:
    if feature.kind is not Kind.NUMERIC:
        return Axis(feature, np.arange(len(_values_of(feature)), dtype=np.float64))
    if limits is not None:
        low, high = limits
    elif values is not None and np.isfinite(values).any():
        low, high = values[np.isfinite(values)].min(), values[np.isfinite(values)].max()
        margin = MARGIN * (high - low) or 0.5
        low, high = low - margin, high + margin
    elif feature.low is not None and feature.high is not None:
        low, high = feature.low, feature.high
    else:
        raise ValueError(f"{feature.name!r} has no range: pass X, or ranges={{{feature.name!r}: (low, high)}}")
    if not low < high:
        raise ValueError(f"the range of {feature.name!r} must be two numbers, the lower one first, not ({low}, {high})")
    width = float(high - low) / n_cells
    return Axis(feature, float(low) + width * (np.arange(n_cells, dtype=np.float64) + 0.5))


def _middle(feature: Feature, values: Floats | None) -> float:
    """Return the median of numbers and the most frequent one of other values; without rows, the middle of the range."""
    known = values[~np.isnan(values)] if values is not None else np.empty(0)
    if feature.kind is not Kind.NUMERIC:
        listed = known[known >= 0]  # the others are categories that the schema does not list
        return float(np.bincount(listed.astype(np.int64)).argmax()) if len(listed) else 0.0
    if len(known):
        return float(np.median(known))
    if feature.low is None or feature.high is None:
        raise ValueError(
            f"{feature.name!r} has no range to be held in the middle of: pass X, or at={{{feature.name!r}: ...}}"
        )
    return (feature.low + feature.high) / 2


def _encoded_value(feature: Feature, value: Value) -> float:
    if value is None:
        return float("nan")
    if feature.kind is Kind.CATEGORICAL:
        if str(value) not in feature.categories:
            hint = did_you_mean(str(value), feature.categories) or f"; known: {', '.join(feature.categories)}"
            raise ValueError(f"{feature.name!r} has no category {value!r}{hint}")
        return float(feature.categories.index(str(value)))
    if isinstance(value, str):
        raise ValueError(f"{feature.name!r} is {feature.kind} and cannot be held at {value!r}")
    return float(value)


def _values_of(feature: Feature) -> tuple[str, ...]:
    return ("false", "true") if feature.kind is Kind.BOOLEAN else feature.categories


def _value_text(feature: Feature, value: float) -> str:
    if np.isnan(value):
        return "is missing"
    if feature.kind is not Kind.NUMERIC:
        return f"= {_values_of(feature)[int(value)]}"
    return f"= {number_text(float(f'{value:.4g}'))} {feature.unit}".rstrip()


def _rows_with(codes: Floats, wanted: Floats, feature: Feature) -> NDArray[np.int64]:
    """Return for each wanted value the number of a row that has it."""
    rows = np.empty(len(wanted), np.int64)
    for value in np.unique(wanted):
        having = np.flatnonzero(np.isnan(codes) if np.isnan(value) else codes == value)
        if not len(having):
            raise ValueError(
                f"no row of X has {feature.name} {_value_text(feature, value)}, so it cannot be asked about"
            )
        rows[np.isnan(wanted) if np.isnan(value) else wanted == value] = having[0]
    return rows
