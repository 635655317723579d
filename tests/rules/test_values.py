"""Values of rows: what each kind of feature takes, and what it refuses."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import category_name, is_missing, read, read_value
from strategies import schemas, values

SCHEMA = Schema(
    [
        Feature("x"),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic")),
        Feature("anaemia", Kind.BOOLEAN),
    ],
    actions=["yes"],
)


@pytest.mark.parametrize(
    ("name", "value", "reading"),
    [
        ("x", 3, 3.0), ("x", True, 1.0), ("x", np.float32(0.5), 0.5), ("x", np.int8(-3), -3.0), ("x", Decimal("1.5"), 1.5),
        ("x", np.array(2.5), 2.5), ("race", np.str_("Asian"), "Asian"), ("race", 3, "3"), ("race", np.float64(3), "3"),
        ("race", 2.5, "2.5"), ("race", np.True_, "true"), ("race", "", ""), ("anaemia", 0, False), ("anaemia", 1.0, True),
        ("anaemia", np.True_, True), ("anaemia", np.int64(0), False),
    ],
)  # fmt: skip
def test_reading_values(name: str, value: Any, reading: Any) -> None:
    result = read(SCHEMA.feature(name), {name: value})
    assert result == reading
    assert type(result) is type(reading)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("x", "tall", r"'x' is numeric and takes a number, not str 'tall'"),
        ("x", "3", "takes a number"),
        ("x", b"3", "takes a number"),
        ("x", 10**400, "takes a number"),
        ("x", [1, 2], "takes a number"),
        ("x", np.array([1, 2]), "takes a number"),
        ("race", pd.Timestamp(0), "'race' is categorical and takes a category, not Timestamp"),
        ("race", ("a",), "takes a category"),
        ("anaemia", "yes", "'anaemia' is boolean and takes true or false, not str 'yes'"),
        ("anaemia", 2, "takes true or false"),
    ],
)
def test_values_of_the_wrong_type_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        read(SCHEMA.feature(name), {name: value})


def test_what_cannot_be_a_category() -> None:
    assert category_name(None) is None
    assert category_name(1j) is None


@pytest.mark.parametrize("value", [None, float("nan"), np.nan, pd.NA, pd.NaT, np.datetime64("NaT", "D")])
def test_what_is_missing(value: object) -> None:
    assert is_missing(value)
    for feature in SCHEMA.features:
        assert read_value(feature, value) is None


@pytest.mark.parametrize("value", [0, "", False, float("inf"), np.array([1, 2]), [None]])
def test_what_is_not_missing(value: object) -> None:
    assert not is_missing(value)


def test_a_row_without_the_feature_is_refused_and_a_near_name_suggested() -> None:
    with pytest.raises(SchemaError, match=r"no value for the feature 'race'; did you mean 'rase'"):
        read(SCHEMA.feature("race"), {"rase": "Asian"})


@given(st.data())
def test_reading_is_idempotent(data: st.DataObject) -> None:
    feature = data.draw(st.sampled_from(data.draw(schemas()).features))
    once = read(feature, {feature.name: data.draw(values(feature))})
    assert read(feature, {feature.name: once}) == once
