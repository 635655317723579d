"""What users hand in, checked and read: tables into columns, labels into actions."""

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

from evoter.kernels.layout import Floats
from evoter.rules.reading import category_name
from evoter.rules.schema import Schema
from evoter.tables import encode


def read_table(estimator: BaseEstimator, table: object, *, reset: bool) -> object:
    """Check a table as scikit-learn does, and return it in the form in which it will be encoded.

    Frames keep their columns of any kind; plain numeric arrays go through scikit-learn's own validation; arrays
    of objects, which may hold categories, are checked for shape only.
    """
    if _is_frame(table):
        _check_feature_names(estimator, table, reset=reset)
        _check_n_features(estimator, table, reset=reset)
        return table
    if _holds_objects(table):
        table = np.asarray(table, dtype=object)
        if table.ndim == 2:
            _check_n_features(estimator, table, reset=reset)
        return table
    return validate_data(estimator, table, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")


def encode_used(table: object, schema: Schema, used: Schema) -> Floats:
    """Encode only the columns that a rule set reads; columns of an array are found by their place in `schema`."""
    if _is_frame(table):
        return encode(table, used)
    positions = [schema.position(name) for name in used.names]
    array = np.asarray(table)
    return encode(array[:, positions], used) if positions else np.empty((0, len(array)))


def action_names(labels: NDArray[np.generic]) -> list[str]:
    """Return a distinct readable name for each class label.

    >>> action_names(np.array([0.0, 1.0])), action_names(np.array(["no", "yes"]))
    (['0', '1'], ['no', 'yes'])
    """
    names = [category_name(label) or str(label) for label in labels.tolist()]
    readable = all(name == name.strip() and name for name in names) and len(set(names)) == len(names)
    return names if readable else [f"class {position}: {label!r}" for position, label in enumerate(labels.tolist())]


def _is_frame(table: object) -> bool:
    return nw.dependencies.is_into_dataframe(table)


def _holds_objects(table: object) -> bool:
    if isinstance(table, np.ndarray):
        return table.dtype == object
    if isinstance(table, list) and table and isinstance(table[0], list | tuple):
        return any(isinstance(value, str | bool) or value is None for row in table for value in row)
    return False
