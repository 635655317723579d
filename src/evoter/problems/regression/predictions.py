"""Compiled predictions of a rule set whose actions are numbers: those of the interpreter, for millions of rows."""

from typing import Any, NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.deciding import TableDecisions, decide_columns
from evoter.problems.frames import schema_read
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action
from evoter.tables import encode


class Predictions(NamedTuple):
    """The number of each row, NaN where a linear term reads a missing value, and the decisions behind them."""

    numbers: Floats
    decisions: TableDecisions

    @property
    def deciders(self) -> Ints:
        """The rule that decided each row, from 0; the number of rules for the default."""
        return self.decisions.deciders


def predict_columns(ruleset: RuleSet, columns: Floats) -> Predictions:
    """Predict a number for every row of a table given feature by feature, as `evoter.tables.encode` makes it."""
    decisions = decide_columns(ruleset, columns)
    return Predictions(numbers_of(ruleset, columns, decisions.actions), decisions)


def predict_frame(ruleset: RuleSet, X: Any) -> Predictions:
    """Predict a number for every row of a frame or array, whose columns are found by name."""
    read = ruleset.replace(schema=schema_read(ruleset, X))
    return predict_columns(read, encode(X, read.schema))


def numbers_of(ruleset: RuleSet, columns: Floats, actions: Ints) -> Floats:
    """Return the numbers that actions, given by their positions in the schema, stand for on the rows of a table."""
    found = [read_action(action) for action in ruleset.schema.actions]
    numbers = np.array([each.constant for each in found])[actions]
    for position, each in enumerate(found):
        if each.feature:
            taken = np.flatnonzero(actions == position)
            numbers[taken] += each.coefficient * columns[ruleset.schema.position(each.feature), taken]
    return numbers
