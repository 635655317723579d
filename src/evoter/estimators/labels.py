"""Class labels that users hand in, and the names that rules call them by."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from evoter.kernels.layout import Ints
from evoter.rules.values import category_name, is_missing, plain_value


def read_labels(y: ArrayLike | None) -> tuple[NDArray[Any], Ints]:
    """Return the classes in order, and the index of each row's label among them."""
    if y is None:
        raise ValueError("a classifier requires y to be passed, but the target y is None: pass the class of each row")
    _refuse_mixed(y)  # before numpy turns numbers among text into text
    labels = column_or_1d(y, warn=True)
    _refuse_missing(labels)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int64)


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
