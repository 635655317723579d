"""Classifiers of series from aeon, which this project does not need: each is imported when it is made."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from evoter.experiments.activity.signals import as_series
from evoter.experiments.classification.table_models import count_all_nodes, count_nodes
from evoter.experiments.classification.task import Labels
from series_tasks.activity_models import SeriesEntry

SEARCH_MINUTES = 2.0
"""The longest that shapelets are searched for."""

N_SHAPELETS = 10_000
"""The most of them that are tried, aeon's default."""


class OnSeries:
    """An estimator that reads (instances, channels, time), with a way to count what it learnt."""

    def __init__(self, estimator: Any, count: Callable[[Any], int]) -> None:
        self.estimator = estimator
        self.count = count

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Fit the estimator on series."""
        self.estimator.fit(as_series(X), y)

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        return np.asarray(self.estimator.predict(as_series(X)), dtype=str)

    def complexity(self) -> int:
        """Count what the estimator learnt."""
        return self.count(self.estimator)

    def rules(self) -> str:
        """Return nothing: the table is about this project's rules."""
        return ""


def interval_forest(seed: int) -> OnSeries:
    """Return a forest of a hundred trees on mean, deviation and slope of random intervals."""
    package = import_module("aeon.classification.interval_based")
    return OnSeries(package.TimeSeriesForestClassifier(n_estimators=100, n_jobs=-1, random_state=seed), count_all_nodes)


def shapelet_tree(seed: int) -> OnSeries:
    """Return a decision tree on the distances to shapelets."""
    package = import_module("aeon.transformations.collection.shapelet_based")
    shapelets = package.RandomShapeletTransform(
        time_limit_in_minutes=SEARCH_MINUTES,
        contract_max_n_shapelet_samples=N_SHAPELETS,
        n_jobs=-1,
        random_state=seed,
    )
    tree = DecisionTreeClassifier(random_state=seed)
    return OnSeries(make_pipeline(shapelets, tree), lambda model: count_nodes(model[-1]))


def catch22_tree(seed: int) -> OnSeries:
    """Return a decision tree on the 22 canonical characteristics of each signal."""
    package = import_module("aeon.classification.feature_based")
    tree = DecisionTreeClassifier(random_state=seed)
    model = package.Catch22Classifier(estimator=tree, n_jobs=-1, random_state=seed)
    return OnSeries(model, lambda model: count_nodes(model.estimator_))


def catch22_forest(seed: int) -> OnSeries:
    """Return a random forest on the same characteristics."""
    package = import_module("aeon.classification.feature_based")
    model = package.Catch22Classifier(n_jobs=-1, random_state=seed)
    return OnSeries(model, lambda model: count_all_nodes(model.estimator_))


def random_kernels(seed: int) -> OnSeries:
    """Return a linear model on random convolutions."""
    package = import_module("aeon.classification.convolution_based")
    return OnSeries(
        package.MiniRocketClassifier(n_jobs=-1, random_state=seed), lambda model: int(model.estimator_.coef_.size)
    )


def _peer(name: str, title: str, make: Callable[[int], OnSeries], *, transparent: bool = False) -> SeriesEntry:
    # Compiled code is deaf to alarms, so each is fitted in a process that can be killed.
    return SeriesEntry(name, title, make, "aeon", "aeon", transparent=transparent, apart=True)


PEERS = (
    _peer("shapelet-tree", "shapelet tree", shapelet_tree, transparent=True),
    _peer("catch22-tree", "catch22 tree", catch22_tree, transparent=True),
    _peer("catch22", "catch22 forest", catch22_forest),
    _peer("tsf", "time series forest", interval_forest),
    _peer("minirocket", "MiniRocket", random_kernels),
)
"""A shapelet tree, canonical characteristics, an interval method and random convolutions.

A dictionary method is not among them: WEASEL-MUSE takes more than 20 GB of memory on seven thousand of these series.
"""
