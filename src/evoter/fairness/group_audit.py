"""How the groups of one column fare: rates with intervals, the worst differences, and which rules make them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.group_statistics import Share
from evoter.analysis.intervals import difference_interval, proportion_intervals
from evoter.fairness.audit_rows import AuditedRows, Ints
from evoter.problems import RATES, rate_counts
from evoter.tables.groups import Groups

FEW_ROWS = 30
"""Of fewer rows no share is compared with others: its interval is wide."""

UNLABELLED = ("selection_rate",)
"""The rates that are known without labels."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the probabilities of a group can be believed: their mean, the share with the label, the Brier score."""

    predicted: float
    observed: Share
    brier: float

    @property
    def gap(self) -> float:
        """How much more often rows have the label than their probabilities say."""
        return self.observed.value - self.predicted

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the gap, given the probabilities."""
        return self.observed.low - self.predicted, self.observed.high - self.predicted

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "predicted": self.predicted,
            "observed": self.observed.to_dict(),
            "gap": self.gap,
            "interval": list(self.interval),
            "brier": self.brier,
        }


@dataclass(frozen=True, slots=True)
class GroupRates:
    """The rows of one group, its rates by name where there are rows to count, and its calibration if it is known."""

    name: str
    n_rows: int
    rates: Mapping[str, Share]
    calibration: Calibration | None

    @property
    def is_small(self) -> bool:
        """Whether the group has too few rows for a verdict."""
        return self.n_rows < FEW_ROWS

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "name": self.name,
            "rows": self.n_rows,
            "too_few_rows": self.is_small,
            "rates": {name: {"among": share.n_rows} | share.to_dict() for name, share in self.rates.items()},
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one rule, or the default, adds to a difference: the number it is printed with, and its part."""

    number: int
    part: float

    def to_dict(self) -> dict[str, Any]:
        """Return both by name, ready for JSON."""
        return {"rule": self.number, "part": self.part}


@dataclass(frozen=True, slots=True)
class Disparity:
    """The largest difference of a rate between two groups, and what each rule contributes to it.

    The contributions of all rules and the default add up to the difference.
    """

    rate: str
    highest: str
    lowest: str
    high: Share
    low: Share
    contributions: tuple[Contribution, ...]

    @property
    def difference(self) -> float:
        """The higher rate less the lower one."""
        return self.high.value - self.low.value

    @property
    def ratio(self) -> float:
        """The lower rate as a part of the higher one; 1 if both are 0."""
        return self.low.value / self.high.value if self.high.n_hits else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """Newcombe's 95 % interval of the difference."""
        high, low = self.high, self.low
        return difference_interval((high.value, high.low, high.high), (low.value, low.low, low.high))

    @property
    def is_clear(self) -> bool:
        """Whether chance alone hardly explains the difference, since its interval does not contain 0."""
        return self.interval[0] > 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rate": self.rate,
            "highest": self.highest,
            "lowest": self.lowest,
            "difference": self.difference,
            "interval": list(self.interval),
            "ratio": self.ratio,
            "clear": self.is_clear,
            "contributions": [each.to_dict() for each in self.contributions],
        }


@dataclass(frozen=True, slots=True)
class ColumnAudit:
    """The groups of a column, or of several together, for one favourable decision; `read_by` are numbers of rules.

    `disparities` has the rates for which two or more groups have enough rows.
    """

    column: str
    favourable: str
    groups: tuple[GroupRates, ...]
    disparities: tuple[Disparity, ...]
    read_by: tuple[int, ...]

    def disparity(self, rate: str) -> Disparity | None:
        """Return the worst difference of a rate; None if fewer than two groups have enough rows for a verdict."""
        return next((each for each in self.disparities if each.rate == rate), None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "column": self.column,
            "favourable": self.favourable,
            "read_by_rules": list(self.read_by),
            "groups": [each.to_dict() for each in self.groups],
            "disparities": [each.to_dict() for each in self.disparities],
        }


def audit_column(rows: AuditedRows, groups: Groups, code: int, min_rows: int = FEW_ROWS) -> ColumnAudit:
    """Measure how groups fare if the action number `code` is the favourable one.

    Only shares of at least `min_rows` rows are compared.
    """
    cells = count_cells(rows, groups, code)  # [rule, group, cell]
    counted, among = rate_counts(cells)
    counted_in_all, among_in_all = counted.sum(axis=0), among.sum(axis=0)
    low, high = proportion_intervals(counted_in_all, among_in_all)
    names = list(RATES) if rows.labels is not None else list(UNLABELLED)
    shares = [
        {
            name: Share(
                int(counted_in_all[group, rate]),
                int(among_in_all[group, rate]),
                float(low[group, rate]),
                float(high[group, rate]),
            )
            for rate, name in enumerate(RATES)
            if name in names and among_in_all[group, rate] > 0
        }
        for group in range(len(groups.names))
    ]
    calibrations = _calibrations(rows, groups, code)
    found = [
        GroupRates(name, int(size), shares[group], calibrations[group])
        for group, (name, size) in enumerate(zip(groups.names, groups.sizes, strict=True))
    ]
    disparities = []
    for rate, name in enumerate(RATES):
        compared = [g for g, own in enumerate(shares) if name in own and own[name].n_rows >= max(min_rows, 1)]
        if name in names and len(compared) > 1:
            highest = max(compared, key=lambda g: shares[g][name].value)
            lowest = min(compared, key=lambda g: shares[g][name].value)
            parts = counted[:, highest, rate] / among_in_all[highest, rate]
            parts = parts - counted[:, lowest, rate] / among_in_all[lowest, rate]
            contributions = tuple(Contribution(k + 1, float(part)) for k, part in enumerate(parts))
            pair = groups.names[highest], groups.names[lowest]
            disparities.append(Disparity(name, *pair, shares[highest][name], shares[lowest][name], contributions))
    single = any(groups is each for each in rows.groups)
    read_by = rules_reading(rows, [groups.column] if single else [each.column for each in rows.groups])
    favourable = rows.ruleset.schema.actions[code]
    return ColumnAudit(groups.column, favourable, tuple(found), tuple(disparities), read_by)


def count_cells(rows: AuditedRows, groups: Groups, code: int) -> Ints:
    """Count rows by deciding rule, group and cell of `evoter.problems.classification.group_rates`.

    Without labels, no row has the label and none is right.
    """
    n_rules, n_groups = rows.active.shape[1] + 1, len(groups.names)
    place = rows.deciders * n_groups + groups.codes
    selected = rows.actions == code
    labelled: NDArray[np.bool_] = np.zeros_like(selected) if rows.labels is None else rows.labels == code
    cells = np.bincount(place * 4 + 2 * selected + labelled, minlength=n_rules * n_groups * 4)
    right = place[:0] if rows.labels is None else place[rows.actions == rows.labels]
    n_right = np.bincount(right, minlength=n_rules * n_groups)
    return np.concatenate([cells.reshape(n_rules, n_groups, 4), n_right.reshape(n_rules, n_groups, 1)], axis=2)


def rules_reading(rows: AuditedRows, columns: list[str]) -> tuple[int, ...]:
    """Return the numbers of the rules that read one of some columns."""
    return tuple(
        number
        for number, rule in enumerate(rows.ruleset.rules, start=1)
        if any(term.feature in columns for condition in rule.conditions for term in condition.terms)
    )


def _calibrations(rows: AuditedRows, groups: Groups, code: int) -> list[Calibration | None]:
    n_groups = len(groups.names)
    if rows.probabilities is None or rows.labels is None:
        return [None] * n_groups
    said, happened = rows.probabilities[:, code], rows.labels == code
    sizes = groups.sizes
    predicted = np.bincount(groups.codes, said, n_groups) / sizes
    brier = np.bincount(groups.codes, (said - happened) ** 2, n_groups) / sizes
    hits = np.bincount(groups.codes[happened], minlength=n_groups)
    low, high = proportion_intervals(hits, sizes)
    return [
        Calibration(
            float(predicted[g]), Share(int(hits[g]), int(sizes[g]), float(low[g]), float(high[g])), float(brier[g])
        )
        for g in range(n_groups)
    ]
