"""Groups of rows by protected columns, such as women and men: categories as they are, numbers in bands."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.values import category_name, is_missing, plain_value
from evoter.tables.columns import number_cells
from evoter.tables.panel import Panel
from evoter.tables.sources import open_table

MAX_GROUPS = 12
"""The rarest of more groups are taken together."""

MAX_NUMBERS = 8
"""A column with more different numbers is divided into bands."""

N_BANDS = 4
"""Into how many bands of about equal size numbers are divided where nobody says otherwise."""

MISSING = "(missing)"

Bands = int | Sequence[float]
"""The number of bands of about equal size, or the numbers at which a band begins."""

Protected = str | Sequence[str] | Mapping[str, Sequence[Any]]
"""Names of columns, or values by name, one for each row; a data frame of such values will do as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of one column, or of several together: their names in order, and the group of each row."""

    column: str
    names: tuple[str, ...]
    codes: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each group."""
        return np.bincount(self.codes, minlength=len(self.names))


def read_protected(protected: Protected | None, X: Any) -> dict[str, Any]:
    """Return the values of protected columns by name: of columns of the table, or as they are given by name.

    >>> read_protected("sex", [{"sex": "f", "age": 36}, {"sex": "m", "age": 52}])
    {'sex': ['f', 'm']}
    """
    if protected is None:
        return {}
    if isinstance(protected, Mapping):
        return {str(name): values for name, values in protected.items()}
    if nw.dependencies.is_into_dataframe(protected):
        return read_protected(list(open_table(protected).names or ()), protected)
    if nw.dependencies.is_into_series(protected):
        series = nw.from_native(protected, series_only=True)
        return {str(series.name or "group"): series.to_list()}
    names = [protected] if isinstance(protected, str) else list(protected)
    table = None if isinstance(X, Panel) else open_table(X)
    known = () if table is None or table.names is None else table.names
    values = {}
    for name in names:
        if table is None or name not in known:
            raise SchemaError(
                f"protected: the rows have no column {name!r}{did_you_mean(str(name), known)}; give the values of each "
                f"row as protected={{{name!r}: [...]}}"
            )
        values[name] = table.load(known.index(name), name).cells
    return values


def read_groups(protected: Protected, X: Any, bands: Bands | Mapping[str, Bands] | None, n_rows: int) -> list[Groups]:
    """Return the groups of each protected column; `bands` are those of all numeric columns, or by name."""
    values = read_protected(protected, X)
    if not values:
        raise SchemaError("protected names no column: name one or more, such as protected=['sex']")
    for name in bands if isinstance(bands, Mapping) else ():
        if name not in values:
            raise SchemaError(f"bands: {name!r} is not a protected column{did_you_mean(str(name), list(values))}")
    found = [
        group_rows(name, cells, bands.get(name) if isinstance(bands, Mapping) else bands)
        for name, cells in values.items()
    ]
    for each in found:
        if len(each.codes) != n_rows:
            raise SchemaError(f"{each.column!r} has {len(each.codes)} values for {n_rows} rows: give one for each row")
    return found


def group_rows(column: str, values: Iterable[Any], bands: Bands | None = None) -> Groups:
    """Return the group of each row: its category, the band of its number, or that it is missing.

    Numbers are divided at quantiles if there are more than eight different ones, or where `bands` says.

    >>> group_rows("sex", ["f", "m", None]).names
    ('f', 'm', '(missing)')
    >>> group_rows("age", [18, 25, 31, 40, 52, 60, 71, 80]).names
    ('18', '25', '31', '40', '52', '60', '71', '80')
    >>> group_rows("age", [18, 25, 31, 40, 52, 60, 71, 80], [30, 60]).names
    ('under 30', '30 to under 60', '60 and over')
    """
    numbers = _numbers(values)
    if numbers is not None:
        present = numbers[~np.isnan(numbers)]
        if bands is not None and not isinstance(bands, int):
            return _banded(column, numbers, _checked_edges(column, bands))
        if (bands is not None and len(present)) or _are_many(present):
            return _quantiles(column, numbers, _checked_number(column, bands))
    elif bands is not None and not isinstance(bands, int):
        raise SchemaError(f"bands: {column!r} does not hold numbers only: leave its bands out")
    return _categories(column, values)


def intersect(groups: Sequence[Groups]) -> Groups:
    """Return the groups that several columns make together, those that occur.

    >>> sex, age = group_rows("sex", ["f", "m", "f"]), group_rows("age", ["old", "old", "young"])
    >>> intersect([sex, age]).names
    ('f & old', 'f & young', 'm & old')
    """
    joint = np.zeros(len(groups[0].codes), np.int64)
    for each in groups:
        joint = joint * len(each.names) + each.codes
    shape = tuple(len(each.names) for each in groups)
    occurs = np.bincount(joint, minlength=math.prod(shape)) > 0
    found, codes = np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[joint]
    parts = zip(*(part.tolist() for part in np.unravel_index(found, shape)), strict=True)
    names = [" & ".join(each.names[code] for each, code in zip(groups, part, strict=True)) for part in parts]
    return Groups(" & ".join(each.column for each in groups), tuple(names), codes)


def _numbers(values: Any) -> NDArray[np.float64] | None:
    """Return a column as numbers, NaN where they are missing; None if it holds anything else."""
    cells = values if isinstance(values, np.ndarray) else None
    if cells is not None and cells.dtype.kind in "iuf":
        return cells.astype(np.float64)
    if cells is not None and cells.dtype.kind == "b":
        return None
    if str in set(map(type, values)):
        return None
    plain = [None if is_missing(value) else plain_value(value) for value in values]
    types = {type(value) for value in plain} - {type(None)}
    if not types <= {int, float}:
        return None
    return np.array(plain, np.float64)


def _are_many(numbers: NDArray[np.float64]) -> bool:
    """Tell whether there are more different numbers than groups should have; the first rows mostly tell."""
    return len(np.unique(numbers[:1000])) > MAX_NUMBERS or len(np.unique(numbers)) > MAX_NUMBERS


def _categories(column: str, values: Any) -> Groups:
    to_list = getattr(values, "to_list", None) or getattr(values, "tolist", None)
    cells = list(values) if to_list is None else to_list()
    numbered = number_cells(cells)
    if numbered is None:
        seen: dict[tuple[type, Any], int] = {}  # Python's True equals 1, but is another category
        codes = np.array([seen.setdefault((type(cell), cell), len(seen)) for cell in cells], np.int64)
        named = [_category(cell) for _, cell in seen]
    else:
        codes = numbered[1].astype(np.int64)
        named = [_category(cell) for cell in numbered[0]]
    counts: Counter[str] = Counter()
    for name, count in zip(named, np.bincount(codes, minlength=len(named)).tolist(), strict=True):
        counts[name] += count
    kept = set(counts)
    if len(counts) > MAX_GROUPS:
        kept = {name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: MAX_GROUPS - 1]}
    others = f"({len(counts) - len(kept)} others)"
    final = [name if name in kept else others for name in named]
    names = sorted(set(final), key=lambda name: _position(name, counts[name]))
    places = np.array([names.index(name) for name in final], np.int64)
    return Groups(column, tuple(names), places[codes] if len(places) else codes)


def _category(cell: object) -> str:
    plain = plain_value(cell)
    return MISSING if is_missing(plain) else category_name(plain) or str(plain)


def _position(name: str, count: int) -> tuple[bool, float, int, str]:
    """Return what groups are sorted by: numbers by their value, others by size, those without a category last."""
    try:
        number = float(name)
    except ValueError:
        number = float("inf")
    return name.startswith("("), number, -count, name


def _checked_number(column: str, bands: Bands | None) -> int:
    number = N_BANDS if bands is None else bands
    if not isinstance(number, int) or isinstance(number, bool) or number < 2:
        raise SchemaError(f"bands of {column!r} must be 2 or more, or the numbers at which they begin, not {bands!r}")
    return number


def _checked_edges(column: str, bands: Sequence[float]) -> NDArray[np.float64]:
    edges = np.asarray(bands, np.float64)
    if edges.ndim != 1 or len(edges) == 0 or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
        raise SchemaError(f"bands of {column!r} must begin at one or more ascending numbers, got {bands!r}")
    return edges


def _banded(column: str, numbers: NDArray[np.float64], edges: NDArray[np.float64]) -> Groups:
    shown = [f"{edge:g}" for edge in edges]
    middle = [f"{low} to under {high}" for low, high in pairwise(shown)]
    return _with_missing(
        column,
        numbers,
        np.searchsorted(edges, numbers, side="right"),
        [f"under {shown[0]}", *middle, f"{shown[-1]} and over"],
    )


def _quantiles(column: str, numbers: NDArray[np.float64], n_bands: int) -> Groups:
    present = numbers[~np.isnan(numbers)]
    cuts = np.unique(np.quantile(present, np.arange(1, n_bands) / n_bands))
    bands = np.searchsorted(cuts, numbers, side="left")
    names = []
    for band in range(len(cuts) + 1):
        inside = numbers[bands == band]
        inside = inside[~np.isnan(inside)]  # missing values are behind all cuts
        low, high = (_shown(float(inside.min())), _shown(float(inside.max()))) if len(inside) else ("", "")
        names.append(low if low == high else f"{low} to {high}")
    return _with_missing(column, numbers, bands, names)


def _with_missing(column: str, numbers: NDArray[np.float64], bands: NDArray[np.intp], names: list[str]) -> Groups:
    """Return bands as groups, without those that no row is in."""
    codes = np.where(np.isnan(numbers), len(names), bands)
    occurs = np.bincount(codes, minlength=len(names) + 1) > 0
    found = [text for text, here in zip([*names, MISSING], occurs, strict=True) if here]
    return Groups(column, tuple(found), (np.cumsum(occurs) - 1)[codes])


def _shown(value: float) -> str:
    return f"{value:,.0f}" if 10_000 <= abs(value) < 1e10 else f"{value:.4g}"
