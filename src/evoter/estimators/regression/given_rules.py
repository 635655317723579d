"""RuleSetRegressor: a scikit-learn regressor from rules that a person has written or edited."""

import os
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval

from evoter.estimators.inputs import columns_at, is_frame, read_table
from evoter.estimators.regression.answering import RuleRegressor, read_training
from evoter.estimators.regression.settling import NumberRows, settle
from evoter.estimators.ruleset_classifier import column_names, inferred_feature
from evoter.rules.errors import did_you_mean
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.tables.sources import open_table


class RuleSetRegressor(RuleRegressor):
    """A regressor that is a given rule set with numeric actions: a person's, an edited one, or one from a file.

    `fit` measures how far off each rule is on the training rows, from which intervals follow; it never changes the
    rules. The columns that rules read are found by name; those of an array are the features that the rules declare, in
    their order, if there are as many, or else x0, x1, ...

    Parameters
    ----------
    ruleset : RuleSet, str or path
        The rules: an object, text, or the path of a file.
    level : float, default=0.9
        The share of true numbers that intervals are to contain.

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, over the features they read, with their residuals.
    schema_, times_applied_, times_decided_, feature_importances_, training_score_, n_rows_
        As for `EvoterRegressor`.

    Examples
    --------
    >>> from evoter import RuleSetRegressor
    >>> model = RuleSetRegressor.from_ruleset("age > 50 -> 12 + 0.5*age; Default -> 8.5")
    >>> model.predict([[60], [40]])
    array([42. ,  8.5])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "ruleset": [RuleSet, str, os.PathLike],
        "level": [Interval(Real, 0.0, 1.0, closed="neither")],
    }

    def __init__(self, ruleset: Rules, *, level: float = 0.9) -> None:
        self.ruleset = ruleset
        self.level = level

    @classmethod
    def from_ruleset(cls, ruleset: Rules, *, level: float = 0.9) -> "RuleSetRegressor":
        """Return a model that predicts without having been fitted.

        It has intervals if the rules bring residuals, as those of a fitted model do.
        """
        model = cls(ruleset, level=level)
        model._validate_params()
        given = _numeric(read_ruleset(ruleset)).restricted()
        model.schema_ = given.schema
        model.ruleset_ = given
        model._unseen = True
        return model

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Measure the rules on the rows `X` with the numbers `y`: residuals, counts and importances.

        The rules stay as they are. Rows of weight 0 count as absent.
        """
        self._validate_params()
        ruleset = _numeric(read_ruleset(self.ruleset))
        examples, numbers, weights, _ = read_training(self._read(X, reset=True), y, sample_weight)
        names = column_names(open_table(examples), ruleset)
        declared = ruleset.schema
        features = [
            declared.feature(name) if name in declared else inferred_feature(examples, position, name) or Feature(name)
            for position, name in enumerate(names)
        ]
        self.schema_ = declared.over(features)
        given = match_numbers(ruleset, self.schema_).restricted()
        rows = NumberRows(given.schema, self._encode_as(examples, given.schema), numbers, weights, level=self.level)
        self._become(settle(given, rows))
        self.feature_importances_ = np.array(
            [dict(zip(given.schema.names, self.feature_importances_, strict=True)).get(name, 0.0) for name in names]
        )
        self.n_rows_ = len(numbers)
        return self

    def _read(self, X: Any, *, reset: bool) -> Any:
        if reset:
            self._unseen = False
        if not self._unseen:
            return read_table(self, X, reset=reset)
        table = open_table(X)
        # Without any column a frame would have no rows.
        return columns_at(X if is_frame(X) else np.array(X, object), table.positions(self.schema_) or [0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # how good the rules are is up to whoever wrote them
        return tags


def _numeric(ruleset: RuleSet) -> RuleSet:
    if ruleset.schema.target is None:
        raise ValueError(
            "the actions of these rules are names, not numbers: use RuleSetClassifier, or declare 'actions: numeric'"
        )
    return ruleset


def match_numbers(ruleset: RuleSet, schema: Schema) -> RuleSet:
    """Return rules over a schema, which has the features that they read in the same kinds."""
    _numeric(ruleset)
    for name in ruleset.features_used:
        if name not in schema:
            hint = did_you_mean(name, schema.names)
            raise ValueError(f"the rules read {name!r}, which is no feature of the training data{hint}")
        own, known = ruleset.schema.feature(name).kind, schema.feature(name).kind
        if own is not known:
            raise ValueError(f"the rules read {name!r} as {own}, and in the training data it is {known}")
    own_features = {feature.name: feature for feature in ruleset.schema.features}
    features = [own_features.get(feature.name, feature) for feature in schema.features]
    return ruleset.replace(schema=schema.over(features, ruleset.schema.max_lag))
