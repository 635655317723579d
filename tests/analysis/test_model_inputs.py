"""Rows, columns and labels are read as the model that a rule set comes from reads them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.analysis.model_inputs import match_columns, match_labels, read_rows
from evoter.estimators.labels import action_names
from evoter.rules.errors import SchemaError
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

RULES = parse("c > 0.5 -> yes; Default -> no")
MODEL = SimpleNamespace(schema_=Schema([Feature(name) for name in "abc"], ["yes", "no"]))


def test_columns_without_names_are_found_by_their_place_in_training() -> None:
    by_place = match_columns(MODEL, RULES, np.zeros((2, 3)))
    assert by_place.schema is MODEL.schema_
    assert by_place.rules == RULES.rules


def test_other_tables_are_read_by_the_rules_own_schema() -> None:
    assert match_columns(MODEL, RULES, [{"a": 1, "c": 2}]) is RULES
    assert match_columns(MODEL, RULES, np.zeros((2, 1))) is RULES
    assert match_columns(RULES, RULES, np.zeros((2, 3))) is RULES


def test_series_are_read_with_the_windows_of_the_model() -> None:
    def read(X: Any) -> str:
        return f"panel of {X}"

    windows = SimpleNamespace(transform=lambda panel: f"windows of {panel}")
    assert read_rows(RULES, "rows") == "rows"
    assert read_rows(SimpleNamespace(read=read, windows_=None), "rows") == "panel of rows"
    assert read_rows(SimpleNamespace(read=read, windows_=windows), "rows") == "windows of panel of rows"


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 1],
        [0.0, 1.0, 1.0],
        ["0", "1", "1"],
        np.array([0, 1, 1]),
        np.array([0.0, 1.0, 1.0]),
        pd.Series([0, 1, 1]),
        pd.Series(["0", "1", "1"], dtype="category"),
        pl.Series([0, 1, 1]),
        (np.int8(0), np.float32(1), 1),
    ],
    ids=repr,
)
def test_numbers_match_by_name(labels: object) -> None:
    names, codes = match_labels(labels, ["1", "0"])
    assert names == ("1", "0")
    assert codes.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    "classes", [np.array([False, True]), np.array([-1, 1]), np.array([0.5, 2.0]), np.array(["", " x"])], ids=repr
)
def test_labels_match_what_a_learner_calls_them(classes: np.ndarray) -> None:
    names, codes = match_labels(classes, action_names(classes))
    assert names == tuple(action_names(classes))
    assert codes.tolist() == [0, 1]


def test_truth_values_match_text_of_either_spelling() -> None:
    assert match_labels([True, False], ["False", "True"])[1].tolist() == [1, 0]
    assert match_labels([True, 1], ["1", "true"])[1].tolist() == [1, 0]


def test_labels_that_are_no_actions_come_after_them() -> None:
    names, codes = match_labels(["c", "a", "b", "c"], ["a"])
    assert names == ("a", "c", "b")
    assert codes.tolist() == [1, 0, 2, 1]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_labels_are_refused(missing: object) -> None:
    with pytest.raises(SchemaError, match=r"row 1 of y is .* drop the rows"):
        match_labels(["a", missing], ["a"])


def test_labels_that_are_no_values_are_refused() -> None:
    with pytest.raises(SchemaError, match="row 0 of y is the tuple"):
        match_labels([("a", "b")], ["a"])
