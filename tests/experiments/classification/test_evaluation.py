"""Fits are evaluated on unseen rows; measures are those of the paper, and tests account for overlapping splits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from evoter.experiments.classification.evaluation import chance, corrected_t_test, evaluate
from evoter.experiments.classification.splits import Split
from evoter.experiments.classification.table_models import decision_tree
from evoter.experiments.classification.task import Task
from steps import LEVELS, STEPS


@given(st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=12).filter(lambda values: np.std(values) > 1e-3))
def test_the_corrected_test_is_the_t_test_when_nothing_overlaps(differences: list[float]) -> None:
    plain = ttest_1samp(differences, 0).pvalue
    assert corrected_t_test(differences, 10**12, 1) == pytest.approx(plain, abs=1e-6)
    corrected = corrected_t_test(differences, 70, 30)
    assert corrected is not None
    assert corrected >= plain - 1e-12, "it is the more careful of the two"


def test_the_corrected_test_at_its_edges() -> None:
    assert corrected_t_test([0.1], 70, 30) is None
    assert corrected_t_test([0.0, 0.0], 70, 30) == 1
    assert corrected_t_test([0.1, 0.1], 70, 30) == 0


def test_chance() -> None:
    assert chance(["a", "a", "a", "b"], ["a", "b", "b", "b"]) == pytest.approx((0.25, 0.375))


def test_both_sides_are_judged_apart() -> None:
    """A stump knows two of three classes."""
    rows = Split(np.arange(20), np.arange(20, 30), LEVELS[:20])
    found = evaluate(decision_tree(1, 0), Task("steps", "", STEPS, LEVELS), rows)
    assert (found.train_accuracy, found.test_accuracy) == (1.0, 0.0)
    assert found.complexity == 1
    assert found.features == ()
    assert found.seconds > 0


def test_labels_are_those_that_the_split_gives() -> None:
    rows = Split(np.arange(0, 30, 2), np.arange(1, 30, 2), np.repeat("low", 15))
    found = evaluate(decision_tree(None, 0), Task("steps", "", STEPS, LEVELS), rows)
    assert found.test_accuracy == pytest.approx(1 / 3)
