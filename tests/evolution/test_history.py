"""A history is a table of generations, one step from a data frame."""

import pickle
from dataclasses import astuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter.evolution.history import COLUMNS, History, Record

RECORDS = [Record(g, 0.5 + g / 10, 0.4, 3, 2, 100 * (g + 1), g / 4) for g in range(4)]


def test_a_data_frame_is_one_step_away() -> None:
    history = History(RECORDS)
    for frame in (pd.DataFrame(dict(history)), pl.DataFrame(dict(history))):
        assert tuple(frame.columns) == COLUMNS == tuple(history)
        assert frame.shape == (4, len(history))
        assert frame["best"].to_list() == [0.5, 0.6, 0.7, 0.8]
        assert frame["generation"].to_list() == [0, 1, 2, 3]


def test_whole_numbers_stay_whole() -> None:
    history = History(RECORDS)
    kinds = {name: history[name].dtype.kind for name in COLUMNS}
    assert kinds == dict(zip(COLUMNS, "iffiiifff", strict=True))


def test_a_generation_recorded_again_replaces_what_was_recorded_from_it_on() -> None:
    history = History(RECORDS)
    history.append(Record(2, 0.9, 0.4, 1, 1, 7, 0.0))
    assert history["generation"].tolist() == [0, 1, 2]
    assert history.last.best == 0.9


def test_first_last_and_repr() -> None:
    history = History(RECORDS)
    assert astuple(history.first) == astuple(RECORDS[0])
    assert astuple(history.last) == astuple(RECORDS[3])
    assert repr(history) == "History(4 generations, best 0.8, 3 conditions, 400 evaluations in 0.75 s)"
    assert repr(History()) == "History(empty)"
    assert len(History()["best"]) == 0


def test_an_unknown_column_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no column 'bset'; its columns are generation, best"):
        History(RECORDS)["bset"]


def test_a_history_survives_pickling() -> None:
    copy = pickle.loads(pickle.dumps(History(RECORDS)))  # noqa: S301 (our own bytes)
    assert repr(copy.records) == repr(tuple(RECORDS)), "without a front its figures are NaN, which equals nothing"
    assert np.array_equal(copy["mean"], History(RECORDS)["mean"])
