"""What rule learners of other packages are given: tables without gaps, and tables of simple tests."""

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evoter.experiments.classification.preparation import MISSING, is_number

N_CUTS = 9


class Filled:
    """The same table without gaps: numbers get the median, and missing becomes a category of its own."""

    def fit(self, X: pd.DataFrame) -> Self:
        """Learn the medians."""
        self._medians = {name: X[name].median() for name in X.columns if is_number(X[name])}
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return a table of floats and texts."""
        return pd.DataFrame({name: self._column(X[name]) for name in X.columns}, index=X.index)

    def _column(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        if column.name in self._medians:
            return column.astype(float).fillna(self._medians[column.name])
        return column.astype(object).where(column.notna(), MISSING).astype(str)


class Truths:
    """A table of truths, one column for each simple test: a number against its deciles, a category against each name.

    Columns are labelled (feature, operator, value). Missing numbers pass no test.
    """

    def fit(self, X: pd.DataFrame) -> Self:
        """Learn the deciles and the categories."""
        self._filling = Filled().fit(X)
        filled = self._filling.transform(X)
        self._tests: list[tuple[str, str, Any]] = []
        shares = np.linspace(0, 1, N_CUTS + 2)[1:-1]
        for name in X.columns:
            if is_number(X[name]):
                cuts = np.unique(np.nanquantile(X[name].astype(float), shares))
                self._tests += [(name, operator, float(cut)) for cut in cuts for operator in ("<=", ">")]
            else:
                categories = sorted(filled[name].unique())
                self._tests += [(name, operator, value) for value in categories for operator in ("==", "!=")]
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return 1 where a row passes a test, else 0."""
        filled = self._filling.transform(X)
        passed = {test: _passes(filled[test[0]], X[test[0]], *test[1:]) for test in self._tests}
        return pd.DataFrame(
            np.column_stack(list(passed.values())).astype(int),
            index=X.index,
            columns=pd.MultiIndex.from_tuples(self._tests),
        )


def _passes(filled: "pd.Series[Any]", raw: "pd.Series[Any]", operator: str, value: Any) -> NDArray[np.bool_]:
    match operator:
        case "<=":
            passed = raw <= value
        case ">":
            passed = raw > value
        case "==":
            passed = filled == value
        case _:
            passed = filled != value
    return np.asarray(passed, dtype=bool)
