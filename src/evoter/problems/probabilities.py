"""Class probabilities of decisions: those of the training rows that were decided in the same way."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.deciding import TableDecisions
from evoter.rules.model import Rule, RuleSet
from evoter.rules.modes import mode_of

Decider = Callable[[RuleSet], TableDecisions]
"""Decides on certain rows by any rule set that reads no more than the one that the rows were read for."""


class Cells(NamedTuple):
    """For each row the number of its cell: a rule, the default, or a part of their records.

    `probabilities` are those of each cell [cell, class].
    """

    of_rows: Ints
    probabilities: Floats


def decision_probabilities(ruleset: RuleSet, decider: Decider) -> Floats:
    """Return class probabilities [row, class] from the track records of a rule set.

    They are those of the deciding rule, or of the part of its training rows that a row belongs to; in mode vote they
    are averaged over the active rules.
    """
    decisions = decider(ruleset)
    if not mode_of(ruleset.mode).needs_active_rules:
        cells = record_cells(ruleset, decisions, decider)
        return cells.probabilities[cells.of_rows]
    voters = np.column_stack([decisions.active, ~decisions.active.any(axis=1)]).astype(np.float64)
    of_rules = np.array([record.probabilities for record in ruleset.records])
    means: Floats = (voters / voters.sum(axis=1, keepdims=True)) @ of_rules
    return means


def record_cells(ruleset: RuleSet, decisions: TableDecisions, decider: Decider) -> Cells:
    """Say to which rule, or part of its track record, each row belongs."""
    of_rows = decisions.deciders.copy()
    probabilities = [record.probabilities for record in ruleset.records]
    conditions = [part.conditions for record in ruleset.records for part in record.parts if part.conditions]
    if not conditions:
        return Cells(of_rows, np.array(probabilities))
    rules = [Rule(together, ruleset.default) for together in conditions]
    held = iter(decider(RuleSet(rules, ruleset.default, ruleset.schema)).active.T)
    for number, record in enumerate(ruleset.records):
        left = decisions.deciders == number
        for part in record.parts:
            belongs = left & next(held) if part.conditions else left
            of_rows[belongs] = len(probabilities)
            left = left & ~belongs
            probabilities.append(part.probabilities)
    return Cells(of_rows, np.array(probabilities))
