"""What pinned rules add to the counts of every individual."""

import numpy as np
import pytest

from evoter.problems.classification.fitness import Counts
from evoter.problems.classification.pinned_counts import PinnedCounts
from evoter.problems.guarding import PinnedDecisions

GIVEN = PinnedDecisions(
    free=np.array([True, False, False, False]),
    rules=np.array([2, 0, 1, 1]),
    actions=np.array([0, 1, 2, 2]),
    certainties=np.array([1.0, 0.8, 1.0, 1.0]),
)
"""The second row is decided by the first rule, the last two by the second one."""


def pinned() -> PinnedCounts:
    rows, classes = np.array([0, 1, 2, 3]), np.array([0, 1, 2, 0])
    return PinnedCounts.of(GIVEN, 2, rows, classes, np.array([1.0, 2.0, 3.0, 4.0]))


def test_rows_count_by_rule_and_class_with_their_weights() -> None:
    counts = pinned()
    assert counts.weights.tolist() == [[0.0, 2.0, 0.0], [4.0, 0.0, 3.0]]
    assert counts.actions.tolist() == [1, 2]


def test_counts_of_actions_and_losses_are_added() -> None:
    empty = Counts(np.zeros((5, 3, 3)), np.zeros(5), np.ones(3))
    weights = np.array([1.0, 10.0, 1.0])
    added = pinned().added_to(empty, weights, with_log_loss=True)
    assert added.confusion[3].tolist() == [[0, 0, 0], [0, 20, 0], [4, 0, 3]]
    expected = -20 * np.log(0.8) - 4 * np.log(1e-15)
    assert added.log_loss == pytest.approx(np.full(5, expected))


def test_rules_come_before_the_others() -> None:
    counts = pinned().put_before(Counts(np.ones((5, 4, 3)), np.zeros(5), np.ones(3)), 3)
    assert counts.confusion.shape == (5, 6, 3)
    assert counts.confusion[2, :2].tolist() == pinned().weights.tolist()
