"""A data set shows what it is in one line."""

import numpy as np
import pytest

from evoter.datasets import DATASETS
from evoter.datasets.dataset import dataset_of, load_library, load_pandas


def test_a_data_set_shows_shape_and_classes() -> None:
    info = DATASETS["human_activity_signals"]
    target = np.array(["SITTING", "LAYING"] * 600)
    dataset = dataset_of(info, np.zeros((1200, 2, 4)), target, feature_names=["x", "y"])
    assert repr(dataset) == "<Dataset human_activity_signals: 1,200 x 2 x 4; LAYING 600, SITTING 600>"
    assert dataset.class_counts == {"LAYING": 600, "SITTING": 600}
    assert dataset.feature_names == ("x", "y")
    assert dataset.units == {}
    assert (dataset.source, dataset.licence, dataset.citation) == (info.source, info.licence, info.citation)


def test_a_library_that_is_there_is_loaded() -> None:
    assert load_pandas().__name__ == "pandas"


def test_a_library_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(ImportError, match=r'needs no_such_library, .* pip install "evoter\[data\]"') as caught:
        load_library("no_such_library.part")
    assert caught.value.name == "no_such_library"
