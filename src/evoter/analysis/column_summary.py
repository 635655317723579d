"""Summaries of the columns of a table: kinds, ranges, categories and missing values, and a fingerprint of all of it."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import category_name, plain_value
from evoter.tables import Panel
from evoter.tables.columns import Column, distinct, kind_of, read_numbers
from evoter.tables.sources import open_table


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column: its kind, or None where rules cannot read it, how many values it has and lacks, and what they are.

    Numbers have `low`, `median` and `high`; other kinds `counts` of values, the most frequent first. `outside` counts
    the values that are outside the schema of a rule set: out of range, or not one of its categories.
    """

    name: str
    kind: Kind | None
    n_values: int
    n_missing: int
    low: float | None = None
    median: float | None = None
    high: float | None = None
    counts: tuple[tuple[str, int], ...] = ()
    outside: int | None = None


def summarise(X: Any, schema: Schema) -> list[ColumnSummary]:
    """Summarise every column of a table, or every channel of a panel; features are read as the schema declares them.

    >>> schema = Schema([Feature("size", low=0, high=2)], ["yes"])
    >>> for column in summarise([{"size": 1.5, "colour": "red"}, {"size": 3.0, "colour": None}], schema):
    ...     print(column.name, column.kind, column.low, column.high, column.n_missing, column.outside)
    size numeric 1.5 3.0 0 1
    colour categorical None None 1 None
    """
    return [_summary(column, known) for column, known in _columns(X, schema)]


def _columns(X: Any, schema: Schema) -> Iterator[tuple[Column, Feature | None]]:
    if isinstance(X, Panel):
        for name, numbers in zip(X.names, X.observations(), strict=True):
            yield Column(name, numbers), schema.feature(name) if name in schema else None
        return
    table = open_table(X)
    if table.names is None and table.n_columns == len(schema.features):
        names = schema.names
    else:
        names = table.names or tuple(f"x{index}" for index in range(table.n_columns))
    for index, name in enumerate(names):
        known = schema.feature(name) if name in schema else None
        try:
            yield table.load(index, name), known
        except SchemaError:
            yield Column(name, [None] * table.n_rows), None


def _summary(column: Column, known: Feature | None) -> ColumnSummary:
    try:
        kind = kind_of(column) if known is None else known.kind
        return ColumnSummary(column.name, None, 0, 0) if kind is None else _read(column, kind, known)
    except SchemaError:  # dates, mixed values, or values that the schema does not allow
        return ColumnSummary(column.name, None, 0, 0)


def _read(column: Column, kind: Kind, known: Feature | None) -> ColumnSummary:
    if kind is Kind.NUMERIC:
        return _numbers(column, known)
    any_category = ("any",) if kind is Kind.CATEGORICAL else ()
    readings, codes = distinct(column, Feature(column.name, kind, categories=any_category))
    sizes = np.bincount(codes, minlength=len(readings)).tolist()
    counts: Counter[str] = Counter()
    for reading, size in zip(readings, sizes, strict=True):
        if reading is not None:
            counts[category_name(reading) or ""] += size
    n_values = counts.total()
    outside = None
    if known is not None and kind is Kind.CATEGORICAL:
        outside = sum(size for category, size in counts.items() if not known.has_category(category))
    ordered = tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return ColumnSummary(column.name, kind, n_values, len(codes) - n_values, counts=ordered, outside=outside)


def _numbers(column: Column, known: Feature | None) -> ColumnSummary:
    numbers = read_numbers(column, Feature(column.name))
    present = numbers[~np.isnan(numbers)]
    n_missing = len(numbers) - len(present)
    if present.size == 0:
        return ColumnSummary(column.name, Kind.NUMERIC, 0, n_missing)
    outside = None
    if known is not None and not known.low is known.high is None:
        low, high = known.bounds
        outside = int(((present < low) | (present > high)).sum())
    # Halves, because the sum of two numbers in the middle may be beyond all floats.
    ends = float(present.min()), 2 * float(np.median(present / 2)), float(present.max())
    return ColumnSummary(column.name, Kind.NUMERIC, len(present), n_missing, *ends, outside=outside)


def fingerprint(X: Any, y: Any = None) -> str:
    """Return the SHA-256 of the columns that rules can read, by name and value, and of the labels.

    It is the same whatever library holds the table, and differs when a value, a label or the order of rows does.

    >>> fingerprint([{"size": 1}]) == fingerprint([{"size": 1.0}]) != fingerprint([{"size": 2}])
    True
    """
    digest = hashlib.sha256()
    for column, _ in _columns(X, Schema([], ["any"])):
        digest.update(json.dumps(column.name).encode() + b"\n")
        digest.update(_bytes(column))
    if isinstance(X, Panel):
        digest.update(np.stack([X.lengths, X.firsts], axis=1).astype("<i8").tobytes())
    if y is not None:
        labels = [category_name(plain_value(label)) or str(label) for label in y]
        digest.update(b"labels\n" + json.dumps(labels).encode())
    return digest.hexdigest()


def _bytes(column: Column) -> bytes:
    try:
        kind = kind_of(column)
    except SchemaError:
        return b"?"
    if kind is Kind.NUMERIC:
        numbers = read_numbers(column, Feature(column.name)) + 0.0  # -0 equals 0
        return np.where(np.isnan(numbers), np.nan, numbers).astype("<f8").tobytes()
    if kind is None:
        return b"?"
    any_category = ("any",) if kind is Kind.CATEGORICAL else ()
    readings, codes = distinct(column, Feature(column.name, kind, categories=any_category))
    return json.dumps([readings[code] for code in codes.tolist()]).encode()
