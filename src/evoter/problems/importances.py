"""How much the decisions of a rule set depend on each feature: the share that changes if the feature is unknown."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.problems.deciding import TableDecisions, decide_columns, decide_panel
from evoter.problems.frames import schema_read
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.tables import encode
from evoter.tables.panel import Panel


def feature_importances(ruleset: RuleSet, X: Any) -> dict[str, float]:
    """Return for each feature the share of the decisions on a table or a panel that change if it is unknown.

    Unknown means that all its values are missing: conditions that read it are false, and tests for missing are true.
    Nothing is permuted, so the result is exact and the same every time. The shares need not add up to 1: where two
    features each suffice for a decision, neither matters alone. Features that no rule reads have importance 0.

    >>> from evoter.rules.parser import parse
    >>> declared = "where age: numeric; grey: numeric; tall: numeric; actions: old | young"
    >>> rules = parse(f"age > 60 -> old; grey >= 1 -> old; Default -> young; {declared}")
    >>> table = [{"age": 81, "grey": 1}, {"age": 65, "grey": 0}, {"age": 36, "grey": 0}, {"age": 50, "grey": 1}]
    >>> feature_importances(rules, table)
    {'age': 0.25, 'grey': 0.25, 'tall': 0.0}
    """
    groups = {name: (name,) for name in ruleset.schema.names}
    if isinstance(X, Panel):
        return importances_of(ruleset, X, groups)
    read = ruleset.replace(schema=schema_read(ruleset, X))
    return importances_of(read, encode(X, read.schema), groups)


def importances_of(
    ruleset: RuleSet, data: Floats | Panel, groups: Mapping[str, Sequence[str]], weights: Floats | None = None
) -> dict[str, float]:
    """Return the same for groups of features that are unknown together, on encoded columns of the schema or a panel.

    `weights` say how much each row counts.
    """
    known = _decisions(ruleset, data)
    used = frozenset(ruleset.features_used)
    importances = {}
    for name, features in groups.items():
        hidden = [feature for feature in features if feature in used]
        if not hidden:
            importances[name] = 0.0
            continue
        changed = known != _decisions(ruleset, _without(ruleset, data, hidden))
        importances[name] = float(np.average(changed.any(axis=1), weights=weights))
    return importances


def _decisions(ruleset: RuleSet, data: Floats | Panel) -> NDArray[Any]:
    """Return what is decided on each row: one action, or whether each action is taken where there may be several."""
    decided = decide_panel(ruleset, data) if isinstance(data, Panel) else decide_columns(ruleset, data)
    return _taken(ruleset, decided) if mode_of(ruleset.mode).several_actions else decided.actions[:, None]


def _taken(ruleset: RuleSet, decided: TableDecisions) -> NDArray[np.bool_]:
    held = np.column_stack([decided.active, ~decided.active.any(axis=1)])
    names = np.array([*(rule.action for rule in ruleset.rules), ruleset.default], dtype=object)
    return np.column_stack([held[:, names == action].any(axis=1) for action in ruleset.schema.actions])


def _without(ruleset: RuleSet, data: Floats | Panel, features: Sequence[str]) -> Floats | Panel:
    """Return the data with all values of some features missing."""
    if not isinstance(data, Panel):
        columns = data.copy()
        columns[[ruleset.schema.position(name) for name in features]] = np.nan
        return columns
    values = data.values.copy()
    values[data.channel_indices(features)] = np.nan
    return Panel(data.names, values, data.firsts, data.stops, data.ids, data.units)
