"""Rows and labels as a fitted model reads them, for rules that are shown or measured on their own."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.values import category_name, is_missing, plain_value
from evoter.tables import Panel
from evoter.tables.columns import number_cells
from evoter.tables.sources import open_table


def read_rows(model: Any, X: Any) -> Any:
    """Return rows as a model reads them: series as a panel, with the windows that the model was fitted with."""
    if not hasattr(model, "windows_"):
        return X
    panel = model.read(X)
    return panel if model.windows_ is None else model.windows_.transform(panel)


def match_columns(model: Any, ruleset: RuleSet, X: Any) -> RuleSet:
    """Return the rule set with the schema that finds the columns of `X`.

    Columns without names are matched by position, if there are as many as the model was trained on; the schema is then
    the one of the model, which knows all of them. Otherwise the rule set's own schema finds columns by name.
    """
    schema = getattr(model, "schema_", None)
    if not isinstance(schema, Schema) or isinstance(X, Panel):
        return ruleset
    table = open_table(X)
    by_position = table.names is None and table.n_columns == len(schema.features)
    return ruleset.replace(schema=schema) if by_position else ruleset


def match_labels(y: Any, actions: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return all label names and, for each row, the index of its label among them.

    The names are the actions, followed by labels that are not actions in order of appearance. Labels and actions are
    compared by name, so numbers and booleans match the actions that were derived from them.

    >>> match_labels([1, 0.0, 2], ["0", "1"])
    (('0', '1', '2'), array([1, 0, 2]))
    """
    index = {action: code for code, action in enumerate(actions)}
    names, known = list(actions), frozenset(actions)
    seen: dict[tuple[type, object], int] = {}
    cells = list(_cells(y))
    numbered = number_cells(cells)
    if numbered is not None and None not in numbered[0] and len(numbered[0]) < len(cells):
        found, numbers = match_labels(numbered[0], actions)
        return found, numbers[numbered[1]]
    codes = np.empty(len(cells), np.int64)
    for row, label in enumerate(cells):
        key = (type(label), label)  # Python's True equals 1, but has another name
        if key not in seen:
            name = _name(label, known, row)
            if name not in index:
                index[name] = len(names)
                names.append(name)
            seen[key] = index[name]
        codes[row] = seen[key]
    return tuple(names), codes


def _cells(y: Any) -> Iterable[Any]:
    if isinstance(y, list) and set(map(type, y)) <= {str, int, float, bool, type(None)}:
        return y
    to_list = getattr(y, "to_list", None) or getattr(y, "tolist", None)
    return to_list() if to_list is not None else (plain_value(label) for label in y)


def _name(label: object, actions: frozenset[str], row: int) -> str:
    if is_missing(label):
        raise SchemaError(f"row {row} of y is {label!r}, which is not a label: drop the rows whose label is missing")
    name = category_name(label)
    if name is None:
        raise SchemaError(f"row {row} of y is the {type(label).__name__} {label!r}: labels must be text or numbers")
    # Estimators number the labels that cannot be names; text may also spell a boolean.
    numbered = (f"class {code}: {label!r}" for code in range(len(actions)))
    return next((candidate for candidate in chain((name, str(label)), numbered) if candidate in actions), name)
