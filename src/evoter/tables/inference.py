"""From a table to a schema: the kind, the range or the categories of every column."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import category_name, plain_value
from evoter.tables.columns import Column, distinct, kind_of, read_numbers
from evoter.tables.sources import Table, open_table

MAX_CATEGORIES = 1_000
"""A text column with more distinct values is no category; rules about single ones of them would say nothing."""

MIN_VALUES_TO_JUDGE = 50
NEARLY_UNIQUE = 0.9
"""A text column of enough values, nine tenths of them distinct, is taken for an identifier or free text."""


def infer_schema(
    X: object,
    *,
    actions: Iterable[object],
    feature_names: Sequence[str] | None = None,
    categorical: Literal["auto"] | Iterable[str | int] = "auto",
    scaled: bool = False,
    max_lag: int = 0,
) -> Schema:
    """Infer the schema of a table: a numpy array, a list of rows, or a frame of pandas, polars or their kin.

    Numbers become numeric features with the smallest and largest value as their range, truth values boolean ones,
    text and categorical types categorical ones. Columns that hold numbers but mean categories are listed, by name or
    position, in `categorical`. Categories are in the order that a categorical type declares, else sorted. A feature
    may be missing where a value is. Constant columns are kept. Columns of an array are called x0, x1, ... unless
    `feature_names` says otherwise.

    >>> table = [[5.1, "red", True], [4.9, "blue", False], [None, "red", True]]
    >>> schema = infer_schema(table, actions=["yes", "no"], feature_names=["length", "colour", "wild"])
    >>> [str(feature.kind) for feature in schema.features], schema.feature("colour").categories
    (['numeric', 'categorical', 'boolean'], ('blue', 'red'))
    >>> schema.feature("length").bounds, schema.feature("length").missing
    ((4.9, 5.1), True)

    Raises
    ------
    SchemaError
        If a column holds dates, values of several kinds, infinite numbers, or text that cannot be a category.
    """
    table = open_table(X)
    names = _feature_names(table, feature_names)
    as_categories = frozenset() if categorical == "auto" else _positions(categorical, names)
    features = []
    for place, name in enumerate(names):
        column = table.load(place, name)
        kind = Kind.CATEGORICAL if place in as_categories else _detected_kind(column)
        if kind is Kind.CATEGORICAL:
            features.append(_categorical_feature(column, asked_for=place in as_categories))
        else:
            features.append(_numeric_or_boolean_feature(column, kind, scaled=scaled))
    return Schema(features, [_action_name(action) for action in actions], max_lag)


def _feature_names(table: Table, feature_names: Sequence[str] | None) -> tuple[str, ...]:
    if feature_names is None:
        return table.names or tuple(f"x{place}" for place in range(table.n_columns))
    if table.names is not None:
        raise SchemaError("the table names its columns itself: rename them there instead of passing feature_names")
    if len(feature_names) != table.n_columns:
        raise SchemaError(f"{len(feature_names)} feature_names for a table of {table.n_columns} columns")
    return tuple(feature_names)


def _positions(columns: Iterable[str | int], names: tuple[str, ...]) -> frozenset[int]:
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


def _detected_kind(column: Column) -> Kind:
    kind = kind_of(column)
    if kind is None:
        raise SchemaError(
            f"the column {column.name!r} has no values at all, so its kind is unknown: drop it or give it a type"
        )
    return kind


def _numeric_or_boolean_feature(column: Column, kind: Kind, *, scaled: bool) -> Feature:
    numbers = read_numbers(column, Feature(column.name, kind))
    present = numbers[~np.isnan(numbers)]
    missing = present.size < numbers.size
    if kind is Kind.BOOLEAN or present.size == 0:
        return Feature(column.name, kind, missing=missing)
    if np.isinf(present).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise SchemaError(
            f"row {row} of the column {column.name!r} is {numbers[row]}, which gives the feature no range: replace "
            f"infinite values by NaN (missing) or by a large number"
        )
    return Feature(column.name, kind, float(present.min()), float(present.max()), scaled=scaled, missing=missing)


def _categorical_feature(column: Column, *, asked_for: bool) -> Feature:
    declared = [_declared_name(category, column) for category in column.categories]
    # Reading a value needs a feature of its kind, whose categories do not matter.
    readings, codes = distinct(column, Feature(column.name, Kind.CATEGORICAL, categories=("any",)))
    gaps = [place for place, reading in enumerate(readings) if reading is None]
    n_missing = int(np.isin(codes, gaps).sum())
    if not declared:
        seen = dict.fromkeys(str(reading) for reading in readings if reading is not None)
        # Numbers are in ascending order already, which as texts they would lose.
        categories = list(seen) if isinstance(column.cells, np.ndarray) else sorted(seen)
        _refuse_odd_text(column, categories)
        if not asked_for:
            _refuse_numbers_as_text(column, categories)
            _refuse_free_text(column, categories, n_present=len(codes) - n_missing)
    return Feature(column.name, Kind.CATEGORICAL, categories=tuple(declared or categories), missing=n_missing > 0)


def _declared_name(category: object, column: Column) -> str:
    name = category_name(plain_value(category))
    if name is None:
        raise SchemaError(
            f"the column {column.name!r} has the category {category!r}, which is neither text nor a number: "
            f"rename its categories to text"
        )
    return name


def _refuse_odd_text(column: Column, categories: Sequence[str]) -> None:
    if not categories:
        raise SchemaError(f"the column {column.name!r} has no values at all, so it has no categories: drop it")
    for category in categories:
        if not category.strip():
            raise SchemaError(
                f"the column {column.name!r} holds the empty text {category!r}: replace it by a missing value (None)"
            )
        if category != category.strip():
            raise SchemaError(
                f"the column {column.name!r} holds {category!r} with spaces around it: strip them from the table first"
            )


def _refuse_numbers_as_text(column: Column, categories: Sequence[str]) -> None:
    if column.from_text_array and all(_is_number(category) for category in categories):
        raise SchemaError(
            f"the column {column.name!r} of the text array holds numbers as text, such as {categories[0]!r}: pass a "
            f"frame or an object array to keep numbers and text apart, or name it in categorical=[...]"
        )


def _refuse_free_text(column: Column, categories: Sequence[str], *, n_present: int) -> None:
    n_distinct = len(categories)
    nearly_unique = n_present >= MIN_VALUES_TO_JUDGE and n_distinct > NEARLY_UNIQUE * n_present
    if n_distinct > MAX_CATEGORIES or nearly_unique:
        raise SchemaError(
            f"the column {column.name!r} has {n_distinct} distinct texts in {n_present} rows, such as "
            f"{categories[0]!r}, and looks like an identifier, free text or numbers as text: drop it, group its values "
            f"or convert them, or name it in categorical=[...] to keep it"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _action_name(action: object) -> str:
    name = category_name(plain_value(action))
    if name is None:
        raise SchemaError(f"an action must be text, a number or a truth value, not {type(action).__name__} {action!r}")
    return name
