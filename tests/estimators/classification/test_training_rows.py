"""Training rows are recognised by their values, from large tables by a sample, and nothing else is taken for one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.estimators.classification import training_rows
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.tables import read_panel
from laws import examples

CELLS = st.sampled_from([0.0, -0.0, 1.0, 2.0, math.nan, -1.0, 1e300])
TABLES = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12)


def key(row: tuple[float, ...]) -> tuple[object, ...]:
    return tuple(None if math.isnan(cell) else cell for cell in row)


@examples(100)
@given(trained=TABLES, shown=TABLES)
def test_the_share_is_that_of_equal_rows(trained: list[tuple[float, float]], shown: list[tuple[float, float]]) -> None:
    seen = {key(row) for row in trained}
    expected = sum(key(row) in seen for row in shown) / len(shown)
    assert TrainingRows.of(np.array(trained).T).share(np.array(shown).T) == pytest.approx(expected)


def test_columns_and_steps_are_not_interchangeable() -> None:
    remembered = TrainingRows.of(np.array([[1.0], [2.0]]))
    assert remembered.share(np.array([[2.0], [1.0]])) == 0.0
    panel = read_panel(np.array([[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]))
    series = TrainingRows.of(panel)
    assert series.share(panel[[1]]) == 1.0
    others = read_panel([np.array([[2.0, 1.0, 3.0]]), np.array([[1.0, 2.0]]), np.array([[1.0, 2.0, 3.0]])])
    assert series.share(others) == pytest.approx(1 / 3)


def test_of_large_tables_a_sample_is_kept_and_shares_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_rows, "N_KEPT", 500)
    rows = np.random.default_rng(0).normal(size=(3, 20_000))
    remembered = TrainingRows.of(rows[:, :10_000])
    assert len(remembered.hashes) == 500
    assert remembered.share(rows[:, :10_000]) == 1.0
    assert remembered.share(rows[:, 10_000:]) == 0.0
    assert remembered.share(rows) == pytest.approx(0.5, abs=0.06)
    assert math.isnan(remembered._replace(limit=np.uint64(0)).share(rows)), "no row is known to be in or out"
