"""The decisions of a report: the confusion matrix, and the features that decisions depend on."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistics

MAX_LABELS = 30
"""How many labels the confusion matrix of a report shows."""


class Count(NamedTuple):
    """A cell of the confusion matrix: the number of rows, their share of the rows of the label, and if it is right."""

    n_rows: int
    share: float
    right: bool


class ConfusionTable(NamedTuple):
    """The confusion matrix with the share of each label that is found, and of each decision that is right.

    `n_left_out` labels, the rarest, are not shown: the matrix of a thousand labels has a million cells.
    """

    head: list[str]
    rows: list[list[str | float | Count | None]]
    numbers: range
    n_left_out: int


def confusion_table(material: Material, most: int = MAX_LABELS) -> ConfusionTable | None:
    """Return the confusion matrix, of the most frequent labels if there are many; None without labels."""
    confusion = material.sample.statistics.confusion
    if confusion is None:
        return None
    matrix, labels = confusion.matrix, confusion.labels
    totals, decided = matrix.sum(axis=1), matrix.sum(axis=0)
    shown = np.arange(len(labels))
    if len(labels) > most:
        shown = np.sort(np.argsort(-(totals + decided), kind="stable")[:most])
    rows: list[list[str | float | Count | None]] = []
    for index in shown.tolist():
        counts, total = matrix[index].tolist(), int(totals[index])
        cells = [
            Count(counts[other], counts[other] / total if total else 0.0, index == other) for other in shown.tolist()
        ]
        rows.append([labels[index], *cells, counts[index] / total if total else None])
    right = [int(matrix[index, index]) / int(decided[index]) if decided[index] else None for index in shown.tolist()]
    rows.append(["right", *right, confusion.accuracy])
    head = ["label \\ decision", *(labels[index] for index in shown.tolist()), "found"]
    return ConfusionTable(head, rows, range(1, len(shown) + 2), len(labels) - len(shown))


def feature_uses(statistics: RuleStatistics) -> list[tuple[str, int, float]]:
    """Return for each feature that rules read: its name, the number of conditions, and the share of rows decided.

    The most used come first; a condition that reads a feature twice counts once.
    """
    decided = np.bincount(statistics.decided_by, minlength=len(statistics.rules)).tolist()
    conditions: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for rule, n_decided in zip(statistics.ruleset.rules, decided, strict=False):
        reads = [{term.feature for term in condition.terms} for condition in rule.conditions]
        conditions.update(name for names in reads for name in names)
        rows.update(dict.fromkeys(set().union(*reads), n_decided))
    uses = [(name, n, rows[name] / statistics.n_rows) for name, n in conditions.items()]
    return sorted(uses, key=lambda use: (-use[1], -use[2], use[0]))
