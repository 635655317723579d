"""Tests of what an edit is said to change on a table."""

import numpy as np
import polars as pl
import pytest

import evoter
from evoter.analysis.edit_effects import EditEffect, Judged, judge
from evoter.analysis.rule_statistics import measure
from evoter.rules.errors import SchemaError

BEFORE = evoter.parse("age > 60 -> old; age > 30 -> middle; Default -> young")
AFTER = evoter.parse("age > 65 -> old; Default -> young; where age: numeric; actions: young | middle | old")


@pytest.fixture
def ages() -> pl.DataFrame:
    """Return a hundred ages."""
    return pl.DataFrame({"age": np.arange(100.0)})


def test_the_effect_agrees_with_the_statistics_of_both(ages: pl.DataFrame) -> None:
    labels = ["old" if age > 62 else "young" for age in ages["age"]]
    effect = EditEffect(judge(BEFORE, ages, labels), judge(AFTER, ages, labels))
    described = effect.to_dict()
    statistics = [measure(each, ages, labels) for each in (BEFORE, AFTER)]
    assert described["accuracy"] == [each.accuracy for each in statistics]
    assert all(
        tuple(found) == each.confusion.interval
        for found, each in zip(described["intervals"], statistics, strict=True)
        if each.confusion is not None
    )
    assert described["decided_otherwise"] == (statistics[0].predictions != statistics[1].predictions).sum() == 35
    assert described["flows"] == [["middle", "young", 30], ["old", "young", 5]]
    assert described["rules"] == [2, 1]
    assert [line.about for line in effect.lines()] == ["accuracy", "decisions", "size"]
    assert effect.lines()[0].text.endswith("32 rows right that were wrong, 3 the other way")
    assert effect.lines()[1].text == "35 of 100 rows decided otherwise: 30 'middle' -> 'young', 5 'old' -> 'young'"


def test_rows_without_labels_count_for_decisions_only(ages: pl.DataFrame) -> None:
    labels = [None] * 90 + ["old"] * 10
    described = EditEffect(judge(BEFORE, ages, labels), judge(AFTER, ages, labels)).to_dict()
    assert (described["rows"], described["labelled_rows"], described["accuracy"]) == (100, 10, [1.0, 1.0])
    with pytest.raises(SchemaError, match="100 rows and 3 labels"):
        judge(BEFORE, ages, ["old"] * 3)


def test_without_rows_or_labels_less_is_said(ages: pl.DataFrame) -> None:
    assert [line.about for line in EditEffect(Judged(BEFORE), Judged(AFTER)).lines()] == ["size"]
    effect = EditEffect(judge(BEFORE, ages), judge(BEFORE, ages))
    assert [line.text for line in effect.lines()] == [
        "0 of 100 rows decided otherwise",
        "2 rules, 2 conditions, as before",
    ]
    assert effect.to_dict()["accuracy"] == [None, None]


def test_several_actions_at_once_are_compared_as_sets(ages: pl.DataFrame) -> None:
    before, after = (each.replace(mode="all") for each in (BEFORE, AFTER))
    effect = EditEffect(judge(before, ages, ["old"] * 100), judge(after, ages, ["old"] * 100))
    assert effect.flows()[0] == ("old + middle", "old", 34)
    assert effect.to_dict()["accuracy"] == [None, None]


def test_many_kinds_of_changes_are_summed_up() -> None:
    table = pl.DataFrame({"x": np.arange(6.0)})
    rules = "; ".join(f"x <= {number} -> a{number}" for number in range(6))
    before = evoter.parse(f"{rules}; Default -> b")
    after = evoter.parse("Default -> b", before.schema)
    (decisions, _) = EditEffect(judge(before, table), judge(after, table)).lines()
    assert decisions.text.endswith(": 1 'a0' -> 'b', 1 'a1' -> 'b', 1 'a2' -> 'b', 3 others")
