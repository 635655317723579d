"""Rows of tables that black boxes are asked about, in the form in which they were handed in."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from evoter.estimators.inputs import is_frame, named_row
from evoter.kernels.layout import Ints


def take_rows(table: Any, rows: Ints) -> Any:
    """Return some rows of a frame or an array, by position."""
    if is_frame(table):
        return nw.from_native(table, eager_only=True)[rows.tolist()].to_native()
    return table[rows]


def join_rows(first: Any, second: Any) -> Any:
    """Return the rows of two tables of one kind, one after the other."""
    if len(second) == 0:
        return first
    if is_frame(first):
        frames = [nw.from_native(each, eager_only=True) for each in (first, second)]
        joined = nw.concat(frames).to_native()
        return joined.reset_index(drop=True) if nw.dependencies.is_pandas_dataframe(joined) else joined
    return np.concatenate([first, second])


def read_case(row: Any, table: Any) -> Any:
    """Return one row as a table of the kind of `table`: given by position, by values, or as a table of one row."""
    if isinstance(row, int | np.integer) and not isinstance(row, bool):
        if not -len(table) <= row < len(table):
            raise ValueError(f"local: the table has {len(table):,} rows, so there is none at {row}")
        return take_rows(table, np.array([row % len(table)]))
    named = named_row(row)
    if is_frame(table):
        frame = nw.from_native(table, eager_only=True)
        if named is not None:
            return _named_case(named, frame)
        if not is_frame(row) or len(row) != 1:
            raise ValueError("local is one row: its position, a mapping of its values, or a frame such as X.iloc[[0]]")
        return nw.from_native(row, eager_only=True).select(frame.columns).to_native()
    values = np.array(row, dtype=table.dtype).reshape(1, -1) if named is None else None
    if values is None or values.shape[1] != table.shape[1]:
        raise ValueError(f"local is one row of {table.shape[1]} values, or its position in the table")
    return values


def _named_case(named: Mapping[str, Any], frame: nw.DataFrame[Any]) -> Any:
    missing: Sequence[str] = [name for name in frame.columns if name not in named]
    if missing:
        raise ValueError(f"local has no value for the column {missing[0]!r}: give None where a value is missing")
    # Made of the first row, so that columns keep their types.
    first = frame[:1]
    columns = [
        nw.new_series(name, [named[name]], first[name].dtype, backend=nw.get_native_namespace(frame))
        for name in frame.columns
    ]
    return frame.head(0).select(*columns).to_native() if not columns else first.with_columns(*columns).to_native()
