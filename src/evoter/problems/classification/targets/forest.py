"""Out-of-bag class probabilities of a random forest, and what it says about the importance of each line."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.collector import importing
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.targets.designs import TreeDesign

MAX_TREES: Final = 100
MIN_TREES: Final = 25

_ENOUGH_WORK: Final = 10_000_000
"""Rows times the root of the columns, times trees: what the forest may cost before it gets fewer trees."""

_SEED: Final = 0
"""A fixed seed: the targets belong to the task, not to the search."""


_STEP: Final = 2.0**-8
"""Importances are rounded to multiples of this, so that the last bits of sums do not matter."""


class OutOfBag(NamedTuple):
    """Class probabilities of rows [row, class] by trees that have not seen them, and importances of lines."""

    probabilities: Floats
    importances: Floats


def out_of_bag(design: TreeDesign, classes: Ints, n_classes: int, weights: Floats, n_threads: int) -> OutOfBag:
    """Return for each row the class probabilities of the trees whose sample does not have the row."""
    with importing():
        from sklearn.ensemble import RandomForestClassifier  # slow to import

    matrix = design.matrix
    work = len(matrix) * np.sqrt(matrix.shape[1])
    n_trees = int(np.clip(_ENOUGH_WORK / work, MIN_TREES, MAX_TREES))
    forest = RandomForestClassifier(n_trees, random_state=_SEED, n_jobs=n_threads)
    forest.fit(matrix, classes, sample_weight=weights)
    totals = np.zeros((len(matrix), n_classes))
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(len(matrix), np.bool_)
        unseen[drawn] = False
        if unseen.any():
            totals[np.ix_(unseen, forest.classes_)] += tree.predict_proba(matrix[unseen])
    totals += np.bincount(classes, weights, n_classes) / weights.sum() * 1e-3  # for rows that every tree has seen
    importances = np.bincount(design.lines, forest.feature_importances_)
    return OutOfBag(totals / totals.sum(axis=1, keepdims=True), np.rint(importances / _STEP) * _STEP)
