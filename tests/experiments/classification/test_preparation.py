"""Preparation is learnt from training rows alone."""

import numpy as np
import pandas as pd

from evoter.experiments.classification.preparation import Numbers, is_number


def test_rows_of_the_other_side_change_nothing() -> None:
    """Their new categories and gaps are taken."""
    train = pd.DataFrame(
        {"size": [1.0, 2.0, np.nan, 6.0], "kind": pd.Categorical([*"aab", None]), "known": [True, False] * 2}
    )
    test = pd.DataFrame({"size": [100.0, np.nan], "kind": pd.Categorical(["c", "a"]), "known": [True, True]})
    matrix = Numbers().fit(train).transform(test)
    assert matrix.shape == (2, 5), "two numbers, and a column for each of a, b and missing"
    assert matrix[1, 0] == 2.0, "the median of the training rows"
    assert np.isfinite(matrix).all()
    assert matrix[0].sum() == 101, "a new category is none of those known"


def test_truths_are_no_numbers() -> None:
    assert is_number(pd.Series([1, 2]))
    assert not is_number(pd.Series([True, False]))
    assert not is_number(pd.Series(["a", "b"]))
