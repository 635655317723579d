"""Summaries of sites: kinds, ranges and categories of columns, and the schema that several of them agree on."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import combinations
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from evoter.federated.errors import FederationError, FederationWarning
from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.files.document import (
    Reader,
    at,
    read_choice,
    read_list,
    read_name,
    read_number,
    read_record,
    read_truth,
    read_whole,
    refuse,
)
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables.columns import Column, kind_of, read_numbers
from evoter.tables.intake.description import category_counts
from evoter.tables.intake.limits import MAX_CATEGORIES
from evoter.tables.sources import Table, column_positions

LABEL_KINDS: Final = ("boolean", "number", "text")
MAX_CLASSES: Final = 100
"""Among more classes than this, counts by class and action would be too many."""

_DIGITS: Final = 2
"""The significant digits of a range, in relation to its width, where small counts are suppressed."""

_WIDTHS: Final = 8.0
_MIDDLES: Final = 3.0
"""Ranges whose widths differ by more than the first factor, or whose middles by the second, may be in other units."""


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """What a site tells of a column: its kind, and its range or its categories, without any counts.

    `kind` is None where the site has no value. `zero_one` says that all numbers are 0 or 1.
    """

    name: str
    kind: Kind | None
    low: float | None = None
    high: float | None = None
    zero_one: bool = False
    missing: bool = False
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What a site tells of itself: its columns, the classes that it has, and how it protects its counts.

    Counts below `min_cell_count` are suppressed; `noisy` says that noise is added; `n_tables_left` is how many tables
    will be answered, where that is limited; `public_key` is there where counts are masked. `grouped` says that groups
    of rows are counted, so that nothing need be suppressed.
    """

    site: str
    columns: tuple[ColumnSummary, ...]
    classes: tuple[str, ...]
    label_kind: str
    min_cell_count: int = 1
    noisy: bool = False
    n_tables_left: int | None = None
    public_key: str = ""
    grouped: bool = False

    def tree(self) -> dict[str, object]:
        """Return the summary as JSON values."""
        tree: dict[str, object] = {each.name: getattr(self, each.name) for each in fields(self)}
        return tree | {"columns": [{f.name: getattr(c, f.name) for f in fields(c)} for c in self.columns]}

    @classmethod
    def read(cls, value: object, path: str) -> Self:
        """Read a summary from JSON values."""
        return read_record(value, path, cls, _SUMMARY, tuple(_SUMMARY))

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "classes", tuple(self.classes))
        if len({column.name for column in self.columns}) < len(self.columns):
            raise SchemaError("a summary has each column once")
        if len(self.classes) > MAX_CLASSES:
            raise SchemaError(f"a site must have at most {MAX_CLASSES} classes")


def summarise_column(column: Column, kind: Kind | None, *, least: int) -> ColumnSummary:
    """Describe a column of a kind; what fewer than `least` rows have is left out."""
    if kind is None:
        return ColumnSummary(column.name, None, missing=True)
    if kind is Kind.CATEGORICAL:
        counts = category_counts(column)
        n_missing = len(column.cells) - sum(counts.values())
        listed = tuple(sorted(name for name, n in counts.items() if n >= least))
        if len(listed) > MAX_CATEGORIES:
            raise SchemaError(
                f"the column {column.name!r} has {len(listed):,} different texts, and {MAX_CATEGORIES:,} are the most: "
                "leave it out with features=[...]"
            )
        return ColumnSummary(column.name, kind, missing=n_missing >= max(least, 1), categories=listed)
    numbers = read_numbers(column, Feature(column.name, kind))
    present = np.sort(numbers[~np.isnan(numbers)])
    missing = bool(numbers.size - present.size >= max(least, 1))
    if kind is Kind.BOOLEAN:
        return ColumnSummary(column.name, kind, missing=missing)
    if not np.isfinite(present).all():
        raise SchemaError(f"the column {column.name!r} holds infinite values: replace them by missing ones")
    if present.size < 2 * least - 1 or present.size == 0:
        return ColumnSummary(column.name, None, missing=missing)
    low, high = _range(present, least)
    zero_one = bool(np.isin(present, (0.0, 1.0)).all())
    return ColumnSummary(column.name, kind, low, high, zero_one, missing)


def _range(ascending: Floats, least: int) -> tuple[float, float]:
    """Return the ends of a range, each with `least` values at or beyond it and, where that is more than 1, rounded."""
    low, high = float(ascending[least - 1]), float(ascending[len(ascending) - least])
    if least == 1 or low == high or (low, high) == (0.0, 1.0):
        return low, high
    decimals = _DIGITS - 1 - int(np.floor(np.log10(high - low)))
    return round(low, decimals), round(high, decimals)


def kinds_of(
    table: Table, read: Sequence[str], categorical: Literal["auto"] | Iterable[str | int]
) -> dict[str, Kind | None]:
    """Return the kinds of the columns that rules may read; None where all values are missing."""
    names = table.names or ()
    positions = frozenset() if categorical == "auto" else column_positions(categorical, names)
    as_categories = {names[position] for position in positions}
    return {name: Kind.CATEGORICAL if name in as_categories else kind_of(table.column(name)) for name in read}


def summarise_columns(table: Table, kinds: Mapping[str, Kind | None], least: int) -> tuple[ColumnSummary, ...]:
    """Describe the columns of a table that rules may read."""
    return tuple(summarise_column(table.column(name), kind, least=least) for name, kind in kinds.items())


def agree_on_schema(summaries: Mapping[str, Summary]) -> Schema:
    """Return the schema of all sites; refuse columns that not all have, or that are not of one kind.

    Equal for any division of the same rows among sites that suppress nothing.
    """
    sites = [summaries[name] for name in sorted(summaries)]
    orders = {tuple(column.name for column in site.columns) for site in sites}
    everywhere = [{column.name: column for column in site.columns} for site in sites]
    names = next(iter(orders)) if len(orders) == 1 else tuple(sorted(set().union(*orders)))
    for site, own in zip(sites, everywhere, strict=True):
        lacking = [name for name in names if name not in own]
        if lacking:
            raise FederationError(
                f"site {site.site!r} lacks the column {lacking[0]!r} that others have ({len(lacking)} in all)"
                f"{did_you_mean(lacking[0], own)}: rename it there, or let all sites leave it out with features=[...]"
            )
    features = [_feature(name, {s.site: own[name] for s, own in zip(sites, everywhere, strict=True)}) for name in names]
    return Schema([feature for feature in features if feature is not None], agree_on_classes(sites))


def _feature(name: str, columns: Mapping[str, ColumnSummary]) -> Feature | None:
    """Return the feature that the columns of all sites are; None if no site has enough values."""
    kinds = {site: column.kind for site, column in columns.items() if column.kind is not None}
    if not kinds:
        return None
    if len(set(kinds.values())) > 1:
        (first, one), (second, other) = next(
            (pair, each) for pair in kinds.items() for each in kinds.items() if pair[1] is not each[1]
        )
        raise FederationError(
            f"the column {name!r} is {one} at site {first!r} and {other} at site {second!r}: convert it at one of them"
        )
    kind = next(iter(kinds.values()))
    known = [columns[site] for site in kinds]
    missing = any(column.missing for column in columns.values())
    if kind is Kind.BOOLEAN:
        return Feature(name, kind, missing=missing)
    _warn_of_differences(name, {site: columns[site] for site in kinds})
    if kind is Kind.CATEGORICAL:
        categories = tuple(sorted(set().union(*(column.categories for column in known))))
        return Feature(name, kind, categories=categories, missing=missing) if categories else None
    low = min(column.low for column in known if column.low is not None)
    high = max(column.high for column in known if column.high is not None)
    is_binary = all(column.zero_one for column in known) and (low, high) == (0.0, 1.0)
    return Feature(name, kind, low, high, missing=missing, step=1.0 if is_binary else None)


def _warn_of_differences(name: str, columns: Mapping[str, ColumnSummary]) -> None:
    """Warn where two sites have nothing in common: units and names of categories are a matter of habit."""
    for (first, one), (second, other) in combinations(columns.items(), 2):
        if one.categories and other.categories and not set(one.categories) & set(other.categories):
            what = f"no category in common, such as {one.categories[0]!r} and {other.categories[0]!r}"
        elif one.low is None or one.high is None or other.low is None or other.high is None:
            continue
        elif _may_differ_in_unit((one.low, one.high), (other.low, other.high)):
            ends = f"{one.low:g} to {one.high:g}", f"{other.low:g} to {other.high:g}"
            what = f"values from {ends[0]} and from {ends[1]}: do both use the same unit?"
        else:
            continue
        message = f"the column {name!r} has at the sites {first!r} and {second!r} {what}"
        warnings.warn(message, FederationWarning, stacklevel=6)
        return


def _may_differ_in_unit(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Tell whether two ranges have nothing in common but a factor, or are of very different widths."""
    widths, middles = (one[1] - one[0], other[1] - other[0]), (abs(sum(one)), abs(sum(other)))
    is_apart = one[0] > other[1] or other[0] > one[1]
    return max(widths) > _WIDTHS * min(widths) > 0.0 or (is_apart and max(middles) > _MIDDLES * min(middles))


def agree_on_classes(sites: Sequence[Summary]) -> tuple[str, ...]:
    """Return the classes of all sites in order."""
    kinds = {site.label_kind: site.site for site in sites if site.classes}
    if len(kinds) > 1:
        (one, first), (other, second) = list(kinds.items())[:2]
        raise FederationError(f"labels are {one} at site {first!r} and {other} at site {second!r}: convert one of them")
    names = set().union(*(site.classes for site in sites))
    for here, there in combinations([site for site in sites if site.classes], 2):
        if len(names) > 2 and not set(here.classes) & set(there.classes):
            warnings.warn(
                f"the sites {here.site!r} and {there.site!r} have no class in common, such as {here.classes[0]!r} and "
                f"{there.classes[0]!r}: are classes written alike everywhere?",
                FederationWarning,
                stacklevel=5,
            )
            break
    if len(names) < 2:
        raise FederationError(
            f"the sites have {len(names)} classes in sum, and two are needed: a class that has fewer rows than "
            "min_cell_count at every site is not told"
        )
    return tuple(sorted(names, key=_order(next(iter(kinds)))))


def class_labels(actions: Sequence[str], label_kind: str) -> NDArray[Any]:
    """Return the labels that actions stand for, of the type that the sites have.

    >>> class_labels(["0", "1"], "number"), class_labels(["false", "true"], "boolean")
    (array([0, 1]), array([False,  True]))
    """
    if label_kind == "boolean":
        return np.array([action == "true" for action in actions])
    if label_kind == "text":
        return np.array(actions)
    numbers = np.array([float(action) for action in actions])
    return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() else numbers


def _order(label_kind: str) -> Any:
    return float if label_kind == "number" else str


def _read_kind(value: object, path: str) -> Kind | None:
    return None if value is None else read_choice(value, path, Kind)


def _read_end(value: object, path: str) -> float | None:
    return None if value is None else read_number(value, path)


def _read_label_kind(value: object, path: str) -> str:
    if value not in LABEL_KINDS:
        refuse(value, path, f"one of {', '.join(LABEL_KINDS)}")
    return str(value)


def _read_tables(value: object, path: str) -> int | None:
    return None if value is None else read_whole(value, path, 0, 2**53)


def _read_key(value: object, path: str) -> str:
    return "" if value == "" else read_name(value, path)


def _read_column(value: object, path: str) -> ColumnSummary:
    column = read_record(value, path, ColumnSummary, _COLUMN, tuple(_COLUMN))
    if column.kind is not None:
        is_numeric = column.kind is Kind.NUMERIC
        if is_numeric != (column.low is not None and column.high is not None):
            refuse(value, path, "a column with a range if it is numeric, and without one if not")
        if (column.kind is Kind.CATEGORICAL and column.categories) or is_numeric:
            # Refuses what no feature can have, such as a range whose ends are exchanged.
            at(path, Feature, column.name, column.kind, column.low, column.high, categories=column.categories)
    return column


def _read_categories(value: object, path: str) -> tuple[str, ...]:
    categories = tuple(read_list(value, path, read_name))
    if len(categories) > MAX_CATEGORIES:
        refuse(value, path, f"a list of at most {MAX_CATEGORIES:,}")
    return categories


_COLUMN: Final[dict[str, Reader]] = {
    "name": read_name,
    "kind": _read_kind,
    "low": _read_end,
    "high": _read_end,
    "zero_one": read_truth,
    "missing": read_truth,
    "categories": _read_categories,
}
_SUMMARY: Final[dict[str, Reader]] = {
    "site": read_name,
    "columns": partial(read_list, reader=_read_column),
    "classes": partial(read_list, reader=read_name),
    "label_kind": _read_label_kind,
    "min_cell_count": partial(read_whole, low=1, high=2**53),
    "noisy": read_truth,
    "n_tables_left": _read_tables,
    "public_key": _read_key,
    "grouped": read_truth,
}
