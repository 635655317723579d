"""From a table to a schema: the kind, the range or the categories of every column."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import category_name, plain_value
from evoter.tables.columns import Column, any_category, declared_categories, distinct, read_numbers
from evoter.tables.intake.description import describe_column, is_free_text
from evoter.tables.intake.kinds import ColumnConcern, ColumnKind, ColumnReport, ColumnWarning
from evoter.tables.intake.limits import MAX_CATEGORIES
from evoter.tables.sources import column_positions, name_columns, open_table


def infer_schema(
    X: object,
    *,
    actions: Iterable[object],
    feature_names: Sequence[str] | None = None,
    categorical: Literal["auto"] | Iterable[str | int] = "auto",
    units: Mapping[str, str] | None = None,
    scaled: bool = False,
    max_lag: int = 0,
    zero_one_as_boolean: bool = False,
) -> Schema:
    """Infer the schema of a table: a numpy array, a list of rows, or a frame of pandas, polars or similar.

    Numbers become numeric features with the smallest and largest value as their range, truth values boolean ones,
    text and categorical types categorical ones. A column of the numbers 0 and 1 becomes a binary feature. Columns that
    hold numbers but mean categories are listed, by name or position, in `categorical`; `units` gives some numeric
    columns a unit by name. Categories are in the order that a categorical type declares, else sorted. A feature
    may be missing where a value is. Constant columns are kept. Columns of an array are called x0, x1, ... unless
    `feature_names` says otherwise. With `zero_one_as_boolean`, columns of the numbers 0 and 1 become boolean, as
    `evoter fit` reads them from text files.

    Columns are judged as `evoter fit` judges them (see `evoter.tables.describe_columns`). All columns of the table are
    read, so where the command line would leave one out or warn about it, there is a ColumnWarning, or an error if rules
    cannot read it: too many different texts, for example, are not categories unless `categorical` says so.

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

    Warns
    -----
    ColumnWarning
        If a column looks like an identifier, holds dates as text, or has categories that may be misspelt.
    """
    table = open_table(X)
    names = name_columns(table, feature_names)
    as_categories = frozenset() if categorical == "auto" else column_positions(categorical, names)
    features = []
    for position, name in enumerate(names):
        column, asked_for = table.load(position, name), position in as_categories
        report = describe_column(column, as_category=asked_for, zero_one_as_boolean=zero_one_as_boolean)
        if report.read_as is None:
            raise SchemaError(
                f"the column {name!r} has no values at all, so its kind is unknown: drop it or give it a type"
            )
        if report.read_as is Kind.CATEGORICAL:
            features.append(_categorical_feature(column, report, asked_for=asked_for))
        else:
            features.append(_numeric_or_boolean_feature(column, report, scaled=scaled))
        for warning in _warnings(report):
            warnings.warn(warning, stacklevel=2)
    return Schema(_with_units(features, units or {}), [_action_name(action) for action in actions], max_lag)


def _with_units(features: Sequence[Feature], units: Mapping[str, str]) -> list[Feature]:
    names = [feature.name for feature in features]
    for name in units:
        if name not in names:
            raise SchemaError(f"units: the table has no column {name!r}{did_you_mean(str(name), names)}")
    return [replace(feature, unit=units[feature.name]) if feature.name in units else feature for feature in features]


def _warnings(report: ColumnReport) -> Iterator[ColumnWarning]:
    """Yield the warnings about a column, also for the reason why the command line would leave it out.

    Columns that are empty or always the same are harmless: no rule can make anything of them.
    """
    yield from report.warnings
    if report.kind is ColumnKind.IDENTIFIER:
        finding = f"looks like an identifier: {report.reason}"
        if report.n_distinct is not None and report.n_distinct < report.n_rows - report.n_missing:
            finding += ", which belong on the same side of a split into training and test rows"
        yield ColumnWarning(report.name, ColumnConcern.IDENTIFIER, finding)
    if report.kind is ColumnKind.DATE:
        finding = f"holds dates as text, such as {report.examples[0]!r}, which are read as categories"
        yield ColumnWarning(report.name, ColumnConcern.DATES, finding)


def _numeric_or_boolean_feature(column: Column, report: ColumnReport, *, scaled: bool) -> Feature:
    kind = report.read_as or Kind.NUMERIC
    missing = report.n_missing > 0
    if kind is Kind.BOOLEAN:
        read_numbers(column, Feature(column.name, kind))  # refuses values that are not boolean
        return Feature(column.name, kind, missing=missing)
    if report.low is None or report.high is None:
        return Feature(column.name, kind, missing=missing)
    if report.infinite_row is not None:
        value = read_numbers(column, Feature(column.name, kind))[report.infinite_row]
        raise SchemaError(
            f"row {report.infinite_row} of the column {column.name!r} is {value}, which gives the feature no range: "
            f"replace infinite values by NaN (missing) or by a large number"
        )
    # Whole numbers are counted: two of them from 0 to 1 are 0 and 1.
    is_binary = (report.low, report.high, report.n_distinct) == (0.0, 1.0, 2)
    step = 1.0 if is_binary else None
    return Feature(column.name, kind, report.low, report.high, scaled=scaled, missing=missing, step=step)


def _categorical_feature(column: Column, report: ColumnReport, *, asked_for: bool) -> Feature:
    missing = report.n_missing > 0
    if declared := declared_categories(column):
        return Feature(column.name, Kind.CATEGORICAL, categories=declared, missing=missing)
    readings, _ = distinct(column, any_category(column.name))
    seen = dict.fromkeys(str(reading) for reading in readings if reading is not None)
    # Numbers are in ascending order already, which as texts they would lose.
    categories = list(seen) if isinstance(column.cells, np.ndarray) else sorted(seen)
    _refuse_odd_text(column, categories)
    if not asked_for:
        _refuse_numbers_as_text(column, categories)
        _refuse_free_text(column, report, categories[0])
    return Feature(column.name, Kind.CATEGORICAL, categories=tuple(categories), missing=missing)


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


def _refuse_free_text(column: Column, report: ColumnReport, example: str) -> None:
    if column.kind is Kind.CATEGORICAL or not is_free_text(report):
        return
    n_distinct, n_present = report.n_distinct or 0, report.n_rows - report.n_missing
    most = f", more than the {MAX_CATEGORIES:,} that a feature may have" if n_distinct > MAX_CATEGORIES else ""
    raise SchemaError(
        f"the column {column.name!r} has {n_distinct} distinct texts in {n_present} rows{most}, such as {example!r}, "
        f"and looks like an identifier, free text or numbers as text: drop it, group its values or convert them, or "
        f"name it in categorical=[...] to keep it"
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
