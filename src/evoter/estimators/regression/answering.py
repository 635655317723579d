"""RuleRegressor: what all regressors share whose model is a rule set, wherever the rules come from."""

import warnings
from abc import ABCMeta
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.classification.table_answers import TableRows
from evoter.estimators.classification.weights import read_sample_weight
from evoter.estimators.inputs import encode_used, keep_rows
from evoter.estimators.regression.settling import Settled
from evoter.kernels.layout import Floats, Ints
from evoter.problems.regression.predictions import Predictions, predict_columns
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Schema


class RuleRegressor(TableRows, RegressorMixin, BaseEstimator, metaclass=ABCMeta):  # type: ignore[misc]
    """A regressor of tables whose model is a rule set with numeric actions."""

    schema_: Schema
    ruleset_: RuleSet
    _statistics: ClassVar[tuple[str, ...]] = (
        "times_applied_",
        "times_decided_",
        "feature_importances_",
        "training_score_",
        "n_rows_",
    )

    def predict(self, X: Any) -> Floats:
        """Return the number that the rules predict for each row."""
        predictions = self._predict(X)
        self._refuse_unknown(predictions)
        return predictions.numbers

    def predict_interval(self, X: Any) -> Floats:
        """Return for each row the ends of the interval around its number [row, end], from the residuals of its rule.

        An interval is meant to contain the share `level` of the true numbers of rows that the rule decides.
        """
        check_is_fitted(self)
        if not self.ruleset_.residuals:
            raise NotFittedError(
                "nothing is known of how far off these rules are: measure it with fit(X, y) of RuleSetRegressor, or "
                "with_ruleset(rules, X, y) of a fitted model"
            )
        predictions = self._predict(X)
        self._refuse_unknown(predictions)
        reach = np.array([[-each.below, each.above] for each in self.ruleset_.residuals])
        intervals: Floats = predictions.numbers[:, None] + reach[predictions.deciders]
        return intervals

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each row; for the default it is the number of rules."""
        return self._predict(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which row."""
        return csr_matrix(self._predict(X).decisions.active)

    def _predict(self, X: Any) -> Predictions:
        check_is_fitted(self)
        columns = encode_used(self._read(X, reset=False), self.schema_, self.ruleset_.schema)
        return predict_columns(self.ruleset_, columns)

    def _refuse_unknown(self, predictions: Predictions) -> None:
        """Refuse rows for which a linear term has no value."""
        unknown = np.flatnonzero(np.isnan(predictions.numbers))
        if not len(unknown):
            return
        actions = [*(rule.action for rule in self.ruleset_.rules), self.ruleset_.default]
        action = read_action(actions[predictions.deciders[unknown[0]]])
        raise ValueError(
            f"row {unknown[0]} of X has no {action.feature!r} (NaN), which the rule for {action.text} needs, and no "
            f"training row lacked it; {len(unknown):,} rows are like that: fill it in, or fit with linear=False"
        )

    def _become(self, settled: Settled) -> None:
        self.ruleset_ = settled.ruleset
        self.times_applied_ = settled.times_applied
        self.times_decided_ = settled.times_decided
        self.feature_importances_ = settled.importances
        self.training_score_ = settled.score

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        parameters = super().__repr__(N_CHAR_MAX)
        if not hasattr(self, "ruleset_"):
            return str(parameters)
        return f"{parameters}\n{self.ruleset_.to_text('aligned', declarations=False)}"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if hasattr(self, "ruleset_") and "text/html" in bundle:
            bundle["text/html"] = self.ruleset_.to_text("html") + bundle["text/html"]
        return bundle


def read_numbers(y: Any) -> Floats:
    """Return the target as numbers, one for each row; text, missing values and several columns are refused."""
    if y is None:
        raise ValueError(
            "This EvoterRegressor estimator requires y to be passed, but the target y is None: pass a number per row"
        )
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected: pass y.ravel()",
            DataConversionWarning,
            stacklevel=4,
        )
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {array.shape}: rules predict one number, so fit a model "
            "for each column"
        )
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must be real numbers")
    if array.dtype.kind in "OUST":
        array = _from_objects(array)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"Unknown label type: y holds {array.dtype}, and a regressor needs numbers")
    numbers = array.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        what = "NaN" if np.isnan(numbers[bad[0]]) else "infinity"
        raise ValueError(f"Input y contains {what} in row {bad[0]}: leave such rows out")
    return numbers


def _from_objects(array: NDArray[Any]) -> NDArray[Any]:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        text = next(value for value in array.tolist() if not isinstance(value, int | float))
        raise ValueError(
            f"Unknown label type: y holds {text!r}, and a regressor needs numbers; labels are for EvoterClassifier"
        ) from None


def read_training(
    examples: Any, y: Any, sample_weight: ArrayLike | None
) -> tuple[Any, Floats, Floats, NDArray[np.bool_]]:
    """Return rows, their numbers and weights without those of weight 0, and which rows these are."""
    numbers = read_numbers(y)
    check_consistent_length(examples, numbers)
    weights = read_sample_weight(sample_weight, np.zeros(len(numbers), np.int64))
    kept = weights > 0
    if kept.all():
        return examples, numbers, weights, kept
    return keep_rows(examples, kept), numbers[kept], weights[kept], kept


def target_name(y: Any, given: str | None) -> str:
    """Return the name of the target: the one given, or that of a column of a data frame."""
    if given is not None:
        return given
    name = getattr(y, "name", None)
    return name.strip() if isinstance(name, str) else ""
