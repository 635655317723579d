"""Rows are recognised by their values."""

import numpy as np

from evoter.studio.project.rows import Split, row_hashes


def test_lists_and_arrays_have_the_same_hashes() -> None:
    lists = {"age": [40.0, None], "sex": ["f", None], "ill": [True, False]}
    arrays = {"age": np.array([40.0, np.nan]), "sex": np.array(["f", None], object), "ill": np.array([True, False])}
    assert row_hashes(lists) == row_hashes(arrays)


def test_values_are_told_apart() -> None:
    rows = [(1, "a"), (1, "b"), ("1", "a"), (None, "a"), ("None", "a"), ('1", "a', ""), (1.5, "a")]
    hashes = row_hashes({"x": [row[0] for row in rows], "y": [row[1] for row in rows]})
    assert len(set(hashes)) == len(rows)
    assert row_hashes({"x": [1]}) != row_hashes({"y": [1]})


def test_a_part_is_recognised_whatever_the_order_of_its_rows() -> None:
    hashes = row_hashes({"x": list(range(6))})

    def split(test: list[int]) -> Split:
        return Split.of(hashes, {"train": [0, 1, 2], "test": np.array(test)}, seed=1, validation=0.0, test=0.5)

    assert split([3, 4, 5]).differing_parts(split([5, 3, 4])) == ()
    assert split([3, 4, 5]).differing_parts(split([3, 4])) == ("test",)
