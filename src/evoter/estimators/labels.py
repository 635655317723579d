"""Class labels that users hand in, and the names that rules call them by."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from evoter.kernels.layout import Floats, Ints
from evoter.rules.values import category_name, is_missing, plain_value
from evoter.tables.columns import CodedCells, Column

_TOLERANCE: Final = 1e-3
"""How far the sum of the probabilities of a row may be from 1."""


class CodedLabels(NamedTuple):
    """The classes in order, and the index of each row's label among them."""

    classes: NDArray[Any]
    codes: Ints


def labels_of(column: Column) -> CodedLabels:
    """Return the labels in a column of a table.

    >>> labels_of(Column("y", CodedCells(("no", "yes"), np.array([1, 0, 1]))))
    CodedLabels(classes=array(['no', 'yes'], dtype='<U3'), codes=array([1, 0, 1]))
    """
    if not isinstance(column.cells, CodedCells):
        return CodedLabels(*read_labels(column.cells))
    cells = column.cells.in_use()
    if None in cells.values:
        row = int(np.argmax(cells.codes == cells.values.index(None)))
        raise ValueError(
            f"row {row} of the column {column.name!r} is None, which is no class: drop the rows whose label is missing"
        )
    classes, codes = read_labels(np.array(cells.values))
    return CodedLabels(classes, codes[cells.codes])


def read_labels(y: ArrayLike | CodedLabels | None) -> tuple[NDArray[Any], Ints]:
    """Return the classes in order, and the index of each row's label among them."""
    if isinstance(y, CodedLabels):
        return y
    if y is None:
        raise ValueError("a classifier requires y to be passed, but the target y is None: pass the class of each row")
    _refuse_mixed(y)  # before numpy turns numbers among text into text
    labels = column_or_1d(y, warn=True)
    _refuse_missing(labels)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int64)


def read_probabilities(probabilities: ArrayLike, classes: ArrayLike | None = None) -> tuple[NDArray[Any], Floats]:
    """Return the classes in order, and the probability of each for every row; without `classes` they are 0, 1, ...

    >>> read_probabilities([[0.9, 0.1], [0.2, 0.8]], ["yes", "no"])
    (array(['no', 'yes'], dtype='<U3'), array([[0.1, 0.9],
           [0.8, 0.2]]))
    """
    shares = np.asarray(probabilities, np.float64)
    if shares.ndim != 2 or shares.shape[1] < 2:
        raise ValueError(f"probabilities need a column for each of two or more classes, got the shape {shares.shape}")
    odd = np.flatnonzero(~((shares >= 0.0).all(axis=1) & (np.abs(shares.sum(axis=1) - 1.0) <= _TOLERANCE)))
    if odd.size:
        raise ValueError(
            f"the probabilities of a row must be 0 or more and add up to 1, but row {odd[0]} has "
            f"{shares[odd[0]].tolist()}: divide each row by its sum, if these are weights"
        )
    if classes is None:
        return np.arange(shares.shape[1]), shares
    named, positions = np.unique(column_or_1d(classes), return_index=True)
    if not len(named) == shares.shape[1] == len(np.asarray(classes)):
        raise ValueError(f"classes must name each of the {shares.shape[1]} columns once, got {np.asarray(classes)}")
    return named, shares[:, positions]


def action_names(classes: NDArray[Any]) -> list[str]:
    """Return a distinct readable name for each class.

    >>> action_names(np.array([0.0, 1.0])), action_names(np.array(["no", "yes"]))
    (['0', '1'], ['no', 'yes'])
    >>> action_names(np.array(["", "yes"]))
    ["class 0: ''", "class 1: 'yes'"]
    """
    labels = classes.tolist()
    names = [category_name(label) or str(label) for label in labels]
    readable = all(name == name.strip() and name for name in names) and len(set(names)) == len(names)
    return names if readable else [f"class {position}: {label!r}" for position, label in enumerate(labels)]


def _refuse_missing(labels: NDArray[Any]) -> None:
    if labels.dtype.kind == "f":
        odd = np.flatnonzero(~np.isfinite(labels))
    elif labels.dtype == object:
        odd = np.flatnonzero([is_missing(plain_value(label)) for label in labels])
    else:
        return
    if odd.size:
        raise ValueError(
            f"row {odd[0]} of y is {plain_value(labels[odd[0]])!r}, which is no class: drop the rows whose label is "
            f"missing, NaN or infinite ({odd.size} in all), or give them one"
        )


def _refuse_mixed(y: ArrayLike) -> None:
    if not isinstance(y, list | tuple) and getattr(getattr(y, "dtype", None), "kind", None) != "O":
        return
    examples: dict[bool, object] = {}
    for label in y if isinstance(y, list | tuple) else np.ravel(y):
        if not is_missing(label):
            examples.setdefault(isinstance(label, str), plain_value(label))
    if len(examples) == 2:
        text, other = examples[True], examples[False]
        raise ValueError(f"y mixes text and other labels, such as {text!r} and {other!r}: convert them to one type")
