"""Labels of every type are classes, and what is no label is refused by row."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.estimators.labels import action_names, read_labels
from evoter.rules.schema import Schema
from patients import diagnoses, patients, quick

ILL = diagnoses() == "ill"


LABELS: dict[str, tuple[Any, list[Any], list[str]]] = {
    "text": (diagnoses(), ["ill", "well"], ["ill", "well"]),
    "list of text": (diagnoses().tolist(), ["ill", "well"], ["ill", "well"]),
    "whole numbers": (np.where(ILL, 7, -1), [-1, 7], ["-1", "7"]),
    "floats": (np.where(ILL, 2.0, 1.0), [1.0, 2.0], ["1", "2"]),
    "truth values": (ILL, [False, True], ["false", "true"]),
    "empty text": (np.where(ILL, "", "well"), ["", "well"], ["class 0: ''", "class 1: 'well'"]),
    "padded text": (np.where(ILL, "ill", "ill "), ["ill", "ill "], ["class 0: 'ill'", "class 1: 'ill '"]),
    "reserved words": (np.where(ILL, "AND", "Default"), ["AND", "Default"], ["AND", "Default"]),
    "objects": (diagnoses().astype(object), ["ill", "well"], ["ill", "well"]),
    "pandas text": (pd.Series(diagnoses(), dtype="string"), ["ill", "well"], ["ill", "well"]),
    "pandas categories": (pd.Series(diagnoses(), dtype="category"), ["ill", "well"], ["ill", "well"]),
    "pandas whole numbers": (pd.Series(np.where(ILL, 1, 2), dtype="Int64"), [1, 2], ["1", "2"]),
    "polars text": (pl.Series(diagnoses()), ["ill", "well"], ["ill", "well"]),
    "three classes": (np.arange(120) % 3, [0, 1, 2], ["0", "1", "2"]),
}


@pytest.mark.parametrize(("labels", "classes", "actions"), LABELS.values(), ids=LABELS)
def test_labels_come_back_as_they_went_in(labels: Any, classes: list[Any], actions: list[str]) -> None:
    model = quick().fit(patients(), labels)
    assert model.classes_.tolist() == classes
    assert list(model.ruleset_.schema.actions) == actions
    predicted = model.predict(patients())
    assert predicted.dtype == model.classes_.dtype
    assert set(predicted.tolist()) <= set(classes)
    if len(classes) == 2:
        assert np.mean(predicted == np.asarray(labels)) > 0.9


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "nothing": (None, ValueError, "requires y to be passed, but the target y is None: pass the class of each row"),
    "NaN": ([1.0, np.nan, 0.0, np.nan], ValueError, r"row 1 of y is nan, which is no class: drop .* \(2 in all\)"),
    "infinite": ([1.0, 0.0, np.inf], ValueError, "row 2 of y is inf, which is no class"),
    "None": (["a", None, "b"], ValueError, "row 1 of y is None, which is no class"),
    "NA": (pd.array([1, pd.NA, 2], dtype="Int64"), ValueError, "row 1 of y is nan, which is no class"),
    "NA among text": (pd.Series(["a", None], dtype="string"), ValueError, "row 1 of y is .*, which is no class"),
    "a regression target": ([0.1, 0.7, 0.35], ValueError, "Unknown label type: continuous. Maybe you are trying"),
    "text and numbers": (["a", 1, "b"], ValueError, "y mixes text and other labels, such as 'a' and 1: convert them"),
    "several columns": (np.zeros((3, 2)), ValueError, r"y should be a 1d array, got an array of shape \(3, 2\)"),
    "bytes": (np.array([b"a", b"b"]), TypeError, "bytes is not supported. Convert the labels to a string"),
}


@pytest.mark.parametrize(("labels", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_label_is_refused(labels: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        read_labels(labels)


def test_codes_are_places_among_the_classes() -> None:
    classes, codes = read_labels(["b", "a", "b", "c"])
    assert classes.tolist() == ["a", "b", "c"]
    assert codes.tolist() == [1, 0, 1, 2]
    assert codes.dtype == np.int64


@given(st.lists(st.text(max_size=5), min_size=1, max_size=5, unique=True))
def test_any_text_gets_a_name_that_a_schema_takes(labels: list[str]) -> None:
    names = action_names(np.array(labels, dtype=object))
    assert Schema([], names).actions == tuple(names)
