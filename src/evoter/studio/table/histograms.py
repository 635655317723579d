"""How the values of a column are spread over the classes: bins of numbers, or counts of categories."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from evoter.rules.schema import Feature, Kind
from evoter.studio.table.labelled_rows import LabelledRows

MAX_CATEGORIES = 200


def histogram(rows: LabelledRows, feature: Feature, n_bins: int) -> dict[str, Any]:
    """Return the histogram of a feature by class, ready for JSON."""
    n_classes = len(rows.classes)
    answer: dict[str, Any] = {
        "column": feature.name,
        "kind": str(feature.kind),
        "unit": feature.unit,
        "classes": list(rows.classes),
        "part": "open",
        "low": feature.low,
        "high": feature.high,
        "bins": [],
        "categories": [],
    }
    if feature.kind is Kind.NUMERIC:
        numbers = rows.column(feature)
        present = np.isfinite(numbers)
        answer["missing"] = _per_class(rows.labels[~present], n_classes)
        answer["bins"] = _bins(numbers[present], rows.labels[present], n_bins, n_classes)
        return answer
    counts: dict[str, Counter[int]] = {}
    missing: Counter[int] = Counter()
    for value, label in zip(rows.frame[feature.name].to_list(), rows.labels.tolist(), strict=True):
        if value is None:
            missing[label] += 1
        else:
            name = ("true" if value else "false") if isinstance(value, bool) else str(value)
            counts.setdefault(name, Counter())[label] += 1
    frequent = sorted(counts, key=lambda name: (-counts[name].total(), name))[:MAX_CATEGORIES]
    answer["categories"] = [
        {"name": name, "counts": [counts[name][code] for code in range(n_classes)]} for name in frequent
    ]
    answer["missing"] = [missing[code] for code in range(n_classes)]
    return answer


def _bins(numbers: Any, labels: Any, n_bins: int, n_classes: int) -> list[dict[str, Any]]:
    if not numbers.size:
        return []
    low, high = float(numbers.min()), float(numbers.max())
    distinct = np.unique(numbers)
    if distinct.size <= n_bins and np.all(distinct == np.round(distinct)) and high - low < n_bins:
        edges = np.arange(low - 0.5, high + 1.0)  # each whole number in the middle of its bin
    else:
        edges = np.linspace(low, high if high > low else low + 1.0, n_bins + 1)
    counts = [np.histogram(numbers[labels == code], edges)[0].tolist() for code in range(n_classes)]
    return [
        {"low": float(edges[k]), "high": float(edges[k + 1]), "counts": [each[k] for each in counts]}
        for k in range(len(edges) - 1)
    ]


def _per_class(labels: Sequence[int] | Any, n_classes: int) -> list[int]:
    counted: list[int] = np.bincount(labels, minlength=n_classes).tolist()
    return counted
