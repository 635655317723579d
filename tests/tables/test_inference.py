"""From tables of every library to schemas, and what is refused on the way."""

import datetime
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import infer_schema


def infer(table: object, **options: Any) -> Schema:
    return infer_schema(table, actions=["yes", "no"], **options)


def one(column: object, **options: Any) -> Feature:
    """Infer the feature of a single column: a pandas or polars series, or a list."""
    if isinstance(column, pl.Series):
        return infer(pl.DataFrame({"c": column}), **options).features[0]
    return infer(pd.DataFrame({"c": column}), **options).features[0]


def numeric(low: float | None, high: float | None, *, missing: bool = False) -> Feature:
    return Feature("c", Kind.NUMERIC, low, high, missing=missing)


def categorical(*categories: str, missing: bool = False) -> Feature:
    return Feature("c", Kind.CATEGORICAL, categories=categories, missing=missing)


def boolean(*, missing: bool = False) -> Feature:
    return Feature("c", Kind.BOOLEAN, missing=missing)


PANDAS = [
    (pd.Series([1.5, -2.0]), numeric(-2, 1.5)),
    (pd.Series([1.5, np.nan]), numeric(1.5, 1.5, missing=True)),
    (pd.Series([3, 3], dtype="uint8"), numeric(3, 3)),
    (pd.Series([0.5, 1.5], dtype="float32"), numeric(0.5, 1.5)),
    (pd.Series([1, None, 3], dtype="Int64"), numeric(1, 3, missing=True)),
    (pd.Series([1.5, None], dtype="Float64"), numeric(1.5, 1.5, missing=True)),
    (pd.Series([np.nan, np.nan]), numeric(None, None, missing=True)),
    (pd.Series([1, 2.5, None], dtype=object), numeric(1, 2.5, missing=True)),
    (pd.Series([Decimal("1.5"), Decimal(2)], dtype=object), numeric(1.5, 2)),
    (pd.Series([True, False]), boolean()),
    (pd.Series([True, None], dtype="boolean"), boolean(missing=True)),
    (pd.Series([None, None], dtype="boolean"), boolean(missing=True)),
    (pd.Series([True, None, np.False_], dtype=object), boolean(missing=True)),
    (pd.Series(["b", "a", "b"], dtype="str"), categorical("a", "b")),
    (pd.Series(["b", None], dtype="str"), categorical("b", missing=True)),
    (pd.Series(["b", pd.NA, "a"], dtype="string"), categorical("a", "b", missing=True)),
    (pd.Series(["b", np.nan, None], dtype=object), categorical("b", missing=True)),
    (pd.Series(pd.Categorical(["b", "a"], categories=["z", "b", "a"])), categorical("z", "b", "a")),
    (pd.Series(pd.Categorical(["b", None], categories=["b", "a"], ordered=True)), categorical("b", "a", missing=True)),
    (pd.Series(pd.Categorical([10, 9, None])), categorical("9", "10", missing=True)),
    (pd.Series(pd.Categorical([True, False])), categorical("false", "true")),
]
POLARS = [
    (pl.Series([1.5, None, float("nan"), 0]), numeric(0, 1.5, missing=True)),
    (pl.Series([1, None]), numeric(1, 1, missing=True)),
    (pl.Series(["1.5", None]).cast(pl.Decimal(10, 2)), numeric(1.5, 1.5, missing=True)),
    (pl.Series([True, None]), boolean(missing=True)),
    (pl.Series([True, False]), boolean()),
    (pl.Series(["b", None, "a"]), categorical("a", "b", missing=True)),
    (pl.Series(["b", None, "a"], dtype=pl.Categorical), categorical("a", "b", missing=True)),
    (pl.Series(["b", None], dtype=pl.Enum(["z", "b", "a"])), categorical("z", "b", "a", missing=True)),
    (pl.Series([1, None], dtype=pl.Object), numeric(1, 1, missing=True)),
]


@pytest.mark.parametrize(("column", "feature"), PANDAS + POLARS)
def test_every_type_of_column(column: object, feature: Feature) -> None:
    assert one(column) == feature


def test_columns_that_pyarrow_holds() -> None:
    pytest.importorskip("pyarrow")
    assert one(pd.Series([1, None, 3], dtype="int64[pyarrow]")) == numeric(1, 3, missing=True)
    assert one(pd.Series([True, None], dtype="bool[pyarrow]")) == boolean(missing=True)
    assert one(pd.Series(["b", None], dtype="string[pyarrow]")) == categorical("b", missing=True)


def test_arrays_and_lists_are_named_by_position_or_as_asked() -> None:
    for table in (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]], ((1, 2), (3, 4)), pd.DataFrame([[1, 2], [3, 4]])):
        assert infer(table).features == (Feature("x0", low=1, high=3), Feature("x1", low=2, high=4))
        assert infer(table, feature_names=["a", "b"]).names == ("a", "b")
    with pytest.raises(SchemaError, match="3 feature_names for a table of 2 columns"):
        infer(np.zeros((2, 2)), feature_names=["a", "b", "c"])
    with pytest.raises(SchemaError, match="names its columns itself"):
        infer(pd.DataFrame({"a": [1]}), feature_names=["b"])


def test_columns_of_object_arrays_and_lists_keep_their_kinds() -> None:
    table = [[1, "a", True, None], [2.5, None, False, 3]]
    for rows in (table, np.array(table, dtype=object)):
        assert [feature.kind for feature in infer(rows).features] == ["numeric", "categorical", "boolean", "numeric"]
        assert [feature.missing for feature in infer(rows).features] == [False, True, False, True]


def test_text_arrays() -> None:
    assert infer(np.array([["a"], ["b"]])).features[0].categories == ("a", "b")
    mixed = np.array([[5.1, "a"], [4.9, "b"]])
    with pytest.raises(SchemaError, match=r"'x0' of the text array holds numbers as text, such as '4.9'.*object array"):
        infer(mixed)
    assert infer(mixed, categorical=[0]).features[0].categories == ("4.9", "5.1")


def test_numbers_that_mean_categories() -> None:
    assert one([10, 9, 10], categorical=["c"]) == categorical("9", "10")
    assert one([10.0, np.nan], categorical=["c"]) == categorical("10", missing=True)
    assert one([2.5, 1.0], categorical=[-1]) == categorical("1", "2.5")
    assert one([True, False], categorical=[0]) == categorical("false", "true")
    assert one(pd.Series([1, "a", None, True], dtype=object), categorical=[0]) == categorical(
        "1", "a", "true", missing=True
    )
    with pytest.raises(SchemaError, match="no column 'glade'; did you mean 'grade'"):
        infer(pd.DataFrame({"grade": [1]}), categorical=["glade"])
    with pytest.raises(SchemaError, match="has 1 columns, so there is none at 1"):
        infer([[1]], categorical=[1])
    with pytest.raises(SchemaError, match=re.escape("write ['grade']")):
        infer(pd.DataFrame({"grade": [1]}), categorical="grade")


def test_scaled_lags_and_actions() -> None:
    table = pd.DataFrame({"a": [1, 2], "b": [np.nan, np.nan], "c": ["x", "y"], "d": [True, False]})
    schema = infer_schema(table, actions=np.array([0, 1]), scaled=True, max_lag=3)
    assert [feature.scaled for feature in schema.features] == [True, False, False, False]
    assert schema.actions == ("0", "1")
    assert schema.max_lag == 3
    assert infer_schema(table, actions=[True, 2.0, "x"]).actions == ("true", "2", "x")
    with pytest.raises(SchemaError, match="an action must be text"):
        infer_schema(table, actions=[None])


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1.0, np.inf], r"row 1 of the column 'c' is inf.*replace infinite values by NaN"),
        (pd.Series([1, "a"], dtype=object), r"'c' mixes numeric and categorical values, such as 1 and 'a'"),
        (pd.Series([None, "a", True], dtype=object), r"'c' mixes categorical and boolean values, such as 'a' and True"),
        (pd.Series([None, None], dtype=object), r"'c' has no values at all"),
        (pl.Series([None, None]), r"'c' has no values at all"),
        (pd.Series([None, None], dtype="str"), r"'c' has no values at all"),
        (pd.Series(pd.Categorical([None])), r"'c' has no values at all"),
        (pd.Series(["a", " b"]), r"'c' holds ' b' with spaces around it: strip"),
        (pd.Series(["a", ""]), r"'c' holds the empty text ''.*missing value"),
        (pd.Series([pd.Timestamp(0)]), r"'c' holds dates or times, of type Datetime.*days since a date"),
        (
            pd.Series([datetime.date(2020, 1, 1)], dtype=object),
            r"'c' holds dates or times, such as datetime.date\(2020",
        ),
        (pd.Series(pd.to_timedelta([1])), r"'c' holds dates or times"),
        (pl.Series([datetime.date(2020, 1, 1)]), r"'c' holds dates or times, of type Date"),
        (pd.Series(pd.period_range("2020", periods=2)), r"'c' has the unsupported type period"),
        (pd.Series(pd.cut([1, 2], 2)), r"'c' has the category Interval.*rename its categories to text"),
        (pd.Series(pd.Categorical(["a"], categories=["a", (1, 2)])), r"'c' has the category \(1, 2\).*rename"),
        (pl.Series([[1], [2]]), r"'c' has the unsupported type List"),
        (pl.Series([b"a"]), r"'c' has the unsupported type Binary"),
        (pd.Series([[1], [2]], dtype=object), r"'c' holds the list \[1\]: make it numbers"),
        (pd.Series([1j]), r"'c' has the unsupported type complex"),
        (pd.Series([10**400, 1], dtype=object), r"row 0 of the column 'c': the feature 'c' is numeric"),
        (
            [f"text {number}" for number in range(60)],
            r"'c' has 60 distinct texts in 60 rows, such as 'text 0'.*identifier",
        ),
        ([f"text {number % 1001}" for number in range(4004)], r"'c' has 1001 distinct texts in 4004 rows"),
    ],
)
def test_refused_columns(column: object, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        one(column)


def test_free_text_is_kept_when_asked_for_or_declared() -> None:
    texts = [f"text {number:02}" for number in range(60)]
    assert one(texts, categorical=["c"]).categories == tuple(texts)
    assert one(pd.Series(pd.Categorical(texts))).categories == tuple(texts)
    assert one(texts[:40]).categories == tuple(texts[:40]), "too few rows to judge"


def test_odd_names_are_refused() -> None:
    with pytest.raises(SchemaError, match="start or end with a space, got ' a'"):
        infer(pd.DataFrame({" a": [1]}))


def test_columns_of_zeros_and_ones_are_binary() -> None:
    table = pd.DataFrame(
        {"flag": [0, 1, 1], "gaps": [0.0, None, 1.0], "count": [0, 1, 2], "share": [0, 0.5, 1], "always": [1, 1, 1]}
    )
    schema = infer_schema(table, actions=["a"])
    assert [feature.is_binary for feature in schema.features] == [True, True, False, False, False]
    assert schema.feature("gaps").missing
    assert infer_schema(np.array([[0.0], [1.0]]), actions=["a"]).feature("x0").is_binary
    asked = infer_schema(table, actions=["a"], zero_one_as_boolean=True)
    assert asked.feature("flag").kind is Kind.BOOLEAN


def test_columns_have_the_units_that_are_given() -> None:
    table = pd.DataFrame({"age": [20.5, 30], "height": [170, 180.5], "colour": ["red", "blue"]})
    schema = infer_schema(table, actions=["a"], units={"age": "years"})
    assert [feature.unit for feature in schema.features] == ["years", "", ""]
    with pytest.raises(SchemaError, match=r"units: the table has no column 'hight'; did you mean 'height'\?"):
        infer_schema(table, actions=["a"], units={"hight": "cm"})
    with pytest.raises(SchemaError, match=r"feature 'colour' is categorical: only numeric features have .* a unit"):
        infer_schema(table, actions=["a"], units={"colour": "cm"})
