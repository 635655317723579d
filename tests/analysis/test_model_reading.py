"""Rows are read for a rule set on its own as the model that it comes from reads them."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from evoter.analysis.model_reading import read_by, readable_by_place
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

RULES = parse("c > 0.5 -> yes; Default -> no")
MODEL = SimpleNamespace(schema_=Schema([Feature(name) for name in "abc"], ["yes", "no"]))


def test_columns_without_names_are_found_by_their_place_in_training() -> None:
    by_place = readable_by_place(MODEL, RULES, np.zeros((2, 3)))
    assert by_place.schema is MODEL.schema_
    assert by_place.rules == RULES.rules


def test_other_tables_are_read_by_the_rules_own_schema() -> None:
    assert readable_by_place(MODEL, RULES, [{"a": 1, "c": 2}]) is RULES
    assert readable_by_place(MODEL, RULES, np.zeros((2, 1))) is RULES
    assert readable_by_place(RULES, RULES, np.zeros((2, 3))) is RULES


def test_series_are_read_with_the_windows_of_the_model() -> None:
    def read(X: Any) -> str:
        return f"panel of {X}"

    windows = SimpleNamespace(transform=lambda panel: f"windows of {panel}")
    assert read_by(RULES, "rows") == "rows"
    assert read_by(SimpleNamespace(read=read, windows_=None), "rows") == "panel of rows"
    assert read_by(SimpleNamespace(read=read, windows_=windows), "rows") == "windows of panel of rows"
