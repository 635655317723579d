"""Out-of-bag predictions and importances are scikit-learn's, and do not depend on the number of threads."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from evoter.problems.classification.targets.designs import TreeDesign
from evoter.problems.classification.targets.forest import MAX_TREES, out_of_bag


def test_the_probabilities_are_scikit_learns() -> None:
    rng = np.random.default_rng(0)
    design, classes = rng.normal(size=(150, 4)), rng.integers(0, 3, 150)
    lines = np.array([0, 1, 1, 2])
    ours = out_of_bag(TreeDesign(design, lines), classes, 3, np.ones(150), 1)
    forest = RandomForestClassifier(MAX_TREES, random_state=0, oob_score=True).fit(design, classes, np.ones(150))
    assert ours.probabilities == pytest.approx(forest.oob_decision_function_, abs=1e-3)
    of_lines = np.bincount(lines, forest.feature_importances_)
    assert ours.importances == pytest.approx(of_lines, abs=2**-9)
    for one, other in zip(ours, out_of_bag(TreeDesign(design, lines), classes, 3, np.ones(150), 2), strict=True):
        assert np.array_equal(one, other)


def test_classes_that_do_not_occur_are_never_predicted() -> None:
    rng = np.random.default_rng(1)
    design = TreeDesign(rng.normal(size=(60, 2)), np.arange(2))
    ours = out_of_bag(design, rng.choice([0, 2], 60), 4, np.ones(60), 1).probabilities
    assert ours.shape == (60, 4)
    assert not ours[:, [1, 3]].any()
    assert np.allclose(ours.sum(axis=1), 1.0)
