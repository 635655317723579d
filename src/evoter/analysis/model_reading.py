"""Rows as a fitted model reads them, for rules that are shown or measured on their own."""

from typing import Any

from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables import Panel
from evoter.tables.sources import open_table


def read_by(model: Any, X: Any) -> Any:
    """Return rows as a model reads them: series as a panel, with the windows that the model was fitted with."""
    if not hasattr(model, "windows_"):
        return X
    panel = model.read(X)
    return panel if model.windows_ is None else model.windows_.transform(panel)


def readable_by_place(model: Any, ruleset: RuleSet, X: Any) -> RuleSet:
    """Return the rule set over all columns of the training table where this is how columns without names are found."""
    schema = getattr(model, "schema_", None)
    if not isinstance(schema, Schema) or isinstance(X, Panel):
        return ruleset
    table = open_table(X)
    by_place = table.names is None and table.n_columns == len(schema.features)
    return ruleset.replace(schema=schema) if by_place else ruleset
