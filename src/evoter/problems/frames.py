"""Decisions on data frames, arrays and panels, read as the schema of the rule set says."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from evoter.problems.deciding import TableDecisions, decide_columns, decide_panel
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.stream import furthest_lag
from evoter.rules.values import Row
from evoter.tables import Panel, encode, rows
from evoter.tables.sources import open_table


def decide_frame(ruleset: RuleSet, X: Any) -> TableDecisions:
    """Decide on every row of a frame or array, or on every instance of a panel.

    Columns are found by name, in any order and beside others; only those that some rule reads need be there. The
    columns of an array are the features of the schema, in its order, or x0, x1, ... where the features are called so.
    Rules that look back need a panel.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> old; Default -> young")
    >>> decide_frame(rules, [{"name": "Ada", "age": 36}, {"name": "Eve", "age": 81}]).actions.tolist()
    [1, 0]
    """
    if isinstance(X, Panel):
        return decide_panel(ruleset, X)
    schema = schema_read(ruleset, X)
    return decide_columns(ruleset.replace(schema=schema), encode(X, schema))


def frame_histories(ruleset: RuleSet, X: Any, numbers: Sequence[int]) -> list[list[Row]]:
    """Return some rows, or instances of a panel, as the interpreter and `explain` take them: the oldest step first.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> old; Default -> young")
    >>> frame_histories(rules, [{"age": 36}, {"age": 81}], [1])
    [[{'age': 81.0}]]
    """
    if isinstance(X, Panel):
        return [_steps(X, number, furthest_lag(ruleset) + 1) for number in numbers]
    schema = schema_read(ruleset, X)
    return [[row] for row in rows(_picked(X, numbers), schema)] if len(numbers) else []


def _picked(X: Any, numbers: Sequence[int]) -> Any:
    """Return some rows of a table: reading all rows of a long one would be slow."""
    if nw.dependencies.is_into_dataframe(X):
        return nw.from_native(X, eager_only=True)[list(numbers)].to_native()
    return [X[number] for number in numbers] if isinstance(X, list | tuple) else np.asarray(X)[list(numbers)]


def _steps(panel: Panel, number: int, reach: int) -> list[Row]:
    steps = panel[int(number)][:, -reach:].T.tolist()
    return [
        {name: None if value != value else value for name, value in zip(panel.names, step, strict=True)}
        for step in steps
    ]


def schema_read(ruleset: RuleSet, X: Any) -> Schema:
    """Return the schema to read a table with: of the features that the rules read, where the table has names."""
    reach = furthest_lag(ruleset)
    if reach:
        raise SchemaError(
            f"the rules look back {reach} step{'' if reach == 1 else 's'}, and the rows of a table have no past: pass "
            f"the series as a panel, evoter.tables.read_panel(X, ...)"
        )
    schema = ruleset.schema
    if open_table(X).names is None:
        return schema
    return schema.over([schema.feature(name) for name in ruleset.features_used])
