"""GivenRules: what classifiers share whose rules are given by a person or a file, and only measured on data."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.classification.answering import RuleClassifier
from evoter.estimators.classification.matching import decided_actions, join_classes, match_rules
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema


class GivenRules(RuleClassifier):
    """A classifier whose rules are given; `fit` measures what they do and never changes them."""

    ruleset: Rules

    @abstractmethod
    def _describe_given(self, examples: Any, ruleset: RuleSet, actions: Sequence[str]) -> Schema:
        """Return the schema of the training examples; features that the rules declare are as they say."""

    @abstractmethod
    def _expect(self, ruleset: RuleSet) -> None:
        """Remember what examples look like that were never seen: all that is known is what the rules read."""

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Measure the rules on the examples `X` with the class labels `y`: counts, probabilities and importances.

        The rules stay as they are. The classes are those of `y` and those that rules decide. Examples of weight 0 count
        as absent.
        """
        self._validate_params()
        ruleset = read_ruleset(self.ruleset)
        found, examples, codes, weights, _ = self._read_training(X, y, sample_weight)
        self.classes_, actions = join_classes(found, ruleset)
        self.schema_ = self._describe_given(examples, ruleset, actions)
        given = match_rules(ruleset, self.schema_)
        of_classes = np.searchsorted(self.classes_, found)[codes].astype(np.int64)
        self._measure(given, examples, of_classes, None if sample_weight is None else weights)
        self._training_rows = TrainingRows.of(self._encode(examples))
        return self

    def _become_unseen(self, classes: Sequence[Any] | None) -> Self:
        """Predict by the rules without any examples: what was recorded of the rules is all that is known of them."""
        self._validate_params()
        ruleset = read_ruleset(self.ruleset)
        self.classes_, names = join_classes(
            np.unique(decided_actions(ruleset) if classes is None else classes), ruleset
        )
        self.schema_ = Schema(ruleset.restricted().schema.features, names, ruleset.schema.max_lag)
        self._expect(ruleset)
        self.__dict__.update(self._with_rules(ruleset, None, None, None).__dict__)
        return self

    def training_share(self, X: Any) -> float:
        """Return the share of examples that the model was measured on; see `EvoterClassifier`. NaN if it never was."""
        return super().training_share(X) if hasattr(self, "_training_rows") else float("nan")

    def with_ruleset(
        self, ruleset: Rules, X: Any = None, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Return a copy of the fitted model with other rules, which `X` and `y` measure; see `EvoterClassifier`."""
        check_is_fitted(self)
        other = self._with_rules(read_ruleset(ruleset), X, y, sample_weight)
        other.ruleset = ruleset
        return other

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # how good the rules are is up to whoever wrote them
        return tags
