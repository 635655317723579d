"""One view of a table, whatever library it comes from: names, a number of rows, and columns on demand."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Kind, Schema
from evoter.tables.coding import code_cells
from evoter.tables.columns import CodedCells, Column, refused_dates
from evoter.tables.intake.kinds import UnreadableColumnError
from evoter.tables.stored.table import StoredTable


@dataclass(frozen=True, slots=True)
class Table:
    """A table of `n_rows` rows; `names` is None where the source does not name its columns.

    Columns are read one by one, so one that nobody asks for may hold anything.
    """

    n_rows: int
    n_columns: int
    names: tuple[str, ...] | None
    load: Callable[[int, str], Column]

    def column(self, name: str) -> Column:
        """Return the column of that name."""
        return self.load((self.names or ()).index(name), name)

    def matched(self, schema: Schema) -> list[Column]:
        """Return the columns of the schema's features: by name where the table has names, else by position."""
        return [self.load(position, name) for position, name in zip(self.positions(schema), schema.names, strict=True)]

    def positions(self, schema: Schema) -> Sequence[int]:
        """Return the positions of these columns."""
        return self._positions_by_count(schema) if self.names is None else self._positions_by_name(schema, self.names)

    def _positions_by_count(self, schema: Schema) -> Sequence[int]:
        expected = len(schema.features)
        if self.n_columns != expected:
            numbered = {f"x{position}": position for position in range(self.n_columns)}  # as `infer_schema` calls them
            if all(name in numbered for name in schema.names):
                return [numbered[name] for name in schema.names]
            raise SchemaError(
                f"the table has {self.n_columns} columns without names, but the schema has {expected} features: pass "
                f"these features in the schema's order, or a frame with named columns"
            )
        return range(expected)

    def _positions_by_name(self, schema: Schema, names: Sequence[str]) -> Sequence[int]:
        positions = {name: position for position, name in enumerate(names)}
        missing = [name for name in schema.names if name not in positions]
        if missing:
            hints = [f"{name!r}{did_you_mean(name, names)}" for name in missing[:5]]
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise SchemaError(
                f"the table lacks {len(missing)} of the schema's features (rename columns or add them): "
                f"{', '.join(hints)}{more}"
            )
        return [positions[name] for name in schema.names]


def open_table(X: Any) -> Table:
    """Open a frame, a stored table, a two-dimensional array, a list of rows or a list of mappings."""
    if isinstance(X, StoredTable):
        table = Table(len(X), len(X.names), X.names, X.load)
    elif nw.dependencies.is_into_dataframe(X):
        table = _open_frame(X)
    elif nw.dependencies.is_into_series(X):
        raise _not_two_dimensional(f"a {type(X).__name__}", 1)
    elif isinstance(X, list | tuple) and X and all(isinstance(row, Mapping) for row in X):
        table = _open_mappings(X)
    else:
        table = _open_array(_as_array(X))
    shape = f"(shape=({table.n_rows}, {table.n_columns}))"
    if table.n_columns == 0:
        raise SchemaError(f"the table is empty: 0 feature(s) {shape} while a minimum of 1 is required.")
    if table.n_rows == 0:
        raise SchemaError(f"the table is empty: 0 sample(s) {shape} while a minimum of 1 is required.")
    return table


def name_columns(table: Table, feature_names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the columns: those of the table, those given for an array, or x0, x1, ..."""
    if feature_names is None:
        return table.names or tuple(f"x{position}" for position in range(table.n_columns))
    if table.names is not None:
        raise SchemaError("the table names its columns itself: rename them there instead of passing feature_names")
    if len(feature_names) != table.n_columns:
        raise SchemaError(f"{len(feature_names)} feature_names for a table of {table.n_columns} columns")
    return tuple(feature_names)


def column_positions(columns: Iterable[str | int], names: Sequence[str]) -> frozenset[int]:
    """Return the positions of the columns that the parameter `categorical` lists by name or position."""
    if isinstance(columns, str):
        raise SchemaError(f"categorical must be 'auto' or a list of columns, not {columns!r}: write [{columns!r}]")
    positions = set()
    for column in columns:
        if isinstance(column, str):
            if column not in names:
                raise SchemaError(f"categorical: the table has no column {column!r}{did_you_mean(column, names)}")
            positions.add(names.index(column))
        elif -len(names) <= column < len(names):
            positions.add(column % len(names))
        else:
            raise SchemaError(f"categorical: the table has {len(names)} columns, so there is none at {column}")
    return frozenset(positions)


def _open_frame(X: Any) -> Table:
    try:
        frame = nw.from_native(X, eager_only=True)
        names = list(frame.columns)
    except nw.exceptions.DuplicateError as error:
        raise SchemaError(f"the frame has several columns of the same name; rename them: {error}") from None
    odd = [name for name in names if not isinstance(name, str)]
    if odd and not all(isinstance(name, int) for name in names):
        raise SchemaError(f"the frame has the column name {odd[0]!r}, which is no text: X.columns = X.columns.map(str)")

    native = frame.to_native()
    matrix = _matrix(native)

    def load(position: int, name: str) -> Column:
        # By position within the row of names: pandas' whole-number labels are not positions. Narwhals lists all names
        # each time that it is asked for a column, which takes long where there are thousands.
        if matrix is not None:
            return Column(name, matrix[:, position])
        if nw.dependencies.is_pandas_like_dataframe(native):
            series = native.iloc[:, position]
            if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf":
                return Column(name, series.to_numpy())  # without a wrapper, which is slow to make
        elif nw.dependencies.is_polars_dataframe(native):
            series = native.to_series(position)
            if series.dtype.is_float() or series.dtype.is_integer():
                return Column(name, series.to_numpy())
        else:
            return frame_column(frame[:, position], name)
        return frame_column(nw.from_native(series, series_only=True), name)

    # Whole-number labels are what a frame has that was given no names.
    return Table(len(frame), len(names), None if odd else tuple(names), load)


def _matrix(native: Any) -> NDArray[np.float64] | None:
    """Return a pandas frame of doubles alone as an array, whose columns are taken in no time; None for any other."""
    if not nw.dependencies.is_pandas_dataframe(native) or not all(dtype == np.float64 for dtype in native.dtypes):
        return None
    matrix: NDArray[np.float64] = native.to_numpy()
    return matrix


def frame_column(series: "nw.Series[Any]", name: str) -> Column:
    """Return a series of a frame as a column; an UnreadableColumnError is raised if rules cannot read its type."""
    dtype = series.dtype
    if dtype.is_decimal():
        series = series.cast(nw.Float64)
    if dtype.is_numeric():
        return Column(name, series.to_numpy())
    if dtype.is_temporal():
        raise refused_dates(f"the column {name!r}", f"of type {dtype}")
    if dtype in (nw.Categorical, nw.Enum):
        return Column(name, _cells(series), Kind.CATEGORICAL, _declared_categories(series))
    if dtype == nw.Boolean:
        return Column(name, _cells(series), Kind.BOOLEAN)
    if dtype in (nw.String, nw.Object) or series.null_count() == len(series):
        return Column(name, _cells(series))
    native = series.to_native().dtype
    raise UnreadableColumnError(
        f"the column {name!r} has the unsupported type {native}: make it numbers, text or booleans",
        reason=f"holds {native}, which rules cannot read",
    )


def _cells(series: "nw.Series[Any]") -> list[Any] | CodedCells:
    coded = code_cells(series.to_native())
    return series.to_list() if coded is None else coded


def _declared_categories(series: "nw.Series[Any]") -> tuple[object, ...]:
    listed = getattr(getattr(series.to_native(), "cat", None), "categories", None)
    if listed is not None:  # pandas and its kin, which list the categories without an order as well
        return tuple(listed.tolist())
    return tuple(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else ()


def _open_mappings(mappings: Sequence[Mapping[object, object]]) -> Table:
    names = tuple(mappings[0])
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise SchemaError(f"rows[0] has the key {odd[0]!r}; the keys are names of features and must be text")

    def load(position: int, name: str) -> Column:
        key = names[position]
        absent = [number for number, row in enumerate(mappings) if key not in row]
        if absent:
            raise SchemaError(f"rows[{absent[0]}] has no value for {key!r}: use None for a missing value")
        return Column(name, [row[key] for row in mappings])

    return Table(len(mappings), len(names), tuple(str(name) for name in names), load)


def _as_array(X: object) -> NDArray[Any]:
    if hasattr(X, "toarray"):
        raise SchemaError("sparse matrices are not supported: pass X.toarray(), or a frame of the columns that matter")
    if isinstance(X, np.ma.MaskedArray):
        raise SchemaError("masked arrays are not supported: pass X.filled(np.nan)")
    if hasattr(X, "collect"):
        raise SchemaError(f"{type(X).__name__} is lazy: pass X.collect()")
    if isinstance(X, str | os.PathLike):
        raise SchemaError(f"{str(X)!r} is text, not a table: read the file first, such as with polars.read_parquet(X)")
    if isinstance(X, list | tuple):
        # As objects, because numpy would turn a list of numbers and texts into texts.
        try:
            return np.array(X, dtype=object)
        except ValueError as error:
            raise SchemaError(f"the rows are not of equal length: {error}") from None
    return np.asarray(X)


def _open_array(array: NDArray[Any]) -> Table:
    if array.ndim != 2:
        ragged = array.ndim == 1 and array.dtype == object and any(isinstance(row, list | tuple) for row in array)
        if ragged:
            raise SchemaError("the rows are not of equal length: every row needs a value, or None, for every feature")
        raise _not_two_dimensional("an array", array.ndim)
    kind = array.dtype.kind
    if kind in "Mm":
        raise refused_dates("the array", f"of type {array.dtype}")
    if kind == "c":
        raise SchemaError("Complex data not supported: pass the real and the imaginary part as two columns")
    if kind not in "biufOUT":
        raise SchemaError(f"the array has the unsupported type {array.dtype}: make it numbers, text or booleans")

    def load(position: int, name: str) -> Column:
        values = array[:, position]
        cells = values if kind in "biuf" else values.tolist()
        return Column(name, cells, from_text_array=kind in "UT", from_array=True)

    n_rows, n_columns = array.shape
    return Table(n_rows, n_columns, None, load)


def _not_two_dimensional(what: str, n_dimensions: int) -> SchemaError:
    return SchemaError(
        f"a table has two dimensions, rows and features, but X is {what} of {n_dimensions}. Reshape your data: "
        f"X.reshape(-1, 1) for a single feature, X.reshape(1, -1) for a single row"
    )
