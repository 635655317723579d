"""The interface of the models that are compared on tables, and those of this project and of scikit-learn."""

from collections.abc import Callable, Collection
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterClassifier
from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.experiments.classification.preparation import Numbers
from evoter.experiments.classification.task import Labels


class Model(Protocol):
    """A classifier that reads a table of numbers, categories and missing values, and can be counted."""

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Learn from training rows."""

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""

    def complexity(self) -> int:
        """Return the number of conditions in rules, decision nodes in trees, or parameters."""

    def rules(self) -> str:
        """Return the rules as text; empty for models without rules."""


@runtime_checkable
class NamesFeatures(Protocol):
    """A model that can tell which of its features it uses."""

    def features_used(self) -> Collection[str]:
        """Return the names of the features, each once."""


class Evoter:
    """EvoterClassifier with its defaults but for some parameters, on all cores."""

    def __init__(self, seed: int, **parameters: Any) -> None:
        self.classifier: EvolvedClassifier = EvoterClassifier(random_state=seed, n_jobs=-1, **parameters)

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Evolve rules; an interrupted search raises KeyboardInterrupt, since it is not a result."""
        self.classifier.fit(X, y)
        if self.classifier.stop_reason_ == "interrupted":
            raise KeyboardInterrupt

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        return np.asarray(self.classifier.predict(X), dtype=str)

    def complexity(self) -> int:
        """Count the conditions of the rule set."""
        return self.classifier.ruleset_.n_conditions

    def rules(self) -> str:
        """Return the rule set as text that can be parsed again."""
        return str(self.classifier.ruleset_)


class OfNumbers:
    """An estimator with scikit-learn's interface that needs a numeric matrix, with a function that counts its size."""

    def __init__(self, estimator: Any, count: Callable[[Any], int]) -> None:
        self.estimator = estimator
        self.count = count

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Learn the matrix's columns, then fit the estimator."""
        self._numbers = Numbers().fit(X)
        self._classes, codes = np.unique(y, return_inverse=True)
        self.estimator.fit(self._numbers.transform(X), codes)

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        codes = np.asarray(self.estimator.predict(self._numbers.transform(X)), dtype=int)
        return np.asarray(self._classes[codes], dtype=str)

    def complexity(self) -> int:
        """Count what the estimator learnt."""
        return self.count(self.estimator)

    def rules(self) -> str:
        """Return nothing: the table is about this project's rules."""
        return ""


def count_parameters(naive_bayes: Any) -> int:
    """Count a mean and a deviation for each feature and class."""
    return int(2 * naive_bayes.theta_.size)


def count_nodes(tree: Any) -> int:
    """Count the decision nodes of a fitted tree, leaves left out."""
    children: NDArray[np.intp] = tree.tree_.children_left
    return int((children >= 0).sum())


def count_all_nodes(ensemble: Any) -> int:
    """Count the decision nodes of all trees of an ensemble."""
    return sum(count_nodes(tree) for tree in ensemble.estimators_)


def count_full_nodes(estimator: Any) -> int | None:
    """Count the decision nodes that a tree, or all trees of an ensemble, would have if they were full to their depth.

    None for what has no depth.
    """
    trees = getattr(estimator, "estimators_", [estimator])
    if not all(hasattr(tree, "get_depth") for tree in trees):
        return None
    return int(sum(2 ** tree.get_depth() - 1 for tree in trees))


def count_boosted_nodes(boosting: Any) -> int:
    """Count the decision nodes of all trees of histogram boosting, which has a tree per class in each round."""
    return sum(tree.get_n_leaf_nodes() - 1 for round_ in boosting._predictors for tree in round_)


def naive_bayes() -> OfNumbers:
    """Return Gaussian naive Bayes."""
    return OfNumbers(GaussianNB(), count_parameters)


def decision_tree(depth: int | None, seed: int) -> OfNumbers:
    """Return a tree of at most `depth` levels; None for a full one."""
    return OfNumbers(DecisionTreeClassifier(max_depth=depth, random_state=seed), count_nodes)


def random_forest(seed: int) -> OfNumbers:
    """Return a forest of a hundred full trees."""
    return OfNumbers(RandomForestClassifier(100, random_state=seed, n_jobs=-1), count_all_nodes)


def gradient_boosting(seed: int) -> OfNumbers:
    """Return histogram boosting."""
    return OfNumbers(HistGradientBoostingClassifier(random_state=seed), count_boosted_nodes)
