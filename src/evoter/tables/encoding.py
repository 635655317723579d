"""From a table to what evaluates rules on it: numbers for kernels, rows for the interpreter."""

import numpy as np
from numpy.typing import NDArray

from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import Value
from evoter.tables.columns import Column, distinct, read_numbers
from evoter.tables.sources import Table, open_table

UNKNOWN_CATEGORY = -1.0
"""The code of a category that the schema does not list: it is present, equals none and differs from all."""


def encode(X: object, schema: Schema) -> NDArray[np.float64]:
    """Return the features of a table as numbers, feature-major: shape (n_features, n_rows), C-contiguous.

    Missing values are NaN, truth values 0 and 1, categories their index in the schema's order, or -1 where the schema
    does not list them. Columns are matched by name, where the table has names, in any order and beside others, else
    by position; where the schema has fewer features, called x0, x1, ... as `infer_schema` does, by these numbers.

    >>> schema = Schema([Feature("size"), Feature("colour", Kind.CATEGORICAL, categories=("red", "blue"))], ["yes"])
    >>> encode([[1.5, "blue"], [None, "green"]], schema)
    array([[ 1.5,  nan],
           [ 1. , -1. ]])
    """
    return encode_table(open_table(X), schema)


def encode_table(table: Table, schema: Schema) -> NDArray[np.float64]:
    """Return the features of an open table as `encode` does."""
    encoded = np.empty((len(schema.features), table.n_rows), dtype=np.float64)
    for position, (column, feature) in enumerate(zip(table.matched(schema), schema.features, strict=True)):
        read = _codes if feature.kind is Kind.CATEGORICAL else read_numbers
        encoded[position] = read(column, feature)
    return encoded


def _codes(column: Column, feature: Feature) -> NDArray[np.float64]:
    readings, codes = distinct(column, feature)
    known = {category: float(code) for code, category in enumerate(feature.categories)}
    lookup = [np.nan if reading is None else known.get(str(reading), UNKNOWN_CATEGORY) for reading in readings]
    return np.array(lookup)[codes]


def rows(X: object, schema: Schema) -> list[dict[str, Value]]:
    """Return the rows of a table as the interpreter reads them: floats, names of categories, truth values, or None.

    >>> schema = Schema([Feature("size"), Feature("wild", Kind.BOOLEAN)], ["yes"])
    >>> rows(np.array([[1.5, 0], [np.nan, 1]]), schema)
    [{'size': 1.5, 'wild': False}, {'size': None, 'wild': True}]
    """
    table = open_table(X)
    result: list[dict[str, Value]] = [{} for _ in range(table.n_rows)]
    for column, feature in zip(table.matched(schema), schema.features, strict=True):
        for row, value in zip(result, _values(column, feature), strict=True):
            row[feature.name] = value
    return result


def _values(column: Column, feature: Feature) -> list[Value]:
    if feature.kind is Kind.CATEGORICAL:
        readings, codes = distinct(column, feature)
        return [readings[code] for code in codes.tolist()]
    numbers = read_numbers(column, feature).tolist()
    read = bool if feature.kind is Kind.BOOLEAN else float
    return [None if number != number else read(number) for number in numbers]
