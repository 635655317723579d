"""Schemas: what makes no sense is refused with a reason, and what is made cannot be changed."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.schema import MAX_LAG, MAX_NAME_LENGTH, Feature, Kind, Schema
from strategies import schemas

SCHEMA = Schema(
    [
        Feature("age", low=18, high=95, unit="years"),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic")),
        Feature("anaemia", Kind.BOOLEAN, missing=True),
    ],
    actions=["yes", "no"],
    max_lag=2,
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": ""}, "feature: a name must not be empty or start or end with a space, got ''"),
        ({"name": " x"}, "start or end with a space, got ' x'"),
        ({"name": "x" * (MAX_NAME_LENGTH + 1)}, "a name of 1001 characters; at most 1000 are allowed"),
        ({"name": "\ud800"}, "must be valid Unicode"),
        ({"name": 3}, "a name must be text, not int 3"),
        ({"low": float("nan")}, "feature 'x': low must be a finite number or None, not nan"),
        ({"high": float("inf")}, "feature 'x': high must be a finite number or None, not inf"),
        pytest.param({"high": 10**400}, "feature 'x': high must be a finite number or None, not 1000", id="huge"),
        ({"low": 2, "high": 1}, "feature 'x': low 2.0 is above high 1.0"),
        ({"low": 2, "scaled": True}, "feature 'x' is scaled, which needs both low and high"),
        (
            {"kind": "boolean", "low": 0},
            "is boolean: only numeric features have a range, a step, a unit, a scale or a decimal comma",
        ),
        ({"kind": "categorical", "categories": ["a"], "unit": "cm"}, "is categorical: only numeric features have"),
        ({"kind": "categorical"}, "categorical features, and only they, list their categories"),
        ({"categories": ["a"]}, "feature 'x' is numeric: categorical features, and only they"),
        ({"kind": "categorical", "categories": ["a", "b", "a"]}, "feature 'x' has the category 'a' twice"),
        ({"kind": "categorical", "categories": [""]}, "category of feature 'x': a name must not be empty"),
        ({"unit": " cm"}, "unit of feature 'x': a name must not"),
    ],
)
def test_features_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Feature(**({"name": "x"} | options))
    assert message in str(caught.value)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'ordinal' is not a valid Kind"):
        Feature("x", "ordinal")  # type: ignore[arg-type]


def make(features: Any = SCHEMA.features, actions: Any = ("go",), max_lag: Any = 0) -> Schema:
    return Schema(features, actions, max_lag)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": []}, "a schema needs at least one action"),
        ({"actions": ["go", "go"]}, "the schema has the action 'go' twice"),
        ({"actions": [""]}, "action: a name must not be empty"),
        ({"features": [Feature("x"), Feature("x")]}, "the schema has the feature 'x' twice"),
        ({"max_lag": -1}, "max_lag must be a whole number from 0 to 1,000,000, not -1"),
        ({"max_lag": MAX_LAG + 1}, "not 1000001"),
        ({"max_lag": 1.0}, "not 1.0"),
        ({"max_lag": True}, "not True"),
    ],
)
def test_schemas_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        make(**options)
    assert message in str(caught.value)


def test_values_are_what_they_are_taken_for() -> None:
    feature = Feature("sort", "categorical", categories=["b", "a"])  # type: ignore[arg-type]
    assert feature.kind is Kind.CATEGORICAL
    assert feature.categories == ("b", "a")
    assert feature.has_category("a")
    assert not feature.has_category("c")
    assert Feature("x", low=1).bounds == (1.0, float("inf"))
    assert type(Feature("x", low=1).low) is float
    assert SCHEMA.names == ("age", "race", "anaemia")
    assert SCHEMA.actions == ("yes", "no")


def test_features_are_found_by_name() -> None:
    assert SCHEMA.position("race") == 1
    assert SCHEMA.feature("age") is SCHEMA.features[0]
    assert "anaemia" in SCHEMA
    assert "weight" not in SCHEMA
    with pytest.raises(SchemaError, match="unknown feature 'anaemic'; did you mean 'anaemia'"):
        SCHEMA.feature("anaemic")


def test_nothing_can_be_changed() -> None:
    for value, name in ((SCHEMA, "max_lag"), (SCHEMA.features[0], "low")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 1)


def test_a_copy_with_a_changed_feature() -> None:
    changed = SCHEMA.with_feature("age", high=120)
    assert changed.feature("age").high == 120.0
    assert changed.features[1:] == SCHEMA.features[1:]
    assert (changed.actions, changed.max_lag) == (SCHEMA.actions, SCHEMA.max_lag)
    assert SCHEMA.feature("age").high == 95.0
    with pytest.raises(SchemaError, match="unknown feature 'aeg'"):
        SCHEMA.with_feature("aeg", high=120)
    with pytest.raises(SchemaError, match=r"low 18\.0 is above high 1\.0"):
        SCHEMA.with_feature("age", high=1)


@given(st.data())
def test_equal_schemas_are_equal_and_can_be_keys(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    same = Schema(iter(schema.features), iter(schema.actions), schema.max_lag)
    assert same == schema
    assert hash(same) == hash(schema)
    other = Schema(schema.features, [*schema.actions, "one more"], schema.max_lag)
    assert other != schema


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0}, "feature 'x': step must be a positive number or None, not 0"),
        ({"step": float("inf")}, "not inf"),
        ({"step": float("nan")}, "not nan"),
        ({"low": 0.2, "high": 0.8, "step": 1}, "no multiple of the step 1 lies between 0.2 and 0.8"),
        ({"kind": Kind.BOOLEAN, "step": 1}, "feature 'x' is boolean: only numeric features have a range, a step"),
    ],
)
def test_steps_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Feature("x", **options)
    assert message in str(caught.value)


def test_a_feature_of_step_one_between_zero_and_one_is_binary() -> None:
    assert Feature("x", low=0, high=1, step=1).is_binary
    assert not Feature("x", low=0, high=1).is_binary
    assert not Feature("x", low=0, high=2, step=1).is_binary
    assert not Feature("x", Kind.BOOLEAN).is_binary
    assert Feature("x", low=0.3, high=0.9, step=0.3).step == 0.3
