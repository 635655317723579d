"""Exact moves are rewarded for decisions that constraints ask for, on the rows that they are about."""

import numpy as np

from evoter.problems.classification.group_counts import GroupCounter, GroupMeasure
from evoter.problems.classification.group_rewards import draw_group_rewards
from evoter.tables.groups import group_rows

CLASSES = np.array([0, 1, 1, 0, 1, 0])
GROUPS = GroupCounter([group_rows("sex", list("ffmmfm"))], 6, 2)


def drawn(rates: tuple[str, ...], kind: str = "difference") -> np.ndarray:
    """Return the rewards for a measure of class 1."""
    measure = GroupMeasure("measure", rates, 1, kind)
    return draw_group_rewards([measure], GROUPS, CLASSES, np.arange(6), np.random.default_rng(2))


def test_recall_is_rewarded_on_its_class_alone() -> None:
    added = drawn(("true_positive_rate",), "value")
    assert (added[CLASSES == 1, 1] > 0).all()
    assert not added[CLASSES == 0].any()
    assert not added[:, 0].any()


def test_rows_of_one_group_get_the_same() -> None:
    added = drawn(("selection_rate",))
    women = np.array([True, True, False, False, True, False])
    assert len(set(added[women, 1])) == len(set(added[~women, 1])) == 1
    assert added[0, 1] != added[2, 1]
    assert not added[:, 0].any()


def test_error_rates_concern_the_rows_that_they_are_about() -> None:
    assert drawn(("false_negative_rate",))[:, 1].astype(bool).tolist() == (CLASSES == 1).tolist()
    assert drawn(("false_positive_rate",))[:, 1].astype(bool).tolist() == (CLASSES == 0).tolist()
    assert drawn(("true_positive_rate", "false_positive_rate"))[:, 1].all()
    right = drawn(("accuracy",)).astype(bool)
    assert right[np.arange(6), CLASSES].all()
    assert right.sum() == 6
