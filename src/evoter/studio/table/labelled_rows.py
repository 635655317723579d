"""Rows with labels on which rule sets decide: columns are read once, and recent decisions are kept."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.genome.arrays import table_rows
from evoter.kernels.layout import Rows
from evoter.problems import TableDecisions, deciding_rules
from evoter.problems.deciding import decide_rows_of
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.schema import Feature, Schema
from evoter.tables import encode
from evoter.tables.groups import Groups

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

N_KEPT: Final = 24
"""How many rule sets have their decisions kept: those of the last edits, and of the versions that are compared."""


class RuleTallies(NamedTuple):
    """On how many rows each rule, and last the default, holds, decides, and decides rightly."""

    held: Ints
    decided: Ints
    correct: Ints


class Decided:
    """What a rule set decides on rows: the class of each, whether that is right, and which rules hold and decide."""

    def __init__(self, ruleset: RuleSet, decisions: TableDecisions, labels: Ints, classes: tuple[str, ...]) -> None:
        self.ruleset = ruleset
        self.decisions = decisions
        self.labels = labels
        self._codes = {name: code for code, name in enumerate(classes)}
        self.classes = np.array([self._codes[name] for name in ruleset.schema.actions], np.int64)[decisions.actions]
        self.right: Bools = self.classes == labels
        self.answers: dict[object, Any] = {}
        """Answers about these decisions that are worth keeping, by what they are about."""

    @cached_property
    def deciding(self) -> Bools:
        """Which rules, and last the default, bring about the decision on each row."""
        return deciding_rules(self.ruleset, self.decisions.active, self.decisions.deciders)

    def tally(self, mask: Bools) -> RuleTallies:
        """Count what each rule does on the rows of a mask."""
        active, deciders = self.decisions.active, self.decisions.deciders
        n_rules = len(self.ruleset.rules)
        none_held = mask & ~active.any(axis=1)
        # Rule by rule: each column of the decisions is contiguous, a row of them is not.
        held = [np.count_nonzero(active[:, rule] & mask) for rule in range(n_rules)]
        if mode_of(self.ruleset.mode).procedure is Procedure.IN_ORDER:
            decided = np.bincount(deciders[mask], minlength=n_rules + 1)
            correct = np.bincount(deciders[mask & self.right], minlength=n_rules + 1)
        else:
            actions = [*(rule.action for rule in self.ruleset.rules), self.ruleset.default]
            own = self.labels[:, None] == np.array([self._codes[action] for action in actions])
            decided = np.count_nonzero(self.deciding[mask], axis=0)
            correct = np.count_nonzero((self.deciding & own)[mask], axis=0)
        return RuleTallies(np.array([*held, np.count_nonzero(none_held)], np.int64), decided, correct)


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
        self._layout: tuple[tuple[Feature, ...], Rows] | None = None
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
            features = tuple(ruleset.schema.feature(name) for name in ruleset.features_used)
            known, layout = self._laid_out(features)
            read = ruleset.replace(schema=ruleset.schema.over(known, 0))
            decided = Decided(read, decide_rows_of(read, layout, len(self)), self.labels, self.classes)
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

    def _laid_out(self, features: tuple[Feature, ...]) -> tuple[tuple[Feature, ...], Rows]:
        """Return rows as kernels read them, with these features and perhaps others that rules read before.

        Edits mostly read what the rules before them read, so that rows are laid out again only for something new.
        """
        if self._layout is None or not set(features) <= set(self._layout[0]):
            names = {each.name for each in features}
            before = () if self._layout is None else self._layout[0]
            together = (*features, *(each for each in before if each.name not in names))
            columns = np.array([self._column(each) for each in together]).reshape(len(together), len(self))
            self._layout = together, table_rows(columns, Schema(together, ["any"]))
        return self._layout

    def _column(self, feature: Feature) -> Floats:
        if feature not in self._columns:
            if feature.name not in self.frame.columns:
                hint = did_you_mean(feature.name, self.frame.columns)
                raise SchemaError(f"rules cannot read {feature.name!r}, which is no feature of this table{hint}")
            one = Schema([feature], ["any"])
            self._columns[feature] = encode(self.frame.select(feature.name), one)[0]
        return self._columns[feature]
