"""Decisions counted by group and label for whole populations, and the measures that are computed from these counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.group_rates import RATES, cells_of, rate_counts, spread
from evoter.problems.guarding import PinnedDecisions
from evoter.tables.groups import Groups, intersect

MAX_COUNTS: Final = 20_000
"""The most counts for one individual: decisions by label and group."""


@dataclass(frozen=True, slots=True)
class GroupMeasure:
    """A number that says how groups fare: how far a rate is apart between groups, or the rate of all rows.

    `rates` are names of `RATES`, of which the worst counts; `code` is the class that they are about. `kind` is
    "difference", "ratio", or "value" for the rate of all rows, whatever their group.
    """

    name: str
    rates: tuple[str, ...]
    code: int
    kind: str

    @property
    def objective(self) -> Objective:
        """Differences should be small, ratios and rates of all rows large."""
        return Objective(self.name, maximise=self.kind != "difference")

    @property
    def relative(self) -> bool:
        """It does not depend on the rest of the population."""
        return False

    @property
    def details(self) -> str:
        """What distinguishes measures of the same name."""
        return f"{self.rates} of {self.code}"

    @property
    def sign(self) -> float:
        """What the measure is multiplied by where less must be better."""
        return -1.0 if self.objective.maximise else 1.0

    def score(self, counts: "GroupConfusion") -> Floats:
        """Return the measure of each individual; with several columns of groups, that of the worst."""
        found = []
        for confusion in counts.by_column() if self.kind != "value" else [counts.overall()]:
            counted, among = rate_counts(cells_of(confusion, self.code))  # [individual, group, rate]
            for number in (list(RATES).index(rate) for rate in self.rates):
                here = counted[..., number], among[..., number]
                if self.kind == "value":
                    found.append(np.divide(here[0], here[1], out=np.ones_like(here[0]), where=here[1] > 0)[:, 0])
                else:
                    found.append(spread(*here, as_ratio=self.kind == "ratio"))
        worst: Floats = self.sign * np.max([self.sign * each for each in found], axis=0)
        return worst


@dataclass(frozen=True, slots=True, eq=False)
class GroupConfusion:
    """Counts [individual, joint group, decision, label], and the group of each joint group in every column."""

    counts: Floats
    columns: tuple[tuple[Ints, int], ...]

    def by_column(self) -> list[Floats]:
        """Return the counts by group of each column [individual, group, decision, label]."""
        found = []
        for codes, n_groups in self.columns:
            summed = np.zeros((len(self.counts), n_groups, *self.counts.shape[2:]))
            for joint, group in enumerate(codes.tolist()):
                summed[:, group] += self.counts[:, joint]
            found.append(summed)
        return found

    def overall(self) -> Floats:
        """Return the counts of all rows, as of one group."""
        total: Floats = self.counts.sum(axis=1, keepdims=True)
        return total


class GroupCounter:
    """Counts what individuals decide on the rows of each class and group, by the masks of their antecedents.

    Rows are sorted by class, within it by group, each in whole words; of several copies of a row, that of its own class
    counts. `columns` are the groups of each protected column; without any, all rows are one group.
    """

    def __init__(self, columns: Sequence[Groups], n_rows: int, n_classes: int) -> None:
        self.n_classes = n_classes
        self.columns = tuple(columns)
        joint = intersect(self.columns) if self.columns else None
        self.codes: Ints = np.zeros(n_rows, np.int64) if joint is None else joint.codes
        self.n_groups = 1 if joint is None else len(joint.names)
        if n_classes**2 * self.n_groups > MAX_COUNTS:
            raise ValueError(
                f"constraints on groups and recall count decisions by {n_classes} labels and {self.n_groups} groups, "
                "which is too many: join rare classes or groups"
            )
        firsts = np.unique(self.codes, return_index=True)[1]
        self._members = tuple((each.codes[firsts], len(each.names)) for each in self.columns)
        self._pinned: Floats = np.zeros((self.n_groups, n_classes, n_classes))

    def count_pinned(self, pinned: PinnedDecisions, classes: Ints, weights: Floats | None) -> None:
        """Count the rows that pinned rules decide, which are the same for all individuals."""
        self._pinned = self._counted(np.flatnonzero(~pinned.free), pinned.actions, classes, weights)

    def confusion(self, counted: Floats) -> GroupConfusion:
        """Return what was counted [individual, decision, label and group], with the rows that pinned rules decide."""
        counts: Floats = counted.reshape(-1, self.n_classes, self.n_classes, self.n_groups)
        return GroupConfusion(np.ascontiguousarray(counts.transpose(0, 3, 1, 2)) + self._pinned, self._members)

    def confusion_of(self, decided: Ints, classes: Ints, weights: Floats | None) -> GroupConfusion:
        """Return the counts of the decisions of one rule set on all rows."""
        return GroupConfusion(self._counted(np.arange(len(classes)), decided, classes, weights)[None], self._members)

    def _counted(self, rows: Ints, decided: Ints, classes: Ints, weights: Floats | None) -> Floats:
        """Return the counts [joint group, decision, label] of some rows, of which all decisions are given."""
        counts = np.zeros((self.n_groups, self.n_classes, self.n_classes))
        np.add.at(counts, (self.codes[rows], decided[rows], classes[rows]), 1.0 if weights is None else weights[rows])
        return counts
