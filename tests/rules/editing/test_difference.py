"""Tests of what is said about the difference between two rule sets."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.rules.editing.difference import difference
from evoter.rules.model import Rule, RuleSet
from laws import examples
from strategies import rulesets

BASE = "a > 1 -> x; b > 2 -> x; c > 3 -> y; Default -> y"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BASE, []),
        ("b > 2 -> x; c > 3 -> y; Default -> y", ["rule 1 removed: a > 1 -> x"]),
        ("a > 1 -> x; e > 1 -> x; b > 2 -> x; c > 3 -> y; Default -> y", ["rule 2 added: e > 1 -> x"]),
        ("a > 1 -> x; b > 2.5 -> x; c > 3 -> y; Default -> y", ["rule 2: b > 2 -> x becomes b > 2.5 -> x"]),
        ("c > 3 -> y; a > 1 -> x; b > 2 -> x; Default -> y", ["rule 3 becomes rule 1: c > 3 -> y"]),
        ("a > 1 -> x; b > 2 -> x; c > 3 -> y; Default -> x", ["the default: y becomes x"]),
        ("pinned: a > 1 -> x; b > 2 -> x; c > 3 -> y; Default -> y", ["rule 1 is now pinned"]),
        ('"n": a > 1 -> x; b > 2 -> x; c > 3 -> y; Default -> y', ["rule 1 is now called 'n'"]),
        (
            "a > 1 -> x; e > 5 -> x; c > 3 -> y; Default -> y",
            ["rule 2 removed: b > 2 -> x", "rule 2 added: e > 5 -> x"],
        ),
        (
            "b > 2 -> x; c > 3 -> y; a > 1.5 -> x; Default -> y",
            ["rule 1: a > 1 -> x becomes a > 1.5 -> x", "rule 1 becomes rule 3: a > 1.5 -> x"],
        ),
        (
            "c > 3 -> y; a > 1.5 -> x; b > 2 -> x; Default -> 0.5*y",
            [
                "rule 1: a > 1 -> x becomes a > 1.5 -> x",
                "rule 3 becomes rule 1: c > 3 -> y",
                "the default: y becomes 0.5*y",
            ],
        ),
    ],
)
def test_changes_are_named(after: str, expected: list[str]) -> None:
    declared = "; where a: numeric; b: numeric; c: numeric; e: numeric; actions: x | y"
    assert evoter.parse(BASE + declared).diff(evoter.parse(after + declared)).splitlines() == expected


def test_declarations_are_compared() -> None:
    before = evoter.parse("a > 1 -> x; Default -> y; where a: numeric [0..9]; b: numeric; actions: x | y")
    after = evoter.parse("a > 1 -> x; Default -> y; where a: numeric [0..8]; c: yes/no; actions: y | x; decide: vote")
    assert before.diff(after).splitlines() == [
        "deciding: first becomes vote",
        "actions: x | y becomes y | x",
        "feature removed: b",
        "feature a: numeric [0..9] becomes numeric [0..8]",
        "feature added: c: yes/no",
    ]
    swapped = before.replace(schema=type(before.schema)(before.schema.features[::-1], before.schema.actions))
    assert before.diff(swapped) == "features are declared in another order"


@given(rulesets(), rulesets())
@examples(300)
def test_equal_rule_sets_and_no_others_have_no_difference(one: RuleSet, other: RuleSet) -> None:
    assert difference(one, one) == ""
    assert (difference(one, other) == "") is (one == other)


@given(rulesets(), st.randoms())
@examples(300)
def test_what_is_removed_is_added_the_other_way_round(ruleset: RuleSet, random: Random) -> None:
    fewer = [rule for rule in ruleset.rules if random.random() < 0.5]
    smaller = ruleset.replace(rules=fewer)
    told, back = smaller.diff(ruleset).splitlines(), ruleset.diff(smaller).splitlines()
    assert len(told) == len(back) == len(ruleset.rules) - len(fewer)
    assert all(" added: " in line for line in told)
    assert all(" removed: " in line for line in back)


def test_large_rule_sets_take_a_moment() -> None:
    ruleset = evoter.parse("a > 1 -> x; Default -> y")
    (condition,) = ruleset.rules[0].conditions
    many = [Rule([type(condition)(condition.left, ">", float(number))], "x") for number in range(5_000)]
    others = [Rule([type(condition)(condition.left, "<", float(number))], "y") for number in range(5_000)]
    began = time.process_time()
    assert len(ruleset.replace(rules=many).diff(ruleset.replace(rules=others)).splitlines()) == 10_000
    moved = ruleset.replace(rules=many).diff(ruleset.replace(rules=[*many[1:], many[0]]))
    assert moved == "rule 1 becomes rule 5000: a > 0 -> x"
    assert time.process_time() - began < 5
