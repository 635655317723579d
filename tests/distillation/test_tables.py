"""Rows are taken, joined and read in the form in which they were handed in."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boxes import correlated
from evoter.distillation.tables import join_rows, read_case, take_rows

FRAME = correlated(10)


def test_rows_are_taken_and_joined() -> None:
    rows = np.array([3, 1])
    for table in (FRAME, pl.from_pandas(FRAME), FRAME[["size", "age"]].to_numpy()):
        taken = take_rows(table, rows)
        assert type(taken) is type(table)
        joined = join_rows(table, taken)
        assert len(joined) == 12
        assert len(join_rows(table, taken[:0])) == 10
    assert join_rows(FRAME, take_rows(FRAME, rows)).index.tolist() == list(range(12))


def test_a_case_is_a_position_a_mapping_or_a_table_of_one_row() -> None:
    expected = FRAME.iloc[[2]]
    for case in (2, -8, dict(FRAME.iloc[2]), FRAME.iloc[2], expected):
        assert read_case(case, FRAME).reset_index(drop=True).equals(expected.reset_index(drop=True)), case
    array = FRAME[["size", "age"]].to_numpy()
    assert np.array_equal(read_case(array[2], array), array[[2]])
    assert read_case(2, pl.from_pandas(FRAME)).rows() == pl.from_pandas(expected).rows()


def test_what_is_no_case_is_refused() -> None:
    with pytest.raises(ValueError, match="there is none at 10"):
        read_case(10, FRAME)
    with pytest.raises(ValueError, match="no value for the column 'weight'"):
        read_case({"size": 1.0}, FRAME)
    with pytest.raises(ValueError, match="local is one row"):
        read_case(FRAME, FRAME)
    with pytest.raises(ValueError, match="one row of 2 values"):
        read_case([1.0], np.zeros((3, 2)))
    assert isinstance(read_case(0, FRAME), pd.DataFrame)
