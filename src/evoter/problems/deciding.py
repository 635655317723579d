"""Compiled decisions of one rule set on a table or a panel: those of the interpreter, for millions of rows."""

from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from evoter.genome.arrays import table_rows
from evoter.genome.codec import encode
from evoter.genome.deciding import claim_order, row_decider
from evoter.kernels.evaluation.decide import decide_rows
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import Floats, Ints, Rows
from evoter.kernels.threads import Threads
from evoter.problems.condition_masks import ConditionMasks
from evoter.problems.panel_rows import panel_rows
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.schema import Schema
from evoter.rules.stream import furthest_lag
from evoter.tables.panel import Panel

_CONDITION_BUDGET = 256 * 2**20
"""Maximum bytes for masks of conditions; a rule set that needs more is evaluated without sharing them."""


@dataclass(frozen=True, slots=True)
class TableDecisions:
    """The decisions on the rows of a table, or on the instances of a panel.

    `actions` are positions in the schema's actions; `deciders` the deciding rule of each row (the number of rules for
    the default; under vote the first rule that voted for the winner); `active` tells which rules held on which row.
    """

    actions: Ints
    certainties: Floats
    deciders: Ints
    active: NDArray[np.bool_]


def decide_columns(ruleset: RuleSet, columns: Floats) -> TableDecisions:
    """Decide on every row of a table given feature by feature, as `evoter.tables.encode` makes it."""
    return decide_rows_of(ruleset, table_rows(columns, ruleset.schema), columns.shape[1])


def decide_panel(ruleset: RuleSet, panel: Panel) -> TableDecisions:
    """Decide on every instance of a panel at its last step; the channels are found by name."""
    schema = ruleset.schema
    # Only as many lags as the rules use: a schema often allows more.
    reached = Schema(schema.features, schema.actions, furthest_lag(ruleset))
    return decide_rows_of(ruleset, panel_rows(panel, reached), len(panel))


def decide_rows_of(ruleset: RuleSet, rows: Rows, n_rows: int) -> TableDecisions:
    """Decide on the first `n_rows` rows that were laid out for the schema of a rule set."""
    population = encode([ruleset], ruleset.schema)
    n_rules = len(ruleset.rules)
    slots = np.arange(max(n_rules, 1), dtype=np.int64)
    masks = np.zeros((len(slots), len(rows.valid)), np.uint64)
    claimed = (slots, slots, masks, np.zeros(len(slots), np.int64))
    budget = min(_CONDITION_BUDGET, masks.itemsize * len(rows.valid) * ruleset.n_conditions)
    if not ConditionMasks(rows, budget).fill(population.antecedents, Threads(1), n_rules, *claimed):
        fill_masks(0, n_rules, rows, population.antecedents, *claimed)
    actions = np.empty(n_rows, np.int64)
    certainties = np.empty(n_rows)
    deciders = np.empty(n_rows, np.int64)
    outputs = (len(ruleset.schema.actions), actions, certainties, deciders)
    code, order = row_decider(ruleset.mode).code, claim_order(population, ruleset.mode)
    decide_rows(population, 0, code, order, slots, masks, *outputs)
    bits = np.unpackbits(masks[:n_rules].view(np.uint8), axis=1, bitorder="little")
    return TableDecisions(actions, certainties, deciders, bits[:, :n_rows].T.astype(np.bool_))


def decision_probabilities(ruleset: RuleSet, decisions: TableDecisions, of_rules: Floats) -> Floats:
    """Return class probabilities [row, class], given those of each rule and of the default [rule, class].

    They are those of the deciding rule; in mode vote they are averaged over the active rules.
    """
    if not mode_of(ruleset.mode).needs_active_rules:
        return of_rules[decisions.deciders]
    voters = np.column_stack([decisions.active, ~decisions.active.any(axis=1)]).astype(np.float64)
    means: Floats = (voters / voters.sum(axis=1, keepdims=True)) @ of_rules
    return means


def deciding_rules(ruleset: RuleSet, active: NDArray[np.bool_], deciders: Ints) -> NDArray[np.bool_]:
    """Tell which rules, and last the default, brought about the decision on each row [row, rule].

    `active` and `deciders` are those of `TableDecisions`. The counts are the `times_decided` of the interpreter.
    """
    held = np.column_stack([active, ~active.any(axis=1)])
    procedure = mode_of(ruleset.mode).procedure
    match procedure:
        case Procedure.IN_ORDER:
            deciding: NDArray[np.bool_] = deciders[:, None] == np.arange(held.shape[1])
            return deciding
        case Procedure.POLL:
            names = [*(rule.action for rule in ruleset.rules), ruleset.default]
            actions = np.array([ruleset.schema.actions.index(name) for name in names])
            winners: NDArray[np.bool_] = held & (actions[deciders][:, None] == actions)
            return winners
        case Procedure.EVERY:
            return held
        case _:
            assert_never(procedure)


def taken_actions(ruleset: RuleSet, decisions: TableDecisions) -> NDArray[Any]:
    """Return the action of each row [row, 1], or whether each action is taken where there may be several."""
    if not mode_of(ruleset.mode).several_actions:
        return decisions.actions[:, None]
    held = np.column_stack([decisions.active, ~decisions.active.any(axis=1)])
    names = np.array([*(rule.action for rule in ruleset.rules), ruleset.default], dtype=object)
    return np.column_stack([held[:, names == action].any(axis=1) for action in ruleset.schema.actions])
