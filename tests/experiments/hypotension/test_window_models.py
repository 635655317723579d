"""Rules, trees and forests read the same windows."""

from typing import Any

import numpy as np

from evoter.experiments.hypotension.window_models import Rules, Windowing, forest, tree, try_out
from evoter.tables.series import read_panel
from pressures import pressures


def test_trees_read_what_rules_read() -> None:
    panel, _ = pressures(2)
    windowing = Windowing(5, 2, statistics=("mean", "max"))
    table = windowing.table(panel)
    windows = windowing.transformer().fit_transform(panel)
    assert table.tolist() == [windows[i][:, -2:].ravel().tolist() for i in range(2)]


def test_windows_before_the_series_are_missing() -> None:
    short = read_panel([[1.0, 2.0, 3.0]])
    table = Windowing(2, 3, statistics=("mean",)).table(short)
    np.testing.assert_equal(table, [[np.nan, np.nan, 2.5]])


def test_all_models_find_what_is_there_to_be_found() -> None:
    panel, labels = pressures()
    windowing = Windowing(5, 2)
    models: list[Any] = [Rules(windowing, 0, generations=5), tree(windowing, 0), forest(windowing, 0)]
    for model in models:
        assert (model.fit(panel, labels).predict(panel) == labels).all()
    assert models[0].n_conditions == models[1].n_conditions == 1
    assert models[2].n_conditions == sum(each.get_n_leaves() - 1 for each in models[2].estimator.estimators_)


def test_a_model_is_fitted_once_and_tried_on_every_test_set() -> None:
    panel, labels = pressures()
    model = Rules(Windowing(5, 2), 0, generations=3)
    trials = try_out(
        model, (panel, labels), {"all": (panel, labels), "half": (panel[6:18], labels[6:18])}, "hypotension", (5, "min")
    )
    assert list(trials) == ["all", "half"]
    assert trials["all"].scores.accuracy == 1.0
    assert "min]" in trials["all"].rules or "MAP" in trials["all"].rules
    assert trials["all"].n_conditions == 1
