"""The labels of rows, matched with the actions that a rule set knows them by."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError
from evoter.rules.values import category_name, is_missing, plain_value


def match_labels(y: Any, actions: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the actions, then the labels that are none in order of appearance, and the place of each row's label.

    Labels and actions are compared by name, so numbers and truth values match the actions that were made of them.

    >>> match_labels([1, 0.0, 2], ["0", "1"])
    (('0', '1', '2'), array([1, 0, 2]))
    """
    known = {action: place for place, action in enumerate(actions)}
    names = list(actions)
    places: dict[tuple[type, object], int] = {}
    codes = np.empty(len(y), np.int64)
    for number, label in enumerate(_cells(y)):
        key = (type(label), label)  # Python's True equals 1, whose name is another
        if key not in places:
            name = _name(label, actions, number)
            if name not in known:
                known[name] = len(names)
                names.append(name)
            places[key] = known[name]
        codes[number] = places[key]
    return tuple(names), codes


def _cells(y: Any) -> Iterable[Any]:
    listed = getattr(y, "to_list", None) or getattr(y, "tolist", None)
    return listed() if listed is not None else (plain_value(label) for label in y)


def _name(label: object, actions: Sequence[str], number: int) -> str:
    if is_missing(label):
        raise SchemaError(f"row {number} of y is {label!r}, which is no label: drop the rows whose label is missing")
    name = category_name(label)
    if name is None:
        raise SchemaError(f"row {number} of y is the {type(label).__name__} {label!r}: labels are text or numbers")
    # A learner calls labels that cannot be names by their places; text may also spell a truth value.
    for called in (name, str(label), *(f"class {place}: {label!r}" for place in range(len(actions)))):
        if called in actions:
            return called
    return name
