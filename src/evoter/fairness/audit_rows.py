"""What an audit is computed from: the decision on each row, the rule that made it, the label, and the groups."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.model_inputs import match_columns, match_labels, read_rows
from evoter.analysis.report.material import ruleset_of
from evoter.problems import TableDecisions, decide_columns, decide_panel, decision_probabilities, schema_read
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.tables import Panel, encode
from evoter.tables.groups import Bands, Groups, Protected, read_groups
from evoter.tables.sources import open_table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AuditedRows:
    """The rows of an audit: decisions by the rules, labels if they are known, and groups by protected column.

    `actions` and `labels` are positions in the schema's actions; labels that are no action have the numbers after
    them. `probabilities` are those of each action, None where they are not known.
    """

    ruleset: RuleSet
    actions: Ints
    deciders: Ints
    active: NDArray[np.bool_]
    labels: Ints | None
    groups: tuple[Groups, ...]
    probabilities: Floats | None
    decide: Callable[[RuleSet], TableDecisions]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.actions)


def read_audited(
    model: Any, table: Any, target: Any, protected: Protected, bands: Bands | Mapping[str, Bands] | None
) -> AuditedRows:
    """Decide on all rows of a table, once, and read labels and groups."""
    rows = read_rows(model, table)
    ruleset = match_columns(model, ruleset_of(model), rows)
    if ruleset.schema.target is not None:
        raise SchemaError("an audit compares rates of classes between groups, and these rules predict numbers")
    if mode_of(ruleset.mode).several_actions:
        raise SchemaError(
            f"rules that decide by mode {ruleset.mode} take several actions at once: an audit needs one decision a row"
        )
    decide = _decider(ruleset, rows)
    decisions = decide(ruleset)
    n_rows = len(decisions.actions)
    labels = None if target is None else _labels(target, table, ruleset.schema.actions, n_rows)
    return AuditedRows(
        ruleset,
        decisions.actions,
        decisions.deciders,
        decisions.active,
        labels,
        tuple(read_groups(protected, table, bands, n_rows)),
        decision_probabilities(ruleset, decide) if ruleset.records else None,
        decide,
    )


def _decider(ruleset: RuleSet, rows: Any) -> Callable[[RuleSet], TableDecisions]:
    """Return what decides on the rows by these rules, or by others that read the same features."""
    if isinstance(rows, Panel):
        return lambda rules: decide_panel(rules, rows)
    schema = schema_read(ruleset, rows)
    columns = encode(rows, schema)
    return lambda rules: decide_columns(rules.replace(schema=schema), columns)


def _labels(target: Any, table: Any, actions: Sequence[str], n_rows: int) -> Ints:
    if isinstance(target, str):
        names = () if isinstance(table, Panel) else open_table(table).names or ()
        if target not in names:
            raise SchemaError(f"target: the table has no column {target!r}{did_you_mean(target, names)}")
        target = open_table(table).load(names.index(target), target).cells
    if len(target) != n_rows:
        raise SchemaError(f"there are {n_rows} rows and {len(target)} labels: give every row its label")
    return match_labels(target, actions)[1]
