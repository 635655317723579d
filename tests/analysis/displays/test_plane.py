"""Planes through tables: what varies, what is held at which value, and the rows that are asked about."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.analysis.displays.plane import MARGIN, make_plane
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import encode, infer_schema

TABLE = pd.DataFrame(
    {
        "age": [20.0, 30.0, 60.0, 40.0, np.nan],
        "job": ["clerk", "nurse", "nurse", "none", None],
        "married": [True, False, True, True, False],
        "income": [1, 2, 3, 4, 5],
    }
)
SCHEMA = infer_schema(TABLE, actions=["no", "yes"])


def test_numbers_are_held_at_their_median_and_other_values_at_the_most_frequent() -> None:
    plane = make_plane(SCHEMA, ("age", "job"), TABLE)
    assert plane.held == {"married": 1.0, "income": 3.0}
    assert make_plane(SCHEMA, ("married", "income"), TABLE).held == {"age": 35.0, "job": 2.0}


def test_categories_that_the_schema_does_not_list_are_not_held() -> None:
    other = pd.DataFrame({"age": [20.0] * 4, "job": ["pilot", "pilot", "nurse", None], "married": True, "income": 1})
    assert make_plane(SCHEMA, ("age", "income"), other).held["job"] == SCHEMA.feature("job").categories.index("nurse")


def test_values_can_be_given_and_missing_ones_too() -> None:
    held = make_plane(SCHEMA, ("age", "income"), TABLE, at={"job": "clerk", "married": False}).held
    assert held == {"job": 0.0, "married": 0.0}
    assert make_plane(SCHEMA, ("age", "income"), TABLE, at={"job": "clerk", "age": 20, "married": True}).held == {
        "job": 0.0,
        "married": 1.0,
    }, "what varies is not held"
    plane = make_plane(SCHEMA, ("age", "income"), TABLE, at={"job": None})
    assert np.isnan(plane.held["job"])
    assert plane.held_text(SCHEMA.names) == "job is missing, married = true"


def test_axes_reach_a_little_beyond_the_values_and_cells_fill_them() -> None:
    plane = make_plane(SCHEMA, ("age", "job"), TABLE, n_cells=8)
    assert plane.shape == (3, 8)
    assert plane.x.edges[[0, -1]].tolist() == pytest.approx([20 - MARGIN * 40, 60 + MARGIN * 40])
    assert plane.y.edges.tolist() == [-0.5, 0.5, 1.5, 2.5]
    assert plane.y.names == ("clerk", "none", "nurse")
    assert make_plane(SCHEMA, ("age", "married"), TABLE).y.names == ("false", "true")
    given = make_plane(SCHEMA, ("age", "job"), TABLE, ranges={"age": (0, 100)}, n_cells=4)
    assert given.x.middles.tolist() == [12.5, 37.5, 62.5, 87.5]


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, lambda table: table.to_numpy()], ids=["pandas", "polars", "numpy"]
)
@pytest.mark.parametrize("features", [("age", "job"), ("married", "income"), ("job", "married")])
def test_the_rows_asked_about_are_the_cells(make: Callable[[Any], Any], features: tuple[str, str]) -> None:
    """Read as any table is, the rows are what rules read in the cells."""
    table = make(TABLE.astype({"job": object}).where(TABLE.notna(), None) if make is pl.DataFrame else TABLE)
    plane = make_plane(SCHEMA, features, table, n_cells=5)
    asked = plane.table(table)
    assert type(asked) is type(table)
    np.testing.assert_array_equal(encode(asked, SCHEMA), plane.columns(SCHEMA))


def test_columns_keep_their_types() -> None:
    table = TABLE.astype({"job": pd.CategoricalDtype(["nurse", "clerk", "none"])})
    plane = make_plane(infer_schema(table, actions=["no"]), ("age", "job"), table, n_cells=3)
    asked = plane.table(table)
    assert asked["job"].dtype == table["job"].dtype
    assert asked["job"].tolist()[::3] == ["nurse", "clerk", "none"]
    numbers = np.arange(6).reshape(3, 2)
    assert make_plane(infer_schema(numbers, actions=["a"]), ("x0", "x1"), numbers).table(numbers).dtype == np.float64


def test_a_plane_needs_no_rows_where_the_schema_has_ranges() -> None:
    schema = Schema([Feature("x", low=0, high=1), Feature("y"), Feature("b", Kind.BOOLEAN)], ["a"])
    assert make_plane(schema, ("x", "b"), at={"y": 3}).held == {"y": 3.0}
    with pytest.raises(ValueError, match=r"'y' has no range: pass X, or ranges=\{'y': \(low, high\)\}"):
        make_plane(schema, ("x", "y"))
    with pytest.raises(ValueError, match=r"'y' has no range to be held in the middle of: pass X, or at=\{'y': ...\}"):
        make_plane(schema, ("x", "b"))


def test_values_are_said_in_words_with_units_unless_they_are_many() -> None:
    features = [Feature(f"x{k}", low=0, high=1 / 3, unit="mmHg" if k == 2 else "") for k in range(8)]
    plane = make_plane(Schema(features, ["a"]), ("x0", "x1"))
    assert plane.held_text(["x0", "x2", "x3"]) == "x2 = 0.1667 mmHg, x3 = 0.1667"
    names = [feature.name for feature in features]
    assert plane.held_text(names).endswith("x6 = 0.1667, x7 = 0.1667")
    assert plane.held_text(names, n_most=2) == "x2 = 0.1667 mmHg, x3 = 0.1667 and 4 more features held"


@pytest.mark.parametrize(
    ("features", "options", "message"),
    [
        (("age", "jbo"), {}, "there is no feature 'jbo'; did you mean 'job'"),
        (("age", "age"), {}, "a plane needs two features, got 'age' twice"),
        (("age", "job"), {"at": {"incme": 1}}, "there is no feature 'incme'; did you mean 'income'"),
        (("age", "income"), {"at": {"job": "nurs"}}, "'job' has no category 'nurs'; did you mean 'nurse'"),
        (("age", "job"), {"at": {"income": "high"}}, "'income' is numeric and cannot be held at 'high'"),
        (("age", "job"), {"ranges": {"age": (3, 1)}}, "the range of 'age' must be two numbers, the lower one first"),
    ],
)
def test_what_makes_no_plane_is_refused(features: tuple[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_plane(SCHEMA, features, TABLE, **options)


def test_a_category_that_no_row_has_cannot_be_asked_about() -> None:
    plane = make_plane(SCHEMA, ("age", "job"), TABLE, n_cells=2)
    with pytest.raises(ValueError, match="no row of X has job = none, so it cannot be asked about"):
        plane.table(TABLE.iloc[:3])
