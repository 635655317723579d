"""What actions do to the predictor's table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.estimators.prescription.specification import read_treatments
from evoter.estimators.prescription.treatments import (
    ColumnTreatments,
    Interventions,
    LabelTreatments,
    attach,
    choose_columns,
    column_values,
    take_rows,
)

TABLE = pd.DataFrame({"age": [50, 60, 70], "sex": ["f", "m", "f"]}, index=[7, 5, 3])
ONE_EACH = np.eye(3)


def labels() -> LabelTreatments:
    found = read_treatments(None, pd.Series(["b", "c", "a"], name="drug"), TABLE, several=False)
    assert isinstance(found, LabelTreatments)
    return found


def test_labels_are_one_column_of_a_frame_and_several_of_an_array() -> None:
    treatments = labels()
    assert treatments.names == ("a", "b", "c")
    assert treatments.applied(TABLE, ONE_EACH).drug.tolist() == ["a", "b", "c"]
    assert treatments.applied(TABLE, ONE_EACH).age.tolist() == [50, 60, 70]
    assert treatments.factual(np.zeros((3, 1)), np.array(["b", "c", "a"])).tolist() == [
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
    ]
    assert treatments.factual(np.zeros((3, 1), np.float32), np.array(["b", "c", "a"])).dtype == np.float32
    with pytest.raises(ValueError, match=r"labels of \['a', 'b', 'c'\], one per row, got 'd'"):
        treatments.read(["a", "d"])


def test_history_may_have_done_what_no_policy_may() -> None:
    treatments = read_treatments(["a", "b"], np.array(["a", "b", "c"]), TABLE, several=False)
    assert treatments.names == ("a", "b")
    known = treatments.logged_levels(treatments.read(np.array(["a", "c", "b"])))
    assert known is not None
    assert np.array_equal(known, np.array([[1, 0], [np.nan, np.nan], [0, 1]]), equal_nan=True)


def test_columns_alone_and_together() -> None:
    logged = pd.DataFrame({"x": [1, 0, 1], "y": [0, 0, 1]})
    alone = read_treatments(None, logged, TABLE, several=False)
    together = read_treatments(None, logged, TABLE, several=True)
    assert alone.names == ("x", "y")
    assert together.names == ("x", "y", "nothing")
    both = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert together.applied(TABLE, both)[["x", "y"]].to_numpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]]
    assert together.shown(both).tolist() == [[True, True], [False, False], [False, True]]
    assert alone.shown(both[:, :2])[2] == "y"
    known = alone.logged_levels(alone.read(logged))
    assert np.array_equal(known, [[1, 0], [np.nan, np.nan], [np.nan, np.nan]], equal_nan=True)  # type: ignore[arg-type]
    known = together.logged_levels(together.read(logged))
    assert np.array_equal(known, [[1, 0, 0], [0, 0, 0], [1, 1, 0]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be 0 or 1; for amounts"):
        alone.read(pd.DataFrame({"x": [2], "y": [0]}))
    with pytest.raises(ValueError, match="a missing one"):
        alone.read(pd.DataFrame({"x": [np.nan], "y": [0]}))


def test_columns_of_arrays_get_names() -> None:
    logged = np.zeros((3, 2))
    assert read_treatments(None, logged, TABLE, several=False).names == ("action 0", "action 1")
    assert read_treatments(["p", "q"], logged, TABLE, several=False).names == ("p", "q")
    assert read_treatments(["action 1"], logged, TABLE, several=False).names == ("action 1",)
    with pytest.raises(ValueError, match="no column 'r'"):
        read_treatments(["r"], logged, TABLE, several=False)
    with pytest.raises(ValueError, match="which means that none is taken"):
        read_treatments(None, pd.DataFrame({"nothing": [1]}), TABLE, several=True)


def test_amounts_are_parts_of_ranges() -> None:
    treatments = read_treatments({"x": (10, 20), "y": (-1, 1)}, None, TABLE, several=False)
    assert isinstance(treatments, ColumnTreatments)
    assert treatments.shown(np.array([[0.5, 0.0], [0.0, 1.0]])).tolist() == [[15.0, -1.0], [10.0, 1.0]]
    assert treatments.logged_levels(np.zeros((2, 2))) is None


def test_interventions_change_columns_where_they_are_prescribed() -> None:
    treatments = Interventions({"young": {"age": 20}, "older": {"age": lambda age: age + 1, "sex": "m"}})
    changed = treatments.applied(TABLE, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    assert changed.age.tolist() == [20, 61, 70]
    assert changed.sex.tolist() == ["f", "m", "f"]
    assert TABLE.age.tolist() == [50, 60, 70]
    array = Interventions({"young": {0: 20}}).applied(np.array([[50.0], [60.0]]), np.array([[1.0], [0.0]]))
    assert array.tolist() == [[20.0], [60.0]]
    with pytest.raises(ValueError, match="pass actions=None"):
        treatments.read(["young"])


@pytest.mark.parametrize("frame", [TABLE, pl.DataFrame({"age": [50, 60, 70], "sex": ["f", "m", "f"]})])
def test_frames_of_any_kind_are_cut_and_extended(frame: pd.DataFrame | pl.DataFrame) -> None:
    longer = attach(frame, {"dose": np.array([1.0, 2.0, 3.0])})
    assert list(longer.columns) == ["age", "sex", "dose"]
    assert column_values(take_rows(longer, np.array([2, 0, 2])), "dose").tolist() == [3.0, 1.0, 3.0]
    assert list(choose_columns(longer, ["dose", "age"]).columns) == ["dose", "age"]
    with pytest.raises(ValueError, match="no column 'does'; did you mean 'dose'"):
        choose_columns(longer, ["does"])


def test_columns_of_arrays_go_by_position() -> None:
    assert choose_columns(np.arange(6).reshape(2, 3), [2, 0]).tolist() == [[2, 0], [5, 3]]
    with pytest.raises(ValueError, match="columns 0 to 2, got 'age'"):
        column_values(np.zeros((1, 3)), "age")
