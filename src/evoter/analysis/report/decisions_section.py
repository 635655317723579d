"""What the decisions of a report come to: the confusion matrix, and which features they rest on."""

from collections import Counter

import numpy as np

from evoter.analysis.report.markup import bar, escaped, section, share_text, table
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistics


def confusion_section(material: Material) -> str:
    """Return the confusion matrix with what share of each label is found, and what share of each decision is right."""
    confusion = material.sample.statistics.confusion
    if confusion is None:
        return ""
    matrix, labels = confusion.matrix, confusion.labels
    head = ["label \\ decision", *map(escaped, labels), "found"]
    rows = []
    for place, (label, counts) in enumerate(zip(labels, matrix.tolist(), strict=True)):
        total = sum(counts)
        cells = [_cell(value, value / total if total else 0.0, place == other) for other, value in enumerate(counts)]
        rows.append([escaped(label), *cells, share_text(counts[place] / total if total else None)])
    decided = matrix.sum(axis=0).tolist()
    right = [share_text(matrix[place, place] / total if total else None) for place, total in enumerate(decided)]
    rows.append(["right", *right, f"<b>{share_text(confusion.accuracy)}</b>"])
    caption = "Rows by their label (down) and by what the rules decided (across); the diagonal is right"
    matrix_table = table(head, rows, caption=caption, numbers=range(1, len(labels) + 2), looks="confusion")
    return section("confusion", "Right and wrong", matrix_table)


def _cell(value: int, share: float, right: bool) -> str:
    look = "hit" if right else "miss"
    return f'<span class="heat {look}" style="--share:{share:.3f}">{value:,}</span>'


def features_section(material: Material) -> str:
    """Return how many conditions read each feature, and how many rows are decided by a rule that reads it."""
    uses = feature_uses(material.sample.statistics)
    if not uses:
        return ""
    most = max(n_conditions for _, n_conditions, _ in uses)
    rows = [
        [
            f'<span class="feature">{escaped(name)}</span>',
            f"{bar(n_conditions / most)} {n_conditions}",
            f"{bar(share, 'good')} {share_text(share)}",
        ]
        for name, n_conditions, share in uses
    ]
    head = ["feature", "conditions that read it", "rows decided by a rule that reads it"]
    return section("features", "Use of features", table(head, rows, looks="bars"))


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
