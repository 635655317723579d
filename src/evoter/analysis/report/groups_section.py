"""The groups of a report: what the rules do to the groups of rows that a protected column defines."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evoter.analysis.group_statistics import GroupFigures, GroupStatistics, Share, measure_groups
from evoter.analysis.model_inputs import match_labels
from evoter.analysis.report.material import Material

MAX_DECISIONS = 5
"""Shares of further decisions are not shown."""

FEW_ROWS = 30
"""Groups with fewer rows are marked: their intervals are wide."""


class Decided(NamedTuple):
    """The share of a group that gets a decision, and the share that has it as its label, None without labels."""

    share: Share
    labelled: Share | None


class GroupsSection(NamedTuple):
    """One protected column: its groups as the rows of a table, and how far accuracies are apart."""

    column: str
    is_read: bool
    actions: tuple[str, ...]
    n_left_out: int
    head: list[str]
    rows: list[list[str | int | Share | Decided]]
    accuracies: tuple[Share, Share] | None
    n_small: int


def groups_sections(material: Material) -> list[GroupsSection]:
    """Return what the rules do to the groups of each protected column."""
    sample, labels = material.sample, None
    if sample.y is not None:
        names, codes = match_labels(sample.y, material.ruleset.schema.actions)
        labels = [names[code] for code in codes.tolist()]
    return [
        _section(measure_groups(sample.statistics, labels, column, values))
        for column, values in material.protected.items()
    ]


def _section(statistics: GroupStatistics) -> GroupsSection:
    actions = statistics.actions
    sizes = [sum(group.decided[code].n_hits for group in statistics.groups) for code in range(len(actions))]
    shown = sorted(sorted(range(len(actions)), key=lambda code: (-sizes[code], code))[:MAX_DECISIONS])
    labelled = all(group.right is not None for group in statistics.groups)
    rows: list[list[str | int | Share | Decided]] = []
    for group in statistics.groups:
        right = [] if group.right is None else [group.right]
        rows.append([group.name, group.n_rows, *_decided(group, shown), *right])
    rights = [group.right for group in statistics.groups if group.right is not None and group.n_rows >= FEW_ROWS]
    return GroupsSection(
        column=statistics.column,
        is_read=statistics.is_read,
        actions=tuple(actions[code] for code in shown),
        n_left_out=len(actions) - len(shown),
        head=["group", "rows", *(f"decided {actions[code]}" for code in shown), *(["accuracy"] if labelled else [])],
        rows=rows,
        accuracies=_ends(rights),
        n_small=sum(group.n_rows < FEW_ROWS for group in statistics.groups),
    )


def _decided(group: GroupFigures, codes: Iterable[int]) -> list[Decided]:
    return [Decided(group.decided[code], None if group.labelled is None else group.labelled[code]) for code in codes]


def _ends(shares: Sequence[Share]) -> tuple[Share, Share] | None:
    """Return the lowest and the highest of some shares; None if there are fewer than two."""
    ordered = sorted(shares, key=lambda share: share.value)
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else None
