"""What rules do to groups of rows, such as women and men: how often each decision is made, and how often correct."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evoter.analysis.intervals import proportion_interval
from evoter.analysis.rule_statistics import RuleStatistics
from evoter.tables.groups import read_groups


class Share(NamedTuple):
    """A share of some rows, with its 95 % interval."""

    n_hits: int
    n_rows: int
    low: float
    high: float

    @classmethod
    def of(cls, n_hits: int, n_rows: int) -> "Share":
        """Return the share of some hits among rows, with Wilson's interval."""
        return cls(n_hits, n_rows, *proportion_interval(n_hits, n_rows))

    @property
    def value(self) -> float:
        """The share itself."""
        return self.n_hits / self.n_rows

    def to_dict(self) -> dict[str, Any]:
        """Return the share and its interval, ready for JSON."""
        return {"rows": self.n_hits, "share": self.value, "interval": [self.low, self.high]}


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """The rows of one group: the share of each decision, of each label and of right decisions (None without labels)."""

    name: str
    n_rows: int
    decided: tuple[Share, ...]
    labelled: tuple[Share, ...] | None
    right: Share | None


@dataclass(frozen=True, slots=True)
class GroupStatistics:
    """All groups of a column, the decisions that are told apart, and whether rules read the column."""

    column: str
    actions: tuple[str, ...]
    groups: tuple[GroupFigures, ...]
    is_read: bool

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "column": self.column,
            "read_by_rules": self.is_read,
            "groups": [
                {
                    "name": group.name,
                    "rows": group.n_rows,
                    "decided": _by_action(self.actions, group.decided),
                    "labelled": None if group.labelled is None else _by_action(self.actions, group.labelled),
                    "accuracy": None if group.right is None else group.right.to_dict(),
                }
                for group in self.groups
            ],
        }


def measure_groups(
    statistics: RuleStatistics, labels: Sequence[str] | None, column: str, values: Sequence[Any]
) -> GroupStatistics:
    """Measure what a rule set does to each group of rows, by the values of a column that has one for each row."""
    (groups,) = read_groups({column: values}, None, None, statistics.n_rows)
    actions, predictions = statistics.ruleset.schema.actions, statistics.predictions
    own = None if labels is None else np.array(labels, dtype=object)
    figures = []
    for code, name in enumerate(groups.names):
        inside = groups.codes == code
        n_rows, decided = int(inside.sum()), predictions[inside]
        known = None if own is None else own[inside]
        figures.append(
            GroupFigures(
                name,
                n_rows,
                tuple(Share.of(int((decided == action).sum()), n_rows) for action in actions),
                None if known is None else tuple(Share.of(int((known == action).sum()), n_rows) for action in actions),
                None if known is None else Share.of(int((known == decided).sum()), n_rows),
            )
        )
    return GroupStatistics(column, actions, tuple(figures), column in statistics.ruleset.features_used)


def _by_action(actions: Sequence[str], shares: Sequence[Share]) -> dict[str, Any]:
    return {action: share.to_dict() for action, share in zip(actions, shares, strict=True)}
