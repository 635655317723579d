"""Labels of any type match the actions that were made of them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.analysis.labels import match_labels
from evoter.estimators.labels import action_names
from evoter.rules.errors import SchemaError


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
