"""Numeric matrices for models that cannot read tables as they are, learnt from training rows alone."""

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

MISSING = "(missing)"
"""The category of a value that is missing."""


def is_number(column: "pd.Series[Any]") -> bool:
    """Return whether a column is numeric, so that its values have an order."""
    return bool(pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column))


class Numbers:
    """A matrix: numbers, with the median for missing ones, and a column of 0 and 1 for each category."""

    def fit(self, X: pd.DataFrame) -> Self:
        """Learn the medians and the categories."""
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        numeric = make_column_selector(dtype_include="number")
        self._columns = ColumnTransformer([("number", SimpleImputer(strategy="median"), numeric)], remainder=one_hot)
        self._columns.fit(self._readable(X))
        return self

    def transform(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return the matrix."""
        matrix: NDArray[np.float64] = self._columns.transform(self._readable(X)).astype(np.float64)
        return matrix

    @staticmethod
    def _readable(X: pd.DataFrame) -> pd.DataFrame:
        """Convert categories to text and booleans to 0 and 1, as the transformers require."""
        columns = {}
        for name in X.columns:
            column = X[name]
            if pd.api.types.is_bool_dtype(column):
                columns[name] = column.astype(float)
            elif is_number(column):
                columns[name] = column
            else:
                columns[name] = column.astype(object).where(column.notna(), MISSING).astype(str).astype(object)
        return pd.DataFrame(columns, index=X.index)
