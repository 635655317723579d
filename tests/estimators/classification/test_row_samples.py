"""Samples of rows are drawn by class, in order, and described as they are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.estimators.classification.row_samples import RowSamples, draw_rows


@given(st.lists(st.integers(0, 3), min_size=1, max_size=200), st.integers(1, 300))
def test_classes_are_in_proportion(labels: list[int], n_rows: int) -> None:
    classes = np.array(labels)
    rows = draw_rows(classes, n_rows)
    assert (np.diff(rows) > 0).all()
    wanted = n_rows * np.bincount(classes) / len(classes)
    drawn = np.bincount(classes[rows], minlength=len(wanted))
    most = np.bincount(classes)
    assert (np.abs(drawn - np.clip(wanted, most > 0, most)) <= 0.5).all()


def test_samples_are_said() -> None:
    assert (
        str(RowSamples(900, 900, 20)) == "rules were evaluated on all 900 training rows, and exact moves on 20 of these"
    )
    assert "40 of 900 training rows, drawn at random, and exact moves on 20 of" in str(RowSamples(900, 40, 20))
    assert str(RowSamples(900, 40, 0)) == "rules were evaluated on 40 of 900 training rows, drawn at random"
    assert RowSamples(900, 40, 0).is_partial
