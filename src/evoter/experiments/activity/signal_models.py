"""EVOTER and scikit-learn's classifiers on raw values and on statistics of windows, with the features they look at."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterTimeSeriesClassifier, WindowStatistics
from evoter.datasets.activity import SIGNALS
from evoter.experiments.activity.signals import N_SAMPLES, as_series
from evoter.experiments.classification.table_models import Evoter, count_all_nodes, count_nodes, count_parameters
from evoter.experiments.classification.task import Labels
from evoter.tables.series import read_panel

RAW_PARSIMONY = 0.0006
"""The price of a condition on raw values, chosen on folds of training rows; on statistics it is the default."""

UNITS = {signal: "rad/s" if "gyro" in signal else "g" for signal in SIGNALS}

Table = Callable[[pd.DataFrame], pd.DataFrame]


class EvoterOnSeries(Evoter):
    """EvoterTimeSeriesClassifier on all cores, on raw values or on statistics."""

    def __init__(self, windows: WindowStatistics | None, seed: int, **parameters: Any) -> None:
        self.classifier = EvoterTimeSeriesClassifier(
            windows=windows, channels=SIGNALS, units=UNITS, n_jobs=-1, random_state=seed, **parameters
        )

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Evolve rules from series."""
        super().fit(as_series(X), y)

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        return super().predict(as_series(X))

    def features_used(self) -> Collection[str]:
        """Return the signals with their lags, or the statistics, that some rule reads."""
        conditions = [condition for rule in self.classifier.ruleset_.rules for condition in rule.conditions]
        terms = {(term.feature, term.lag) for condition in conditions for term in condition.terms}
        return [f"{feature}[{lag}]" if feature in SIGNALS else feature for feature, lag in sorted(terms)]


def raw_values(X: pd.DataFrame) -> pd.DataFrame:
    """Return the table as it is."""
    return X


def statistics(X: pd.DataFrame) -> pd.DataFrame:
    """Return the statistics of one window, which is the whole of a series."""
    panel = WindowStatistics(N_SAMPLES).fit_transform(read_panel(as_series(X), channels=SIGNALS))
    return pd.DataFrame(panel.values.T, columns=panel.names)


class OnTable:
    """An estimator of scikit-learn's on a table made of the series, with ways to tell what it learnt.

    `count` counts its nodes or parameters, `used` returns the columns that it uses.
    """

    def __init__(
        self, estimator: Any, table: Table, count: Callable[[Any], int], used: Callable[[Any], Iterable[int]]
    ) -> None:
        self.estimator = estimator
        self.table = table
        self.count = count
        self.used = used

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Make the columns and fit the estimator."""
        columns = self.table(X)
        self._names = list(columns.columns)
        self.estimator.fit(columns.to_numpy(), y)

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        return np.asarray(self.estimator.predict(self.table(X).to_numpy()), dtype=str)

    def complexity(self) -> int:
        """Count what the estimator learnt."""
        return self.count(self.estimator)

    def rules(self) -> str:
        """Return nothing: the table is about this project's rules."""
        return ""

    def features_used(self) -> Collection[str]:
        """Return the names of the columns that the estimator uses."""
        return [self._names[index] for index in sorted(set(self.used(self.estimator)))]


def columns_of_tree(tree: Any) -> list[int]:
    """Return the columns that some decision node of a tree tests."""
    columns: NDArray[np.intp] = np.unique(tree.tree_.feature)
    return [int(column) for column in columns if column >= 0]


def columns_of_forest(forest: Any) -> list[int]:
    """Return the columns that some tree tests."""
    return [column for tree in forest.estimators_ for column in columns_of_tree(tree)]


def all_columns(estimator: Any) -> Iterable[int]:
    """Return every column that there is."""
    return range(estimator.n_features_in_)


def naive_bayes(table: Table, seed: int) -> OnTable:
    """Return Gaussian naive Bayes."""
    return OnTable(GaussianNB(), table, count_parameters, all_columns)


def decision_tree(table: Table, seed: int) -> OnTable:
    """Return a full tree."""
    return OnTable(DecisionTreeClassifier(random_state=seed), table, count_nodes, columns_of_tree)


def small_tree(table: Table, seed: int) -> OnTable:
    """Return a tree with as many decisions as the rules may have conditions."""
    tree = DecisionTreeClassifier(max_leaf_nodes=61, random_state=seed)
    return OnTable(tree, table, count_nodes, columns_of_tree)


def random_forest(table: Table, seed: int) -> OnTable:
    """Return a forest of a hundred full trees."""
    forest = RandomForestClassifier(100, random_state=seed, n_jobs=-1)
    return OnTable(forest, table, count_all_nodes, columns_of_forest)
