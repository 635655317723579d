"""Treatments: what the actions of a policy do to the table that a predictor reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.estimators.inputs import is_frame, named_row
from evoter.kernels.layout import Floats
from evoter.rules.errors import did_you_mean

NOTHING: Final = "nothing"
"""The action of taking none, where several can be taken at once."""

Change = float | str | bool | Callable[[NDArray[Any]], NDArray[Any]]
"""What an intervention makes of a column: a value for all rows, or a function of its values."""


_PARTS = (0.25, 0.5, 0.75, 1.0)
"""Amounts that an explanation shows as alternatives."""


class Treatments(Protocol):
    """What can be prescribed; `levels` say how much of each action a row gets, from 0, not at all, to 1."""

    @property
    def names(self) -> tuple[str, ...]:
        """The actions as rules name them."""
        ...

    def read(self, logged: Any) -> Any:
        """Check and return what was done, as a user hands it in."""
        ...

    def factual(self, table: Any, logged: Any) -> Any:
        """Return the predictor's table for what was done."""
        ...

    def applied(self, table: Any, levels: Floats) -> Any:
        """Return the predictor's table for what is prescribed."""
        ...

    def logged_levels(self, logged: Any) -> Floats | None:
        """Return what was done as levels, NaN on rows where no policy could do the same; None where unknown."""
        ...

    def shown(self, levels: Floats) -> NDArray[Any]:
        """Return what is prescribed as a user wants it."""
        ...


@dataclass(frozen=True)
class LabelTreatments:
    """One of several labels, in one column; arrays get a column of zeros and ones for each label instead."""

    labels: NDArray[Any]
    names: tuple[str, ...]
    known: NDArray[Any]
    column: str = "action"

    def read(self, logged: Any) -> NDArray[Any]:
        """Return the labels; those that no policy may choose are welcome in history."""
        values = np.asarray(logged)
        unknown = ~np.isin(values, self.known)
        if values.ndim != 1 or unknown.any():
            what = f"shape {values.shape}" if values.ndim != 1 else repr(values[unknown].tolist()[0])
            raise ValueError(f"actions must be labels of {self.known.tolist()}, one per row, got {what}")
        return values

    def factual(self, table: Any, logged: NDArray[Any]) -> Any:
        """Return the table with the labels beside it."""
        if is_frame(table):
            return attach(table, {self.column: logged})
        return beside(table, (logged[:, None] == self.known).astype(np.float64))

    def applied(self, table: Any, levels: Floats) -> Any:
        """Return the table with the prescribed labels beside it."""
        return self.factual(table, self.shown(levels))

    def logged_levels(self, logged: NDArray[Any]) -> Floats:
        """Return a 1 for the label of each row."""
        levels: Floats = (logged[:, None] == self.labels).astype(np.float64)
        levels[levels.sum(axis=1) == 0.0] = np.nan
        return levels

    def shown(self, levels: Floats) -> NDArray[Any]:
        """Return labels."""
        chosen: NDArray[Any] = self.labels[levels.argmax(axis=1)]
        return chosen


@dataclass(frozen=True)
class ColumnTreatments:
    """A column for each action: one of them is taken, or several at once, or one to some amount.

    `ranges` are the amounts that levels of 0 and 1 stand for; what is not prescribed is at the lower end.
    """

    columns: tuple[str, ...]
    chosen: tuple[str, ...]
    ranges: Floats
    several: bool = False
    amounts: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, and doing nothing where several can be taken."""
        return (*self.chosen, NOTHING) if self.several else self.chosen

    def read(self, logged: Any) -> Floats:
        """Return the columns as numbers."""
        values = np.column_stack([np.asarray(each, np.float64) for each in read_columns(logged, self.columns)])
        if not np.isfinite(values).all():
            raise ValueError("actions must be numbers in every row: a missing one says not what was done")
        if not self.amounts and not np.isin(values, (0.0, 1.0)).all():
            raise ValueError("actions in columns must be 0 or 1; for amounts, give actions={name: (low, high)}")
        return values

    def factual(self, table: Any, logged: Floats) -> Any:
        """Return the table with the columns beside it."""
        if not is_frame(table):
            return beside(table, logged)
        return attach(table, dict(zip(self.columns, logged.T, strict=True)))

    def applied(self, table: Any, levels: Floats) -> Any:
        """Return the table with the prescribed amounts beside it."""
        return self.factual(table, self._amounts(levels))

    def _amounts(self, levels: Floats) -> Floats:
        low, high = self.ranges.T
        amounts: Floats = np.tile(low, (len(levels), 1))
        chosen = [self.columns.index(name) for name in self.chosen]
        amounts[:, chosen] += levels[:, : len(chosen)] * (high - low)[chosen]
        return amounts

    def logged_levels(self, logged: Floats) -> Floats | None:
        """Return what was done where a policy could do the same; amounts are too many to ask."""
        if self.amounts:
            return None
        chosen = [self.columns.index(name) for name in self.chosen]
        unlike = np.delete(logged, chosen, axis=1).any(axis=1)
        levels = logged[:, chosen].copy()
        if not self.several:
            unlike |= levels.sum(axis=1) != 1.0
        levels[unlike] = np.nan
        return np.column_stack([levels, np.zeros(len(levels))]) if self.several else levels

    def shown(self, levels: Floats) -> NDArray[Any]:
        """Return the name of the one action, truth values for several, or amounts."""
        if self.several:
            return levels[:, :-1] > 0.0
        if self.amounts:
            columns = [self.columns.index(name) for name in self.chosen]
            return self._amounts(levels)[:, columns]
        chosen: NDArray[Any] = np.array(self.chosen)[levels.argmax(axis=1)]
        return chosen


@dataclass(frozen=True)
class Interventions:
    """Actions that change columns of the table itself; history is the table as it is."""

    changes: Mapping[str, Mapping[str | int, Change]]
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.changes))

    @property
    def columns(self) -> tuple[str | int, ...]:
        """The columns that some action changes."""
        return tuple(dict.fromkeys(column for change in self.changes.values() for column in change))

    def read(self, logged: Any) -> None:
        """Refuse labels: what was done is in the table."""
        if logged is not None:
            raise ValueError("interventions change the table itself, which says what was done: pass actions=None")

    def factual(self, table: Any, logged: None) -> Any:
        """Return the table."""
        return table

    def applied(self, table: Any, levels: Floats) -> Any:
        """Return the table with some columns changed."""
        changed: dict[str | int, NDArray[Any]] = {}
        for action, change in enumerate(self.changes.values()):
            rows = levels[:, action] > 0.0
            for column, value in change.items():
                before = changed.get(column, column_values(table, column))
                after = value(before) if callable(value) else np.full(len(before), value)
                changed[column] = np.where(rows, after, before)
        if is_frame(table):
            return attach(table, {str(column): values for column, values in changed.items()})
        result = np.array(table)
        for column, values in changed.items():
            result[:, int(column)] = values
        return result

    def logged_levels(self, logged: None) -> None:
        """Return nothing: no action was logged."""

    def shown(self, levels: Floats) -> NDArray[Any]:
        """Return names."""
        chosen: NDArray[Any] = np.array(self.names)[levels.argmax(axis=1)]
        return chosen


def beside(table: NDArray[Any], numbers: Floats) -> NDArray[Any]:
    """Put columns behind those of an array, as numbers of its own precision: torch takes no other."""
    floating = np.issubdtype(table.dtype, np.floating)
    return np.column_stack([table, numbers.astype(table.dtype) if floating else numbers])


def attach(frame: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
    """Return a data frame with columns added or replaced, of the same kind."""
    opened = nw.from_native(frame, eager_only=True)
    series = [nw.new_series(name, values, backend=opened.implementation) for name, values in columns.items()]
    return opened.with_columns(*series).to_native()


def take_rows(table: Any, rows: NDArray[np.integer[Any]]) -> Any:
    """Return some rows of a table, in the given order and with repetitions."""
    return nw.from_native(table, eager_only=True)[rows].to_native() if is_frame(table) else table[rows]


def column_values(table: Any, column: str | int) -> NDArray[Any]:
    """Return a column of a data frame by name, or of an array by position."""
    if is_frame(table):
        opened = nw.from_native(table, eager_only=True)
        if column not in opened.columns:
            hint = did_you_mean(str(column), opened.columns)
            raise ValueError(f"the table has no column {column!r}{hint}")
        named: NDArray[Any] = opened[str(column)].to_numpy()
        return named
    if not isinstance(column, int) or not 0 <= column < table.shape[1]:
        raise ValueError(f"an array has columns 0 to {table.shape[1] - 1}, got {column!r}: name columns of data frames")
    values: NDArray[Any] = table[:, column]
    return values


def choose_columns(table: Any, columns: Sequence[str | int]) -> Any:
    """Return a table with some of its columns, by name or in arrays by position."""
    for column in columns:
        column_values(table, column)  # which refuses unknown ones
    if is_frame(table):
        return nw.from_native(table, eager_only=True).select(*[str(column) for column in columns]).to_native()
    return table[:, list(columns)]


def column_names(table: Any) -> list[str]:
    """Return the names of a data frame's columns, or the positions of an array's as text."""
    if is_frame(table):
        return list(nw.from_native(table, eager_only=True).columns)
    return [str(position) for position in range(np.shape(table)[1])]


def read_columns(table: Any, names: Sequence[str]) -> list[NDArray[Any]]:
    """Return the columns of a table by name, of an array in their order."""
    if is_frame(table):
        return [column_values(table, name) for name in names]
    values = np.asarray(table)
    if values.ndim != 2 or values.shape[1] != len(names):
        raise ValueError(f"actions must have a column for each of {list(names)}, got shape {values.shape}")
    return list(values.T)


def as_table(X: Any, example: Any) -> Any:
    """Return a table; a mapping or a one-dimensional row becomes one of a single row, with columns as in an example."""
    row = named_row(X)
    if row is None:
        return [list(X)] if not hasattr(X, "columns") and np.ndim(X) == 1 else X
    if not is_frame(example):
        raise ValueError("this policy was fitted on an array, whose columns have no names: pass a row of numbers")
    names = column_names(example)
    missing = [name for name in names if name not in row]
    if missing:
        raise ValueError(f"the case has no value for {missing[0]!r}: the predictor reads all columns")
    return attach(example, {name: np.array([row[name]]) for name in names})


def single_levels(n_actions: int, *, several: bool) -> Floats:
    """Return the levels of each action alone, taken to the full; where there may be several, the last is nothing."""
    levels = np.eye(n_actions)
    if several:
        levels[-1] = 0.0
    return levels


def other_levels(levels: Floats, *, several: bool, amounts: bool) -> list[Floats]:
    """Return what else could be prescribed than some levels: each action alone, and parts of its amount."""
    parts = _PARTS if amounts else (1.0,)
    options = [part * single for single in single_levels(len(levels), several=several) for part in parts]
    return [each for each in options if not np.array_equal(each, levels)]


def name_levels(levels: Floats, treatments: Treatments, *, several: bool, amounts: bool) -> str:
    """Return what is prescribed by some levels, in words."""
    names = treatments.names
    taken = [action for action in range(len(levels)) if levels[action] > 0.0]
    if several:
        return " + ".join(names[action] for action in taken) or names[-1]
    if not amounts:
        return names[taken[0]]
    amount = treatments.shown(levels[None])[0, taken[0]]
    return f"{names[taken[0]]} {amount:g}"
