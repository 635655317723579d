"""The protocols: how a data set is split into training and test rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from evoter.experiments.classification.task import Labels, Task

TEST_SHARE = 0.3

PROTOCOLS = {
    "clean": "stratified random splits 70/30; no row is on both sides",
    "paper": "the paper's: rows are drawn with replacement, then split 70/30, so that copies of training rows are "
    "among the test rows: accuracies are too high for every model, and the more so the more it remembers",
    "seen": "a random 70 % of the rows to learn from, and test rows drawn with replacement from all rows: most of them "
    "were learnt from",
    "shuffled": "as clean, with the classes of the training rows shuffled: there is nothing to learn, and what is more "
    "accurate than chance is wrong",
}
"""What each protocol does, as described above its table."""


class Split(NamedTuple):
    """Row numbers of both sides, and the classes that the training rows are given."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]
    labels: Labels


def split(task: Task, protocol: str, seed: int) -> Split:
    """Divide a data set; the same seed always gives the same rows.

    A published split is always the publisher's, so its seeds are seeds of the models alone.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(task.target))
    if protocol == "paper":
        rows = rng.integers(len(rows), size=len(rows))
    if task.published_test is not None:
        train, test = rows[~task.published_test[rows]], rows[task.published_test[rows]]
    else:
        train, test = train_test_split(rows, test_size=TEST_SHARE, stratify=task.target[rows], random_state=seed)
    if protocol == "seen":
        test = rng.integers(len(rows), size=len(test))
    labels = task.target[train]
    return Split(train, test, rng.permutation(labels) if protocol == "shuffled" else labels)


def applies(task: Task, protocol: str) -> bool:
    """Return whether a protocol is applicable: a bootstrap would undo a published split."""
    return protocol not in ("paper", "seen") or task.published_test is None
