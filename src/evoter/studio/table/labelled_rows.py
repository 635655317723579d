"""Rows with labels on which rule sets decide: columns are read once, and recent decisions are kept."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.analysis.rule_statistics import who_decides
from evoter.problems import TableDecisions, decide_columns
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.tables import encode
from evoter.tables.groups import Groups

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

N_KEPT: Final = 24
"""How many rule sets have their decisions kept: those of the last edits, and of the versions that are compared."""


class Decided:
    """What a rule set decides on rows: the class of each, whether that is right, and which rules hold and decide."""

    def __init__(self, ruleset: RuleSet, decisions: TableDecisions, labels: Ints, classes: tuple[str, ...]) -> None:
        self.ruleset = ruleset
        self.decisions = decisions
        known = {name: code for code, name in enumerate(classes)}
        self.classes = np.array([known[action] for action in ruleset.schema.actions], np.int64)[decisions.actions]
        self.right: Bools = self.classes == labels

    @cached_property
    def _who(self) -> tuple[Bools, Bools]:
        return who_decides(self.ruleset, self.decisions.active, self.decisions.deciders)

    @property
    def held(self) -> Bools:
        """Which rules, and last the default, hold on each row."""
        return self._who[0]

    @property
    def deciding(self) -> Bools:
        """Which of them bring about the decision."""
        return self._who[1]


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """The groups of one protected column on some rows."""

    column: str
    names: tuple[str, ...]
    codes: Ints

    @classmethod
    def of(cls, groups: Groups, positions: Ints) -> "RowGroups":
        """Return the groups of some of the rows."""
        return cls(groups.column, groups.names, groups.codes[positions])


class LabelledRows:
    """Rows of a table with their labels and groups; `positions` are those of the rows among all labelled rows."""

    def __init__(
        self,
        frame: pl.DataFrame,
        positions: Ints,
        labels: Ints,
        classes: tuple[str, ...],
        groups: tuple[RowGroups, ...] = (),
    ) -> None:
        self.frame = frame
        self.positions = positions
        self.labels = labels
        self.classes = classes
        self.groups = groups
        self._columns: dict[Feature, Floats] = {}
        self._decided: OrderedDict[RuleSet, Decided] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.positions)

    def decide(self, ruleset: RuleSet, *, keep: bool = True) -> Decided:
        """Decide on all rows; refuse rules that read what the table does not have.

        Without `keep`, the decisions do not take the place of others that are kept.
        """
        with self._lock:
            if ruleset in self._decided:
                self._decided.move_to_end(ruleset)
                return self._decided[ruleset]
            features = [ruleset.schema.feature(name) for name in ruleset.features_used]
            read = ruleset.replace(schema=ruleset.schema.over(features, 0))
            columns = np.array([self._column(each) for each in features]).reshape(len(features), len(self))
            decided = Decided(read, decide_columns(read, columns), self.labels, self.classes)
            if keep:
                self._decided[ruleset] = decided
            if len(self._decided) > N_KEPT:
                self._decided.popitem(last=False)
            return decided

    def holds(self, ruleset: RuleSet) -> Bools:
        """Tell on which rows the first rule of a rule set holds."""
        return self.decide(ruleset).decisions.active[:, 0]

    def column(self, feature: Feature) -> Floats:
        """Return a column as numbers: missing values are NaN, categories their positions in the feature's list."""
        with self._lock:
            return self._column(feature)

    def values(self, row: int) -> dict[str, Any]:
        """Return the values of a row by the names of columns; missing ones are None."""
        return {
            name: None if isinstance(value, float) and value != value else value
            for name, value in self.frame.row(row, named=True).items()
        }

    def _column(self, feature: Feature) -> Floats:
        if feature not in self._columns:
            if feature.name not in self.frame.columns:
                hint = did_you_mean(feature.name, self.frame.columns)
                raise SchemaError(f"rules cannot read {feature.name!r}, which is no feature of this table{hint}")
            one = Schema([feature], ["any"])
            self._columns[feature] = encode(self.frame.select(feature.name), one)[0]
        return self._columns[feature]
