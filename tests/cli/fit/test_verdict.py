"""Tests of what is said about the figures of a fit."""

from typing import Any

import pytest

from evoter.cli.fit.learning import LearningOptions
from evoter.cli.fit.verdict import no_better_than_constant, recall_by_class


def figures(low: float, high: float, baseline: float, balanced: float = 0.5) -> dict[str, Any]:
    confusion = {"labels": ["a", "b"], "matrix": [[3, 1], [2, 2]]}
    return {"interval": [low, high], "baseline": baseline, "balanced_accuracy": balanced, "confusion": confusion}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (figures(0.7, 0.8, 0.6), ""),
        (
            figures(0.5, 0.7, 0.6),
            "the interval includes that: these rules may be no better than a constant answer",
        ),
        (figures(0.4, 0.5, 0.6), "a constant answer is better than these rules"),
    ],
)
def test_rules_are_compared_with_a_constant_answer(given: dict[str, Any], said: str) -> None:
    assert no_better_than_constant(given, for_rare_classes=False) == said


def test_where_one_class_is_rare_the_way_to_find_it_is_named() -> None:
    assert no_better_than_constant(figures(0.95, 0.98, 0.97), for_rare_classes=False).endswith(
        "; --balanced gives rare classes more weight"
    )


def test_rules_for_rare_classes_are_judged_by_what_they_find() -> None:
    assert no_better_than_constant(figures(0.7, 0.8, 0.97, 0.66), for_rare_classes=True) == ""
    assert "no better than that of a constant answer" in no_better_than_constant(
        figures(0.7, 0.8, 0.97, 0.5), for_rare_classes=True
    )


def test_many_classes_are_not_listed() -> None:
    matrix = [[int(row == column) for column in range(6)] for row in range(6)]
    confusion = {"labels": list("abcdef"), "matrix": matrix}
    said = recall_by_class({"balanced_accuracy": 1.0, "confusion": confusion})
    assert said == "balanced accuracy 100% (16.7% for a constant answer)"


@pytest.mark.parametrize(
    ("options", "rare"),
    [
        (LearningOptions(), False),
        (LearningOptions(metric="accuracy"), False),
        (LearningOptions(objectives=("accuracy", "complexity")), False),
        (LearningOptions(balanced=True), True),
        (LearningOptions(metric="f1_macro"), True),
        (LearningOptions(objectives=("balanced_accuracy", "complexity")), True),
    ],
)
def test_what_was_asked_for(options: LearningOptions, rare: bool) -> None:
    assert options.for_rare_classes is rare
