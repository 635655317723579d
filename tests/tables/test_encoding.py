"""Tables as numbers and as rows: the two views agree, whatever library the table comes from."""

from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide_table, holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import encode, infer_schema, rows
from strategies import Row, conditions, rulesets, schemas
from strategies import rows as random_rows

SCHEMA = Schema(
    [
        Feature("size", low=0, high=9, missing=True),
        Feature("colour", Kind.CATEGORICAL, categories=("red", "blue")),
        Feature("wild", Kind.BOOLEAN),
    ],
    actions=["yes", "no"],
)
TABLE: list[Row] = [
    {"size": 1.5, "colour": "blue", "wild": True},
    {"size": None, "colour": "green", "wild": None},
    {"size": float("inf"), "colour": None, "wild": False},
]
ENCODED = np.array([[1.5, np.nan, np.inf], [1, -1, np.nan], [1, np.nan, 0]])


def polars_frame(table: list[Row], schema: Schema) -> pl.DataFrame:
    types: dict[Kind, Any] = {Kind.NUMERIC: pl.Float64, Kind.CATEGORICAL: pl.String, Kind.BOOLEAN: pl.Boolean}
    return pl.DataFrame(
        [pl.Series(f.name, [row[f.name] for row in table], dtype=types[f.kind]) for f in schema.features]
    )


def pandas_frame(table: list[Row], schema: Schema, types: dict[Kind, str]) -> pd.DataFrame:
    columns = [pd.Series([row[f.name] for row in table], dtype=types[f.kind], name=f.name) for f in schema.features]
    return pd.concat(columns, axis=1)


SOURCES: dict[str, Callable[[list[Row], Schema], object]] = {
    "mappings": lambda table, schema: table,
    "lists": lambda table, schema: [[row[name] for name in schema.names] for row in table],
    "objects": lambda table, schema: np.array([[row[name] for name in schema.names] for row in table], dtype=object),
    "pandas objects": lambda table, schema: pandas_frame(table, schema, dict.fromkeys(Kind, "object")),
    "pandas": lambda table, schema: pandas_frame(
        table, schema, {Kind.NUMERIC: "float64", Kind.CATEGORICAL: "str", Kind.BOOLEAN: "boolean"}
    ),
    "pandas nullable": lambda table, schema: pandas_frame(
        table, schema, {Kind.NUMERIC: "Float64", Kind.CATEGORICAL: "category", Kind.BOOLEAN: "object"}
    ),
    "polars": polars_frame,
    "polars categorical": lambda table, schema: polars_frame(table, schema).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "narwhals": lambda table, schema: nw.from_native(polars_frame(table, schema)),
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_same_numbers_and_rows(source: str) -> None:
    table = SOURCES[source](TABLE, SCHEMA)
    encoded = encode(table, SCHEMA)
    np.testing.assert_array_equal(encoded, ENCODED)
    assert encoded.dtype == np.float64
    assert encoded.flags.c_contiguous
    assert rows(table, SCHEMA) == TABLE


def test_numbers_stand_for_categories_and_truth_values() -> None:
    schema = Schema(
        [Feature("grade", Kind.CATEGORICAL, categories=("2", "1", "true")), Feature("wild", Kind.BOOLEAN)], ["yes"]
    )
    grades: list[Any] = [1, 2.0, 7, 2.5, None]
    wild = [0, 1.0, True, None, False]
    expected = [[1, 0, -1, -1, np.nan], [0, 1, 1, np.nan, 0]]
    numbers = np.array([grades, wild], dtype=float).T
    for table in (numbers, list(zip(grades, wild, strict=True)), pd.DataFrame({"wild": wild, "grade": grades})):
        np.testing.assert_array_equal(encode(table, schema), expected)
    assert [row["grade"] for row in rows(numbers, schema)] == ["1", "2", "7", "2.5", None]
    truths = pd.DataFrame({"grade": [True, False], "wild": [True, False]})
    np.testing.assert_array_equal(encode(truths, schema), [[2, -1], [1, 0]])
    mixed = pd.DataFrame({"grade": pd.Series([1, True], dtype=object), "wild": [1, 0]})
    np.testing.assert_array_equal(encode(mixed, schema), [[1, 2], [1, 0]])


def test_truth_values_stand_for_numbers() -> None:
    schema = Schema([Feature("x")], ["yes"])
    np.testing.assert_array_equal(encode(np.array([[True], [False]]), schema), [[1, 0]])
    np.testing.assert_array_equal(encode([[True], [0.5]], schema), [[1, 0.5]])


def test_a_schema_without_features() -> None:
    schema = Schema([], ["yes"])
    frame = pd.DataFrame({"a": [1, 2]})
    assert encode(frame, schema).shape == (0, 2)
    assert rows(frame, schema) == [{}, {}]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (
            "size",
            "tall",
            "row 1 of the column 'size': the feature 'size' is numeric and takes a number, not str 'tall'",
        ),
        ("size", [1], "row 1 of the column 'size': .* not list"),
        ("colour", (1, [2]), "row 1 of the column 'colour': .* takes a category, not tuple"),
        ("wild", "yes", "row 1 of the column 'wild': .* takes true or false, not str 'yes'"),
        ("wild", 2, "row 1 of the column 'wild': .* takes true or false, not int 2"),
    ],
)
def test_values_of_the_wrong_type_are_refused(column: str, value: object, message: str) -> None:
    table = [TABLE[0], {**TABLE[0], column: value}]
    for view in (encode, rows):
        with pytest.raises(SchemaError, match=message):
            view(table, SCHEMA)


def test_numbers_that_are_no_truth_values_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"row 1 of the column 'wild': .* not float64 .*0.5"):
        encode(np.array([[1.0], [0.5]]), Schema([Feature("wild", Kind.BOOLEAN)], ["yes"]))


def test_a_table_is_not_changed_and_not_shared() -> None:
    table = np.array([[1.0], [2.0]])
    encoded = encode(table, Schema([Feature("x")], ["yes"]))
    encoded[:] = 0
    assert table.tolist() == [[1.0], [2.0]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Row], Schema]:
    """Rows of a random schema; some categories are unknown to it."""
    schema = draw(schemas())
    table = draw(st.lists(random_rows(schema), min_size=1, max_size=5))
    for feature in schema.features:
        if feature.kind is Kind.CATEGORICAL and draw(st.booleans()):
            table[0] = {**table[0], feature.name: "never heard of"}
    return table, schema


def holds_encoded(condition: Condition, encoded: np.ndarray[Any, np.dtype[np.float64]], schema: Schema) -> list[bool]:
    """Evaluate a condition without lags and arithmetic on encoded features, as a kernel would."""
    feature = schema.feature(condition.left.feature)
    left = encoded[schema.position(feature.name)]
    if condition.operator.tests_missing:
        return list(np.isnan(left) == (condition.operator is Operator.IS_MISSING))
    right: Any = condition.right
    if isinstance(right, tuple):
        inside = np.isin(left, [feature.categories.index(category) for category in right])
        return list(~np.isnan(left) & (inside == (condition.operator is Operator.IN)))
    if isinstance(right, Term):
        right = encoded[schema.position(right.feature)]
    elif isinstance(right, tuple):
        among = np.isin(left, [feature.categories.index(each) for each in right])
        return list(among if condition.operator is Operator.IN else ~among & ~np.isnan(left))
    elif feature.kind is Kind.CATEGORICAL:
        right = feature.categories.index(right)
    compare = {"=": np.equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
    if condition.operator is Operator.NE:
        return list((left < right) | (left > right))
    return list(compare[condition.operator](left, right))


@given(st.data(), st.sampled_from(sorted(SOURCES)))
def test_rows_and_numbers_agree(data: st.DataObject, source: str) -> None:
    table, schema = data.draw(tables())
    view = SOURCES[source](table, schema)
    assert rows(view, schema) == table
    raw = Schema([Feature(f.name, f.kind, categories=f.categories) for f in schema.features], schema.actions)
    drawn = data.draw(conditions(raw))
    right = Term(drawn.right.feature) if isinstance(drawn.right, Term) else drawn.right
    condition = Condition(Term(drawn.left.feature), drawn.operator, right)
    assert holds_encoded(condition, encode(view, raw), raw) == [holds(condition, [row], raw) for row in table]


@given(st.data(), st.sampled_from(sorted(SOURCES)))
def test_decisions_do_not_depend_on_the_source(data: st.DataObject, source: str) -> None:
    table, schema = data.draw(tables())
    ruleset = data.draw(rulesets(schema))
    assert decide_table(ruleset, rows(SOURCES[source](table, schema), schema)) == decide_table(ruleset, table)


@given(st.data(), st.sampled_from(["pandas", "polars", "pandas objects"]))
def test_an_inferred_schema_covers_its_table(data: st.DataObject, source: str) -> None:
    table, schema = data.draw(tables())
    for feature in schema.features:  # a column without any value has no kind
        if feature.kind is not Kind.NUMERIC or source == "pandas objects":
            table = [row for row in table if row[feature.name] is not None]
    if not table:
        return
    view = SOURCES[source](table, schema)
    inferred = infer_schema(view, actions=schema.actions)
    assert [(f.name, f.kind) for f in inferred.features] == [(f.name, f.kind) for f in schema.features]
    for feature, values in zip(inferred.features, encode(view, inferred), strict=True):
        present = values[~np.isnan(values)]
        low, high = feature.bounds
        assert feature.missing == bool(np.isnan(values).any())
        assert feature.kind is not Kind.NUMERIC or all((low <= present) & (present <= high))
        assert feature.kind is not Kind.CATEGORICAL or sorted(set(present)) == list(range(len(feature.categories)))
