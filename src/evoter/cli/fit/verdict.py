"""Conclusions from the figures of a fit: recall of each class, and whether the rules beat a constant answer."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evoter.analysis.formatting import percent

MOSTLY_ONE_CLASS = 0.8
"""If at least this share of the rows has one class, accuracy says little about the others."""

_MAX_CLASSES = 4


def recall_by_class(figures: Mapping[str, Any]) -> str:
    """Return the recall of each class and the balanced accuracy, in words.

    >>> recall_by_class({"balanced_accuracy": 0.6, "confusion": {"labels": ["a", "b"], "matrix": [[2, 8], [0, 90]]}})
    "recall: 20.0% of 'a', 100% of 'b'; balanced accuracy 60.0% (50.0% for a constant answer)"
    """
    found, totals = _found_and_totals(figures["confusion"])
    labels = figures["confusion"]["labels"]
    named = [f"{percent(found[index] / total)} of {labels[index]!r}" for index, total in totals.items()]
    balanced = (
        f"balanced accuracy {percent(figures['balanced_accuracy'])} ({percent(1 / len(named))} for a constant answer)"
    )
    return f"recall: {', '.join(named)}; {balanced}" if len(named) <= _MAX_CLASSES else balanced


def _found_and_totals(confusion: Mapping[str, Any]) -> tuple[Counter[int], dict[int, int]]:
    """Return how many rows of each label are found, and how many there are of each label that occurs."""
    cells = confusion.get("cells") or [
        (label, decision, n) for label, row in enumerate(confusion["matrix"]) for decision, n in enumerate(row)
    ]
    found: Counter[int] = Counter()
    totals: Counter[int] = Counter()
    for label, decision, n in cells:
        totals[label] += n
        found[label] += n if decision == label else 0
    return found, {label: total for label, total in sorted(totals.items()) if total}


def no_better_than_constant(figures: Mapping[str, Any], *, for_rare_classes: bool) -> str:
    """Return a warning if the rules are no better than a constant answer by what they were optimised for, else ""."""
    low, high = figures["interval"]
    if for_rare_classes:
        n_classes = len(_found_and_totals(figures["confusion"])[1])
        found = "the balanced accuracy of these rules is no better than that of a constant answer"
        return found if figures["balanced_accuracy"] <= 1 / n_classes else ""
    if low > figures["baseline"]:
        return ""
    if high >= figures["baseline"]:
        said = "the interval includes that: these rules may be no better than a constant answer"
    else:
        said = "a constant answer is better than these rules"
    return f"{said}; --balanced gives rare classes more weight" if figures["baseline"] >= MOSTLY_ONE_CLASS else said
