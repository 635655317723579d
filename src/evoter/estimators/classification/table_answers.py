"""How models of tables read rows, decide on them, and answer questions about them."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.classification.answering import RuleClassifier
from evoter.estimators.classification.lazy_tables import batches_for
from evoter.estimators.inputs import encode_used, named_row, read_table, rows_used
from evoter.kernels.layout import Floats, Ints
from evoter.problems.deciding import decide_columns
from evoter.problems.probabilities import Decider
from evoter.rules.answers.changes import Counterfactuals
from evoter.rules.answers.counterfactuals import counterfactuals
from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import Explanation, explain
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.values import Row
from evoter.tables.stored.batches import is_lazy


class TableRows:
    """How models of tables read rows, and explain what they decide on them."""

    schema_: Schema
    ruleset_: RuleSet

    def explain(self, X: Any) -> Explanation | Explanations:
        """Explain the decision on one row, or on each of several: which rule decided, on which values, and why.

        A mapping, a one-dimensional row or a table of one row gives one explanation, a longer table several, which
        print as a table.
        """
        explanations = Explanations(explain(self.ruleset_, row) for row in self._rows(X))
        return explanations[0] if len(explanations) == 1 else explanations

    def _rows(self, X: Any) -> Sequence[Row]:
        """Return the values that rules read in one row or in each of a table."""
        check_is_fitted(self)
        row = named_row(X)
        if row is not None:
            return [row]
        single = not hasattr(X, "columns") and np.ndim(X) == 1
        table = self._read([list(X)] if single else X, reset=False)
        return rows_used(table, self.schema_, self.ruleset_.schema)

    def _read(self, X: Any, *, reset: bool) -> Any:
        return read_table(self, X, reset=reset)

    def _encode(self, examples: Any) -> Floats:
        return self._encode_as(examples, self.schema_)

    def _encode_as(self, examples: Any, schema: Schema) -> Floats:
        return encode_used(examples, self.schema_, schema)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


class TableAnswers(TableRows, RuleClassifier):
    """A classifier of tables whose model is a rule set.

    Tables that are read in batches are decided on batch by batch, in memory that does not grow with them.
    """

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""
        check_is_fitted(self)
        return np.concatenate([*map(super().predict, batches_for(self, X))]) if is_lazy(X) else super().predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row; see `RuleClassifier.predict_proba`."""
        self._require_statistics()
        if is_lazy(X):
            return np.concatenate([*map(super().predict_proba, batches_for(self, X))])
        return super().predict_proba(X)

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each row; for the default it is the number of rules."""
        check_is_fitted(self)
        if is_lazy(X):
            return np.concatenate([*map(super().deciding_rules, batches_for(self, X))])
        return super().deciding_rules(X)

    def counterfactuals(
        self, row: Any, *, fixed: Collection[str] = (), to: object = None, n: int = 1
    ) -> Counterfactuals:
        """Return the nearest changes of one row that alter its decision, each of them decided again.

        `fixed` features do not change, `to` is the class that is wanted (by default any other one), and `n` the number
        of results; see `evoter.counterfactuals`.
        """
        rows = self._rows(row)
        if len(rows) != 1:
            raise ValueError(f"counterfactuals are about one row, not {len(rows)}: pass a row, such as X.iloc[[0]]")
        for name in fixed:
            self.schema_.feature(name)  # refuses unknown names
        used = [name for name in fixed if name in self.ruleset_.schema]
        return counterfactuals(self.ruleset_, rows[0], fixed=used, to=None if to is None else self._action(to), n=n)

    def _action(self, label: object) -> str:
        """Return the action that stands for a class."""
        for known, action in zip(self.classes_.tolist(), self.schema_.actions, strict=True):
            if label in (known, action):
                return action
        raise ValueError(f"to: there is no class {label!r}; the classes are {self.classes_.tolist()}")

    def _decider(self, X: Any) -> Decider:
        columns = encode_used(self._read(X, reset=False), self.schema_, self.ruleset_.schema)
        return lambda ruleset: decide_columns(ruleset, columns)
