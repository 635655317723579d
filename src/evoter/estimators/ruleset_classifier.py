"""RuleSetClassifier: a scikit-learn classifier from rules that a person has written or edited."""

import os
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from evoter.estimators.classification.given_rules import GivenRules
from evoter.estimators.classification.table_answers import TableAnswers
from evoter.estimators.inputs import columns_at, is_frame, read_table
from evoter.estimators.run_parameters import CLASSIFIER_PARAMETERS, share_parameters
from evoter.kernels.layout import Floats
from evoter.rules.errors import SchemaError
from evoter.rules.files.sources import Rules
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.tables import infer_schema
from evoter.tables.sources import Table, open_table


@share_parameters(CLASSIFIER_PARAMETERS)
class RuleSetClassifier(TableAnswers, GivenRules):
    """A classifier that is a given rule set: a person's, an edited one, or one from a file.

    `fit` measures what each rule does on the training rows, from which probabilities follow; it never changes the
    rules. Everything else is as for `EvoterClassifier`. The columns that rules read are found by name; those of an
    array are the features that the rules declare, in their order, if there are as many, or else x0, x1, ...

    Parameters
    ----------
    ruleset : RuleSet, str or path
        The rules: an object, text, or the path of a file.

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, over the features they read, with their track records.
    classes_ : ndarray
        The classes of the training rows and those that rules decide, in order. Labels and actions match by name: the
        label 1 is the action "1".
    schema_ : Schema
        All columns of the training table; those that the rules declare are as they say.
    rule_probabilities_ : ndarray of shape (n_rules + 1, n_classes)
        Smoothed class frequencies of the training rows that each rule, and the default, decided.
    times_applied_, times_decided_, feature_importances_, n_features_in_, feature_names_in_
        As for `EvoterClassifier`.
    n_right_, n_rows_ : int
        The number of training rows whose class the rules decide, and of all training rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from evoter import RuleSetClassifier
    >>> iris = load_iris(as_frame=True)
    >>> model = RuleSetClassifier('''
    ... "petal length (cm)" < 2.5 -> setosa
    ... "petal width (cm)" > 1.7 -> virginica
    ... Default -> versicolor
    ... ''').fit(iris.data, iris.target_names[iris.target])
    >>> model.score(iris.data, iris.target_names[iris.target])
    0.96
    >>> model.predict_proba(iris.data.iloc[[60]]).round(2)
    array([[0.  , 0.97, 0.03]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"ruleset": [RuleSet, str, os.PathLike]}

    def __init__(self, ruleset: Rules, *, class_weight: str | Mapping[Any, float] | None = None) -> None:
        self.ruleset = ruleset
        self.class_weight = class_weight

    @classmethod
    def from_ruleset(
        cls,
        ruleset: Rules,
        *,
        classes: Sequence[Any] | None = None,
        class_weight: str | Mapping[Any, float] | None = None,
    ) -> "RuleSetClassifier":
        """Return a model that predicts without having been fitted.

        It has probabilities if the rules bring track records, as those of a fitted model do. `classes` are the labels
        to predict, such as [0, 1]; None takes the actions of the rules, which are text. `fit` measures the rules and
        never changes them.
        """
        return cls(ruleset, class_weight=class_weight)._become_unseen(classes)

    def _read(self, X: Any, *, reset: bool) -> Any:
        if reset:
            self._unseen = False
        if not self._unseen:
            return read_table(self, X, reset=reset)
        table = open_table(X)
        # Without any column a frame would have no rows.
        return columns_at(X if is_frame(X) else np.array(X, object), table.positions(self.schema_) or [0])

    def _expect(self, ruleset: RuleSet) -> None:
        self._unseen = True
        self._unreadable: frozenset[str] = frozenset()

    def _describe_given(self, examples: Any, ruleset: RuleSet, actions: Sequence[str]) -> Schema:
        table = open_table(examples)
        names = column_names(table, ruleset)
        declared = ruleset.schema
        found = {
            name: declared.feature(name) if name in declared else inferred_feature(examples, position, name)
            for position, name in enumerate(names)
        }
        self._unreadable = frozenset(name for name, feature in found.items() if feature is None)
        return Schema([feature or Feature(name) for name, feature in found.items()], actions)

    def _readable(self) -> Collection[str]:
        return [name for name in self.schema_.names if name not in self._unreadable]

    def _encode(self, examples: Any) -> Floats:
        features = [self.schema_.feature(name) for name in self._readable()]
        return self._encode_as(examples, Schema(features, self.schema_.actions))


def column_names(table: Table, ruleset: RuleSet) -> Sequence[str]:
    """Return the names of the columns of a training table: its own, those that the rules declare, or x0, x1, ..."""
    numbered = [f"x{position}" for position in range(table.n_columns)]
    if table.names is None and table.n_columns == len(ruleset.schema.features):
        return ruleset.schema.names
    names = numbered if table.names is None else table.names
    features = [ruleset.schema.feature(name) for name in ruleset.features_used]
    if features:
        table.positions(Schema(features, ruleset.schema.actions))  # refuses a table that lacks some of them
    return names


def inferred_feature(examples: Any, position: int, name: str) -> Feature | None:
    """Return what a column that the rules do not declare holds; None if rules could not read it."""
    column = columns_at(examples, [position])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no rule reads it
        try:
            (feature,) = infer_schema(column, actions=["any"]).features
        except (SchemaError, TypeError):
            return None
    return replace(feature, name=name)
