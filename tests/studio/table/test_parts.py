"""Rows are divided into three parts that share no row, and no identifier."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.cli.fit.split import split_rows
from evoter.studio.table.parts import divide_rows
from laws import examples


@examples(100)
@given(st.integers(0, 2**31 - 2), st.integers(20, 60), st.booleans())
def test_every_row_is_in_one_part(seed: int, n_rows: int, grouped: bool) -> None:
    labels = ["a" if row % 3 else "b" for row in range(2 * n_rows)]
    identifiers = [f"p{row // 2}" for row in range(2 * n_rows)] if grouped else None
    parts = divide_rows(labels, identifiers, test=0.25, validation=0.2, seed=seed)
    together = np.concatenate([parts.training, parts.validation, parts.test])
    assert sorted(together.tolist()) == list(range(2 * n_rows))
    assert np.array_equal(parts.open, np.setdiff1d(np.arange(2 * n_rows), parts.test))
    if identifiers is not None:
        groups = [{identifiers[row] for row in part} for part in (parts.training, parts.validation, parts.test)]
        assert not (groups[0] & groups[1])
        assert not (groups[0] & groups[2])
        assert not (groups[1] & groups[2])


def test_the_test_rows_are_those_of_a_fit_with_the_same_seed() -> None:
    labels = ["a", "b", "b"] * 40
    assert np.array_equal(
        divide_rows(labels, None, test=0.25, validation=0.2, seed=3).test, split_rows(labels, None, 0.25, 3).test
    )
