"""RuleClassifier: what all classifiers share whose model is a rule set, wherever the rules come from."""

import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Collection, Mapping
from copy import copy
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.classification.candidates import Settled, importances_on, settle
from evoter.estimators.classification.matching import class_codes, joined_schema, match_rules
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.estimators.classification.weights import read_class_weight, read_sample_weight
from evoter.estimators.inputs import keep_rows
from evoter.estimators.labels import read_labels
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.overfitting import AccuracyComparison, OverfittingWarning
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import TableDecisions
from evoter.problems.probabilities import Decider, decision_probabilities
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel

_STATISTICS = ("times_applied_", "times_decided_", "rule_probabilities_", "feature_importances_", "n_right_", "n_rows_")
"""What is known of rules on the rows that they were measured on."""


class TrainingExamples(NamedTuple):
    """The classes that occur, the examples as the estimator reads them, and for each its class and its weight.

    `kept` says which of the examples that were handed in these are: those of weight 0 count as absent.
    """

    classes: NDArray[Any]
    examples: Any
    codes: Ints
    weights: Floats
    kept: NDArray[np.bool_]


class RuleClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):  # type: ignore[misc]
    """A classifier whose model is a rule set; a subclass says how examples are read, and where rules come from."""

    classes_: NDArray[Any]
    schema_: Schema
    ruleset_: RuleSet
    rule_probabilities_: Floats
    times_decided_: Ints
    n_rows_: int
    class_weight: str | Mapping[Any, float] | None
    _training_rows: TrainingRows

    @abstractmethod
    def _read(self, X: Any, *, reset: bool) -> Any:
        """Return the examples that a user hands in, checked; with `reset`, remember what they look like."""

    @abstractmethod
    def _decider(self, X: Any) -> Decider:
        """Return a function that decides on each example by a rule set that reads no more than the rules."""

    def _decide(self, X: Any) -> TableDecisions:
        """Return what the rules decide on each example."""
        check_is_fitted(self)
        return self._decider(X)(self.ruleset_)

    @abstractmethod
    def _encode(self, examples: Any) -> Floats | Panel:
        """Return examples, as `_read` gives them, in the form that `_describe` gave the training examples."""

    def _feature_groups(self, schema: Schema) -> dict[str, tuple[str, ...]]:
        """Return the features in which rules are written by the name of the feature that users hand in."""
        return {name: (name,) for name in schema.names}

    def _read_training(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> TrainingExamples:
        """Read what `fit` is given; examples of weight 0 count as absent."""
        examples = self._read(X, reset=True)
        classes, codes = read_labels(y)
        return TrainingExamples(classes, *keep_weighted(examples, codes, sample_weight))

    @abstractmethod
    def _encode_as(self, examples: Any, schema: Schema) -> Floats | Panel:
        """Return examples, as `_read` gives them, in the terms of a schema, whose features are found by name."""

    def _with_rules(self, ruleset: RuleSet, X: Any, y: ArrayLike | None, sample_weight: ArrayLike | None) -> Self:
        """Return a copy with other rules, whose statistics are measured on some examples if there are any."""
        check_is_fitted(self)
        if (X is None) is not (y is None) or (X is None and sample_weight is not None):
            raise ValueError("the statistics of rules are measured on examples with classes: pass both X and y")
        given = match_rules(ruleset, self.schema_)
        other = copy(self)
        for name in _STATISTICS:
            if hasattr(other, name):
                delattr(other, name)
        other.ruleset_ = given
        if X is not None:
            examples = self._read(X, reset=False)
            examples, codes, weights, _ = keep_weighted(examples, class_codes(y, self.classes_), sample_weight)
            other._measure(given, examples, codes, None if sample_weight is None else weights)
        elif given.records:
            other.rule_probabilities_ = np.array([record.probabilities for record in given.records])
            other.times_decided_ = np.array([record.cases for record in given.records])
        return other

    def _measure(self, ruleset: RuleSet, examples: Any, codes: Ints, weights: Floats | None) -> None:
        """Become a rule set that was matched with the schema of the model, with its statistics on some examples."""
        schema = joined_schema(ruleset.schema, self.schema_, self._readable())
        data = self._encode_as(examples, schema)
        counted = np.ones(len(codes)) if weights is None else weights
        problem = ClassificationProblem(
            schema,
            data,
            codes,
            sample_weight=weights,
            class_weight=read_class_weight(self.class_weight, self.classes_, codes, counted),
            mode=ruleset.mode,
        )
        importances = importances_on(schema, data, self._feature_groups(self.schema_), counted)
        self._become(settle(ruleset.replace(schema=schema), problem, importances))
        self.n_rows_ = len(codes)

    def _readable(self) -> Collection[str]:
        """Return the names of the features of the schema whose columns can be read."""
        return self.schema_.names

    def _become(self, settled: Settled) -> None:
        self.ruleset_ = settled.ruleset
        self.times_applied_ = settled.times_applied
        self.times_decided_ = settled.times_decided
        self.rule_probabilities_ = settled.probabilities
        self.feature_importances_ = settled.importances
        self.n_right_ = settled.n_right

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example."""
        actions = self._decide(X).actions
        return self.classes_[actions]

    def predict_proba(self, X: Any) -> Floats:
        """Return the smoothed class frequencies of the training rows that the deciding rule decided.

        Where these rows differ among themselves, they are divided into parts by further conditions
        (`ruleset_.records`), and the frequencies are those of the part that an example belongs to; the probable class
        stays the one that is decided. In mode vote they are averaged over the active rules.
        """
        self._require_statistics()
        return decision_probabilities(self.ruleset_, self._decider(X))

    def check_overfitting(self, X: Any, y: ArrayLike, *, rows_per_case: float = 1.0) -> AccuracyComparison:
        """Compare the accuracy on unseen examples with that on the training examples, and warn of overfitting.

        Parameters
        ----------
        X, y
            Examples that were not trained on, and their classes.
        rows_per_case : float, default=1.0
            How many examples describe one case on average, such as the visits of a patient. They are alike, so that
            chance explains larger differences.

        Returns
        -------
        AccuracyComparison
            The counts, and the probability of such a difference by Fisher's exact test.

        Warns
        -----
        OverfittingWarning
            If the accuracy on the training examples is higher by at least a hundredth and the probability is below
            0.01. The warning says what to try.
        """
        self._require_statistics()
        predicted = self.predict(X)
        check_consistent_length(predicted, y)
        comparison = AccuracyComparison(
            train_right=self.n_right_,
            train_rows=self.n_rows_,
            unseen_right=int(np.count_nonzero(predicted == np.asarray(y))),
            unseen_rows=len(predicted),
            rows_per_case=rows_per_case,
            parsimony=getattr(self, "parsimony_", None),
        )
        if comparison.overfitted:
            warnings.warn(OverfittingWarning(comparison), stacklevel=2)
        return comparison

    def _require_statistics(self) -> None:
        check_is_fitted(self)
        if not hasattr(self, "rule_probabilities_"):
            raise NotFittedError(
                "nothing is known of what these rules did in training: measure it with fit(X, y) of RuleSetClassifier, "
                "or with_ruleset(rules, X, y) of a fitted model"
            )

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each example; for the default it is the number of rules.

        In mode vote it is the first active rule whose action won.
        """
        return self._decide(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which example."""
        return csr_matrix(self._decide(X).active)

    def training_share(self, X: Any) -> float:
        """Return the share of examples in `X` whose values equal those of an example that the model was trained on.

        1 for the training table or a part of it, and 0 for unseen examples. Of more than 20,000 training examples,
        20,000 are remembered, and the share is estimated from them; it is NaN if they cannot tell.
        """
        check_is_fitted(self)
        return self._training_rows.share(self._encode(self._read(X, reset=False)))

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


def keep_weighted(
    examples: Any, codes: Ints, sample_weight: ArrayLike | None
) -> tuple[Any, Ints, Floats, NDArray[np.bool_]]:
    """Return examples, classes and weights without the examples of weight 0, and which examples these are."""
    check_consistent_length(examples, codes)
    weights = read_sample_weight(sample_weight, codes)
    kept = weights > 0
    if kept.all():
        return examples, codes, weights, kept
    return keep_rows(examples, kept), codes[kept], weights[kept], kept
