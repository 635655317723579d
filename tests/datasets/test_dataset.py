"""A data set shows what it is in one line."""

import numpy as np

from evoter.datasets import DATASETS
from evoter.datasets.dataset import dataset_of


def test_a_data_set_shows_shape_and_classes() -> None:
    info = DATASETS["human_activity_signals"]
    target = np.array(["SITTING", "LAYING"] * 600)
    dataset = dataset_of(info, np.zeros((1200, 2, 4)), target, feature_names=["x", "y"])
    assert repr(dataset) == "<Dataset human_activity_signals: 1,200 x 2 x 4; LAYING 600, SITTING 600>"
    assert dataset.class_counts == {"LAYING": 600, "SITTING": 600}
    assert dataset.feature_names == ("x", "y")
    assert dataset.units == {}
    assert (dataset.source, dataset.licence, dataset.citation) == (info.source, info.licence, info.citation)
