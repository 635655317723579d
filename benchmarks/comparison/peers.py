"""Rule learners of other packages, none of which this project needs: each is imported when it is made."""

import contextlib
import io
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from comparison.filling import Filled, Truths
from comparison.ordered import OrderedClasses
from evoter.experiments.classification.table_models import OfNumbers, count_all_nodes, count_nodes
from evoter.experiments.classification.task import Labels


def shrunk_tree() -> OfNumbers:
    """Return imodels' hierarchically shrunk tree."""
    return OfNumbers(import_module("imodels").HSTreeClassifier(), lambda model: count_nodes(model.estimator_))


def boosted_rules(seed: int) -> OfNumbers:
    """Return imodels' boosted rules: stumps that vote."""
    return OfNumbers(import_module("imodels").BoostedRulesClassifier(random_state=seed), count_all_nodes)


def c45() -> OfNumbers:
    """Return imodels' C4.5."""
    return OfNumbers(import_module("imodels").C45TreeClassifier(), lambda model: int(model.complexity_))


def tree_sums(seed: int) -> OfNumbers:
    """Return imodels' FIGS: a sum of small trees."""
    return OfNumbers(import_module("imodels").FIGSClassifier(random_state=seed), lambda model: int(model.complexity_))


def explainable_boosting(seed: int) -> OfNumbers:
    """Return interpret's explainable boosting machine: a sum of graphs, whose size is the number of their steps."""
    classifier = import_module("interpret.glassbox").ExplainableBoostingClassifier(random_state=seed, n_jobs=1)
    return OfNumbers(classifier, lambda model: sum(term.size for term in model.term_scores_))


class Ripper:
    """wittgenstein's RIPPER for one class; an interval of a number counts as one condition, as it does there."""

    def __init__(self, seed: int) -> None:
        self.learner = import_module("wittgenstein").RIPPER(random_state=seed)

    def fit(self, X: pd.DataFrame, is_class: NDArray[np.bool_]) -> None:
        """Learn rules for the rows of the class."""
        self._filling = Filled().fit(X)
        self.learner.fit(self._filling.transform(X), is_class.astype(int), pos_class=1)

    def covers(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Say for which rows some rule holds."""
        return np.asarray(self.learner.predict(self._filling.transform(X)), dtype=bool)

    def n_conditions(self) -> int:
        """Count the conditions of all rules."""
        return int(self.learner.ruleset_.count_conds())


class ColumnGeneration:
    """aix360's Boolean rules by column generation (BRCG) for one class, over the deciles of numbers."""

    def __init__(self) -> None:
        self.learner = import_module("aix360.algorithms.rbm").BooleanRuleCG(solver="CLARABEL", silent=True)

    def fit(self, X: pd.DataFrame, is_class: NDArray[np.bool_]) -> None:
        """Learn rules for the rows of the class."""
        self._truths = Truths().fit(X)
        self.learner.fit(self._truths.transform(X), is_class.astype(int))

    def covers(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Say for which rows some rule holds."""
        return np.asarray(self.learner.predict(self._truths.transform(X)), dtype=bool)

    def n_conditions(self) -> int:
        """Count the conditions of the conjunctions that were selected."""
        return int(self.learner.z.loc[:, self.learner.w > 0.5].to_numpy().sum())


def ripper(seed: int) -> OrderedClasses:
    """Return RIPPER for any number of classes."""
    return OrderedClasses(lambda: Ripper(seed))


def column_generation() -> OrderedClasses:
    """Return BRCG for any number of classes."""
    return OrderedClasses(ColumnGeneration)


class RuleKit:
    """RuleKit's rules by separate and conquer, which vote; it runs in Java."""

    def __init__(self) -> None:
        self.learner: Any = import_module("rulekit.classification").RuleClassifier()

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Learn rules for all classes."""
        self._filling = Filled().fit(X)
        with contextlib.redirect_stdout(io.StringIO()):
            self.learner.fit(self._filling.transform(X).reset_index(drop=True), y)

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        return np.asarray(self.learner.predict(self._filling.transform(X).reset_index(drop=True)), dtype=str)

    def complexity(self) -> int:
        """Count the conditions of all rules."""
        statistics = self.learner.model.stats
        n_conditions: float = statistics.rules_count * statistics.conditions_per_rule
        return round(n_conditions)

    def rules(self) -> str:
        """Return nothing: the table is about this project's rules."""
        return ""
