"""Proxies: rules, or conditions of rules, that tell groups apart without reading the column that defines them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.intervals import NORMAL_QUANTILE
from evoter.fairness.audit_rows import AuditedRows, Floats
from evoter.rules.model import Condition, Rule
from evoter.rules.text import print_condition
from evoter.tables.groups import Groups

STRENGTH = 0.3
"""The least correlation with a group that makes a proxy; by Cohen's convention it is of medium size."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A rule, or a condition of it, that predicts whether a row belongs to a group.

    `strength` is the correlation of holding and belonging, without its sign (phi, which for two groups is Cramér's V),
    with Fisher's 95 % interval. `condition` is None where all conditions of the rule together are meant.
    """

    rule: int
    condition: str | None
    features: tuple[str, ...]
    column: str
    group: str
    inside: float
    outside: float
    strength: float
    interval: tuple[float, float]

    @property
    def auc(self) -> float:
        """How well it ranks rows of the group against others, as the area under the ROC curve; 0.5 is chance."""
        return 0.5 + abs(self.inside - self.outside) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rule": self.rule,
            "condition": self.condition,
            "features": list(self.features),
            "column": self.column,
            "group": self.group,
            "holds_in_group": self.inside,
            "holds_in_others": self.outside,
            "strength": self.strength,
            "interval": list(self.interval),
            "auc": self.auc,
        }


def find_proxies(rows: AuditedRows, threshold: float = STRENGTH) -> tuple[Proxy, ...]:
    """Return the rules and conditions that do not read a protected column but tell its groups apart, strongest first.

    Of each rule and column, the conditions that are proxies by themselves are listed, and the rule as a whole where
    it is one. What chance may explain (the interval contains 0) is left out.
    """
    rules = rows.ruleset.rules
    single = list(
        dict.fromkeys(condition for rule in rules for condition in rule.conditions if len(rule.conditions) > 1)
    )
    masks = rows.active
    if single:
        alone = tuple(Rule((condition,), rows.ruleset.default) for condition in single)
        masks = np.concatenate([masks.T, rows.decide(rows.ruleset.replace(rules=alone)).active.T]).T
    found = []
    for groups in rows.groups:
        correlations, inside, outside = correlate(masks, groups)
        for number, rule in enumerate(rules, start=1):
            parts: list[tuple[int, Condition | None]] = [(number - 1, None)]
            if len(rule.conditions) > 1:
                parts += [(len(rules) + single.index(each), each) for each in rule.conditions]
            for place, condition in parts:
                features = _features(rule.conditions if condition is None else [condition])
                group = int(np.argmax(np.abs(correlations[place])))
                strength = float(abs(correlations[place, group]))
                low, high = _interval(strength, rows.n_rows)
                if groups.column in features or strength < threshold or low <= 0.0:
                    continue
                text = None if condition is None else print_condition(condition, rows.ruleset.schema)
                shares = float(inside[place, group]), float(outside[place, group])
                pair = groups.column, groups.names[group]
                found.append(Proxy(number, text, features, *pair, *shares, strength, (low, high)))
    return tuple(sorted(found, key=lambda proxy: -proxy.strength))


def correlate(masks: NDArray[np.bool_], groups: Groups) -> tuple[Floats, Floats, Floats]:
    """Return for each mask and group the correlation, and the shares of the group and of other rows that it holds on.

    A mask that holds everywhere or nowhere, and a group of all rows, correlate with nothing.
    """
    n = len(groups.codes)
    packed = np.packbits(masks.T, axis=1)
    members = [np.packbits(groups.codes == code) for code in range(len(groups.names))]
    held = np.array([np.bitwise_count(packed & bits).sum(axis=1) for bits in members], np.float64).T  # [mask, group]
    sizes, totals = groups.sizes.astype(np.float64), held.sum(axis=1, keepdims=True)
    covariance = held * n - totals * sizes
    spread = np.sqrt(totals * (n - totals) * sizes * (n - sizes))
    correlations = np.divide(covariance, spread, out=np.zeros_like(covariance), where=spread > 0)
    outside = np.divide(totals - held, n - sizes, out=np.zeros_like(held), where=np.broadcast_to(n > sizes, held.shape))
    return correlations, held / sizes, outside


def _features(conditions: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term.feature for condition in conditions for term in condition.terms))


def _interval(correlation: float, n_rows: int) -> tuple[float, float]:
    """Return Fisher's interval of a correlation."""
    if n_rows < 4:
        return -1.0, 1.0
    centre, half = math.atanh(min(correlation, 1.0 - 1e-15)), NORMAL_QUANTILE / math.sqrt(n_rows - 3)
    return math.tanh(centre - half), math.tanh(centre + half)
