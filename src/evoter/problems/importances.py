"""How much the decisions of a rule set depend on each feature: the share that changes if the feature is unknown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.problems.deciding import TableDecisions, decide_columns, decide_panel, taken_actions
from evoter.problems.frames import schema_read
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, RuleSet
from evoter.rules.modes import Procedure, mode_of
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
    known = _decide(ruleset, data)
    used = frozenset(ruleset.features_used)
    importances = {}
    for name, features in groups.items():
        changed = _changed(ruleset, data, known, used.intersection(features))
        importances[name] = float(np.average(changed, weights=weights))
    return importances


def _changed(
    ruleset: RuleSet, data: Floats | Panel, known: TableDecisions, hidden: frozenset[str]
) -> NDArray[np.bool_]:
    """Tell which decisions change if some features are unknown."""
    if any(_tests_missing(condition, hidden) for rule in ruleset.rules for condition in rule.conditions):
        unknown = _decide(ruleset, _without(ruleset, data, hidden))
        return np.asarray((taken_actions(ruleset, known) != taken_actions(ruleset, unknown)).any(axis=1), np.bool_)
    # Rules that read the features cannot hold, so the others decide, and only rows on which such a rule counted change.
    reading = np.array([any(_reads(each, hidden) for each in rule.conditions) for rule in ruleset.rules], np.bool_)
    one_decides = mode_of(ruleset.mode).procedure is Procedure.IN_ORDER
    affected = np.append(reading, False)[known.deciders] if one_decides else known.active[:, reading].any(axis=1)
    changed = np.asarray(affected, np.bool_)
    rows = np.flatnonzero(changed)
    if len(rows):
        rest = tuple(rule for rule, reads in zip(ruleset.rules, reading, strict=True) if not reads)
        unknown = _decide(ruleset.replace(rules=rest), data[rows] if isinstance(data, Panel) else data[:, rows])
        changed[rows] = (
            taken_actions(ruleset, known)[rows] != taken_actions(ruleset.replace(rules=rest), unknown)
        ).any(axis=1)
    return changed


def _reads(condition: Condition, features: frozenset[str]) -> bool:
    return any(term.feature in features for term in condition.terms)


def _tests_missing(condition: Condition, features: frozenset[str]) -> bool:
    return not form_of(condition).compares and _reads(condition, features)


def _decide(ruleset: RuleSet, data: Floats | Panel) -> TableDecisions:
    return decide_panel(ruleset, data) if isinstance(data, Panel) else decide_columns(ruleset, data)


def _without(ruleset: RuleSet, data: Floats | Panel, features: Iterable[str]) -> Floats | Panel:
    """Return the data with all values of some features missing."""
    if not isinstance(data, Panel):
        columns = data.copy()
        columns[[ruleset.schema.position(name) for name in features]] = np.nan
        return columns
    values = data.values.copy()
    values[data.channel_indices([*features])] = np.nan
    return Panel(data.names, values, data.firsts, data.stops, data.ids, data.units)
