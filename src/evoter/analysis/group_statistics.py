"""What rules do to groups of rows, such as women and men: how often each decision is made, and how often correct."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evoter.analysis.formatting import counted, rounded
from evoter.analysis.intervals import proportion_interval
from evoter.analysis.rule_statistics import RuleStatistics
from evoter.rules.errors import SchemaError
from evoter.rules.values import category_name, is_missing, plain_value

MAX_GROUPS = 12
"""The rarest of more groups are taken together."""

MAX_NUMBERS = 8
"""A column with more different numbers is divided at its quartiles."""

MISSING = "(missing)"


class Share(NamedTuple):
    """A share of some rows, with its 95 % interval."""

    n_hits: int
    n_rows: int
    low: float
    high: float

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
    statistics: RuleStatistics, labels: Sequence[str] | None, column: str, values: Iterable[object]
) -> GroupStatistics:
    """Measure what a rule set does to each group of rows, by the values of a column that has one for each row."""
    named = group_names(values)
    if len(named) != statistics.n_rows:
        raise SchemaError(f"{column!r} has {len(named)} values for {statistics.n_rows} rows: give one for each row")
    actions = statistics.ruleset.schema.actions
    groups, predictions = np.array(named, dtype=object), statistics.predictions
    own = None if labels is None else np.array(labels, dtype=object)
    figures = []
    for name in dict.fromkeys(sorted(named, key=_position(named))):
        inside = groups == name
        n_rows, decided = int(inside.sum()), predictions[inside]
        known = None if own is None else own[inside]
        figures.append(
            GroupFigures(
                name,
                n_rows,
                tuple(_share(int((decided == action).sum()), n_rows) for action in actions),
                None if known is None else tuple(_share(int((known == action).sum()), n_rows) for action in actions),
                None if known is None else _share(int((known == decided).sum()), n_rows),
            )
        )
    return GroupStatistics(column, actions, tuple(figures), column in statistics.ruleset.features_used)


def group_names(values: Iterable[object]) -> list[str]:
    """Return the name of the group of each row: its category, the quartile of its number, or that it is missing.

    >>> group_names(["f", "m", None])
    ['f', 'm', '(missing)']
    >>> group_names([18, 25, 31, 40, 52, 60, 71, 80, 89])[::4]
    ['18 to 31', '40 to 52', '80 to 89']
    """
    cells = [None if is_missing(value) else plain_value(value) for value in values]
    numbers = [cell for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    present = sum(cell is not None for cell in cells)
    if numbers and len(numbers) == present and len(set(numbers)) > MAX_NUMBERS:
        return _quartile_names(cells, np.array(numbers, dtype=np.float64))
    names = [MISSING if cell is None else category_name(cell) or str(cell) for cell in cells]
    counts = Counter(names)
    if len(counts) <= MAX_GROUPS:
        return names
    kept = {name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: MAX_GROUPS - 1]}
    others = f"({counted(len(counts) - len(kept), 'other')})"
    return [name if name in kept else others for name in names]


def _quartile_names(cells: Sequence[Any], numbers: Any) -> list[str]:
    cuts = np.unique(np.quantile(numbers, [0.25, 0.5, 0.75]))
    quartiles = np.searchsorted(cuts, numbers, side="left")
    texts = {}
    for quartile in np.unique(quartiles).tolist():
        inside = numbers[quartiles == quartile]
        low, high = rounded(float(inside.min())), rounded(float(inside.max()))
        texts[quartile] = low if low == high else f"{low} to {high}"
    found = iter(quartiles.tolist())
    return [MISSING if cell is None else texts[next(found)] for cell in cells]


def _position(named: Sequence[str]) -> Any:
    """Return the order of groups: quartiles by their number, others by size, those without a category at the end."""
    counts = Counter(named)

    def key(name: str) -> tuple[bool, float, int, str]:
        first = name.partition(" to ")[0].replace(",", "")
        try:
            number = float(first)
        except ValueError:
            number = float("inf")
        return name.startswith("("), number, -counts[name], name

    return key


def _share(n_hits: int, n_rows: int) -> Share:
    return Share(n_hits, n_rows, *proportion_interval(n_hits, n_rows))


def _by_action(actions: Sequence[str], shares: Sequence[Share]) -> dict[str, Any]:
    return {action: share.to_dict() for action, share in zip(actions, shares, strict=True)}
