"""Tables that users hand in: checked as scikit-learn does, and read as they are."""

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Schema
from evoter.rules.values import Row, Value
from evoter.tables import encode, rows
from evoter.tables.intake.kinds import ColumnConcern, ColumnWarning
from evoter.tables.sources import open_table
from evoter.tables.stored.batches import is_lazy
from evoter.tables.stored.table import StoredTable


def read_table(estimator: BaseEstimator, table: Any, *, reset: bool) -> Any:
    """Check a table against the estimator, and return it in the form in which it will be encoded.

    Frames, and arrays or lists that hold text or mixed values, keep them; plain numbers go through scikit-learn's own
    validation. Infinite numbers pass: a schema refuses them by name, and a rule can decide on them.
    """
    if isinstance(table, StoredTable):
        _check_stored(estimator, table, reset=reset)
        return table
    if is_frame(table):
        open_table(table)  # refuses empty frames and odd names
        validate_data(estimator, table, reset=reset, skip_check_array=True)
        return table
    if isinstance(table, np.ma.MaskedArray) or hasattr(table, "collect") or is_lazy(table):
        return open_table(table)  # refuses it and says what to pass instead
    if isinstance(table, list | tuple) and table and isinstance(table[0], Mapping):
        raise TypeError("X is a list of mappings, which is no table to scikit-learn: pass a frame, pandas.DataFrame(X)")
    if not _holds_text(table):
        return validate_data(estimator, table, reset=reset, dtype="numeric", ensure_all_finite=False)
    array = table if isinstance(table, np.ndarray) else np.array(table, dtype=object)
    if array.ndim == 2:
        _refuse_containers(array)
        validate_data(estimator, array, reset=reset, skip_check_array=True)
    return array


def is_frame(table: object) -> bool:
    """Tell whether a table is a data frame of pandas, polars or their kin."""
    return nw.dependencies.is_into_dataframe(table)


def keep_rows(table: Any, kept: NDArray[np.bool_]) -> Any:
    """Return a table, as `read_table` gives it, with some of its rows."""
    return take_rows(table, np.flatnonzero(kept))


def take_rows(table: Any, rows: Ints) -> Any:
    """Return a table, as `read_table` gives it, with some of its rows, given by position."""
    if isinstance(table, StoredTable):
        return table.take(rows)
    return nw.from_native(table, eager_only=True)[rows].to_native() if is_frame(table) else table[rows]


def _check_stored(estimator: BaseEstimator, table: StoredTable, *, reset: bool) -> None:
    """Remember the columns of a stored table, or compare them with those of the fit, as is done for frames."""
    if reset:
        estimator.n_features_in_ = len(table.names)
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
    elif list(table.names) != list(getattr(estimator, "feature_names_in_", table.names)):
        raise ValueError(
            f"the table has the columns {list(table.names)}, and the model was fitted on those named "
            f"{list(estimator.feature_names_in_)}: give it the same columns in the same order"
        )


def encode_used(table: Any, schema: Schema, used: Schema) -> Floats:
    """Encode the columns that a rule set reads, of a table with the columns of `schema`; the others are not read.

    A value other than 0 and 1 of a binary feature is read like any number, with a ColumnWarning: `x = 1` does not hold.
    """
    if not used.features:
        return np.empty((0, len(table)))
    columns = encode(_columns(table, schema, used), used)
    for feature, numbers in zip(used.features, columns, strict=True):
        if feature.is_binary:
            _warn_unless_binary(feature.name, numbers)
    return columns


def _warn_unless_binary(name: str, numbers: Floats) -> None:
    others = np.flatnonzero(~np.isnan(numbers) & (numbers != 0.0) & (numbers != 1.0))
    if others.size:
        finding = f"is {numbers[others[0]]:g} in row {others[0]}, but was only 0 or 1 in training"
        warnings.warn(ColumnWarning(name, ColumnConcern.BINARY, finding), stacklevel=4)


def rows_used(table: Any, schema: Schema, used: Schema) -> list[dict[str, Value]]:
    """Return the same columns as rows."""
    return rows(_columns(table, schema, used), used) if used.features else [{} for _ in range(len(table))]


def _columns(table: Any, schema: Schema, used: Schema) -> Any:
    """Choose columns by position; if training had no frame, the names of a frame do not matter."""
    chosen = columns_at(table, [schema.position(name) for name in used.names])
    if not is_frame(table):
        return chosen
    frame = nw.from_native(chosen, eager_only=True)
    return frame.rename(dict(zip(frame.columns, used.names, strict=True))).to_native()


def columns_at(table: Any, positions: Sequence[int]) -> Any:
    """Return some columns of a frame, a stored table or an array, given by position."""
    if isinstance(table, StoredTable):
        return table.select([table.names[position] for position in positions])
    if is_frame(table):
        return nw.from_native(table, eager_only=True)[:, list(positions)].to_native()
    return np.asarray(table)[:, list(positions)]


def named_row(row: object) -> Row | None:
    """Return a row that names its values, a mapping or a row of a pandas frame, as a mapping; else None."""
    if isinstance(row, Mapping):
        return row
    if nw.dependencies.is_pandas_series(row) and row.index.dtype.kind not in "iu":
        return dict(row.items())
    return None


def _holds_text(table: object) -> bool:
    if isinstance(table, np.ndarray):
        return table.dtype.kind in "OUT"
    if isinstance(table, list | tuple) and table and isinstance(table[0], list | tuple):
        return any(isinstance(value, str | bool) or value is None for row in table for value in _cells(row))
    return False


def _cells(row: object) -> Collection[object]:
    return row if isinstance(row, list | tuple) else ()


def _refuse_containers(array: NDArray[Any]) -> None:
    """Refuse cells that hold several values, which no column can mean."""
    if array.dtype != object:
        return
    for (row, column), cell in np.ndenumerate(array):
        if isinstance(cell, Collection) and not isinstance(cell, str | bytes):
            raise TypeError(
                f"every argument must be a string, a truth value or a number, but row {row} of column {column} holds "
                f"the {type(cell).__name__} {cell!r}: give each of its values a column"
            )
