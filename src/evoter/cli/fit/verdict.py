"""What the figures of a fit come to: what is found of each class, and whether one answer for all would do as well."""

from collections.abc import Mapping
from typing import Any

from evoter.analysis.formatting import percent

MOSTLY_ONE_CLASS = 0.8
"""Where so many rows are of one class, accuracy says little about the others."""

_MAX_CLASSES = 4


def found_of_classes(figures: Mapping[str, Any]) -> str:
    """Say what share of the rows of each class is found, and how much that is on average.

    >>> found_of_classes({"balanced_accuracy": 0.6, "confusion": {"labels": ["a", "b"], "matrix": [[2, 8], [0, 90]]}})
    "found: 20.0% of 'a', 100% of 'b'; 60.0% on average (balanced accuracy; one answer for all: 50.0%)"
    """
    matrix = figures["confusion"]["matrix"]
    named = [
        f"{percent(row[place] / sum(row))} of {label!r}"
        for place, (label, row) in enumerate(zip(figures["confusion"]["labels"], matrix, strict=True))
        if sum(row)
    ]
    average = f"{percent(figures['balanced_accuracy'])} on average"
    shown = f"{', '.join(named)}; {average}" if len(named) <= _MAX_CLASSES else f"{average} of {len(named)} classes"
    return f"found: {shown} (balanced accuracy; one answer for all: {percent(1 / len(named))})"


def no_better_than_one_answer(figures: Mapping[str, Any], *, for_rare_classes: bool) -> str:
    """Say where rules are no better than the most frequent answer, by what they were made for; nothing elsewhere."""
    low, high = figures["interval"]
    if for_rare_classes:
        n_classes = sum(1 for row in figures["confusion"]["matrix"] if sum(row))
        found = "of the classes, these rules find no more on average than one answer for all"
        return found if figures["balanced_accuracy"] <= 1 / n_classes else ""
    if low > figures["baseline"]:
        return ""
    if high >= figures["baseline"]:
        said = "the interval includes that: these rules may be no better than always giving one answer"
    else:
        said = "that is more often: always giving one answer is better than these rules"
    return f"{said}; --balanced looks for rare classes" if figures["baseline"] >= MOSTLY_ONE_CLASS else said
