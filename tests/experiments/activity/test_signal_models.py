"""Models on signals look at what they say."""

import pytest

from evoter.experiments.activity.signal_models import decision_tree, raw_values, statistics
from evoter.experiments.activity.signals import WARM_UP, as_series, load_signals


def test_statistics_are_those_of_the_whole_series() -> None:
    frame = load_signals(WARM_UP).data
    made = statistics(frame)
    assert made.shape == (60, 72)
    assert made["body_acc_y.mean"].to_numpy() == pytest.approx(as_series(frame)[:, 4].mean(axis=1))


def test_a_tree_with_one_node_uses_one_column() -> None:
    task = load_signals(WARM_UP)
    model = decision_tree(raw_values, 0)
    model.estimator.set_params(max_depth=1)
    model.fit(task.data, task.target)
    assert len(model.features_used()) == model.complexity() == 1
