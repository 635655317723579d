"""Out-of-bag class probabilities of a random forest."""

from typing import Final

import numpy as np

from evoter.kernels.layout import Floats, Ints

MAX_TREES: Final = 100
MIN_TREES: Final = 25

_ENOUGH_WORK: Final = 30_000_000
"""Rows times the root of the columns, times trees: what the forest may cost before it gets fewer trees."""

_SEED: Final = 0
"""A fixed seed: the targets belong to the task, not to the search."""


def out_of_bag(design: Floats, classes: Ints, n_classes: int, weights: Floats, n_threads: int) -> Floats:
    """Return for each row the class probabilities of the trees whose sample does not have the row."""
    from sklearn.ensemble import RandomForestClassifier  # slow to import

    work = len(design) * np.sqrt(design.shape[1])
    n_trees = int(np.clip(_ENOUGH_WORK / work, MIN_TREES, MAX_TREES))
    forest = RandomForestClassifier(n_trees, random_state=_SEED, n_jobs=n_threads)
    forest.fit(design, classes, sample_weight=weights)
    totals = np.zeros((len(design), n_classes))
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(len(design), np.bool_)
        unseen[drawn] = False
        if unseen.any():
            totals[np.ix_(unseen, forest.classes_)] += tree.predict_proba(design[unseen])
    totals += np.bincount(classes, weights, n_classes) / weights.sum() * 1e-3  # for rows that every tree has seen
    probabilities: Floats = totals / totals.sum(axis=1, keepdims=True)
    return probabilities
