"""Explained variance has an interval that contains it."""

import numpy as np
import pytest
from sklearn.metrics import r2_score

from evoter.distillation.agreement import Explained


def test_the_interval_contains_the_value() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=100)
    predictions = numbers + rng.normal(scale=0.3, size=100)
    found = Explained.of(numbers, predictions)
    assert found.value == pytest.approx(r2_score(numbers, predictions))
    assert found.low < found.value < found.high < 1.0
    assert Explained.of(numbers, predictions) == found, "the same rows give the same interval"
