"""One fit is judged on the rows that it has not learnt from."""

import numpy as np
import pytest

from evoter.experiments.classification.measuring import judge
from evoter.experiments.classification.models import decision_tree
from evoter.experiments.classification.splits import Split
from evoter.experiments.classification.task import Task
from steps import LEVELS, STEPS


def test_both_sides_are_judged_apart() -> None:
    """A stump knows two of three classes."""
    rows = Split(np.arange(20), np.arange(20, 30), LEVELS[:20])
    found = judge(decision_tree(1, 0), Task("steps", "", STEPS, LEVELS), rows)
    assert (found.train_accuracy, found.test_accuracy) == (1.0, 0.0)
    assert found.complexity == 1
    assert found.features == ()
    assert found.seconds > 0


def test_labels_are_those_that_the_split_gives() -> None:
    rows = Split(np.arange(0, 30, 2), np.arange(1, 30, 2), np.repeat("low", 15))
    found = judge(decision_tree(None, 0), Task("steps", "", STEPS, LEVELS), rows)
    assert found.test_accuracy == pytest.approx(1 / 3)
