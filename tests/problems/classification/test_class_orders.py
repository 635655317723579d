"""Orders by class have every row once, whole words a class, and class proportions in every prefix."""

import numpy as np

from evoter.kernels.layout import WORD
from evoter.problems.classification.class_orders import sorted_by_class, spread_by_class


def test_classes_begin_at_whole_words() -> None:
    classes = np.array([2, 0, 2, 0, 0])
    positions, segments = sorted_by_class(classes, 4)
    assert segments.tolist() == [0, 1, 1, 2, 2]
    assert positions[:4].tolist() == [1, 3, 4, -1]
    assert positions[WORD : WORD + 3].tolist() == [0, 2, -1]


def test_every_prefix_has_the_proportions_of_the_whole() -> None:
    classes = np.repeat([0, 1], [900, 100])
    order = spread_by_class(classes)
    assert sorted(order.tolist()) == list(range(1_000))
    for n in (10, 100, 500):
        assert abs(classes[order[:n]].mean() - 0.1) < 0.1 / np.sqrt(n) + 0.05
