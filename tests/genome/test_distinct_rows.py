"""Equal rows have equal numbers, wherever they are."""

import numpy as np

from evoter.genome.distinct_rows import number_rows


def test_equal_rows_of_one_class_have_one_number_wherever_they_are() -> None:
    some = np.random.default_rng(0).normal(size=(3, 20))
    some[0, ::4] = np.nan
    twice, classes = np.hstack([some, some[:, ::-1]]), np.concatenate([np.arange(20) % 2, (np.arange(20) % 2)[::-1]])
    numbers = number_rows(twice, classes)
    assert numbers[:20].tolist() == numbers[:19:-1].tolist()
    assert len(np.unique(numbers)) == 20
    assert (number_rows(some, np.zeros(20, int)) != number_rows(some, np.ones(20, int))).any()


def test_zeros_of_either_sign_are_equal() -> None:
    assert number_rows([np.array([0.0, -0.0])], np.zeros(2, np.int64)).tolist() == [0, 0]
