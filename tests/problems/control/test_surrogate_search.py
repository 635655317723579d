"""Rehearsal makes small changes, earns more with every one, and stops where no change earns more."""

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.problems.control.exploration import explore
from evoter.problems.control.problem import ControlProblem
from evoter.problems.control.surrogate_search import (
    N_NEAR,
    STRIDES,
    local_search,
    one_rule_more,
    other_constants,
    two_other_constants,
)
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
PROBLEM = ControlProblem(SCHEMA, BatchCartPole(100), explore(BatchCartPole(), 2, np.arange(10)).observations)
SEEDS = np.arange(5)
POOR = parse("angle > 0.05 -> Right; Default -> Left").replace(schema=SCHEMA)


def test_changes_earn_more() -> None:
    stages = local_search(PROBLEM, POOR, SEEDS, 1)
    earned = PROBLEM.try_out([POOR, *stages], SEEDS).returns.mean(axis=1)
    assert 1 < len(stages) <= 1 + N_NEAR
    assert earned[1] == earned.max() > earned[0]


def test_without_moves_nothing_changes() -> None:
    assert local_search(PROBLEM, POOR, SEEDS, 0) == []


def test_what_is_perfect_has_neighbours_but_no_better_ones() -> None:
    perfect = local_search(PROBLEM, POOR, SEEDS, 6)[0]
    for _ in range(5):
        if PROBLEM.try_out([perfect], SEEDS).returns.mean() == 100.0:
            break
        perfect = local_search(PROBLEM, perfect, SEEDS, 6)[0]
    near = local_search(PROBLEM, perfect, SEEDS, 6)
    assert len(near) == N_NEAR
    assert PROBLEM.try_out(near, SEEDS).returns.mean() <= 100.0


def test_no_more_rules_than_allowed() -> None:
    two = local_search(PROBLEM, POOR, SEEDS, 3, max_rules=1)
    assert {len(ruleset.rules) for ruleset in two} == {1}


def test_constants_change_one_at_a_time() -> None:
    constants = PROBLEM.constants("angle")
    changed = [ruleset.rules[0].conditions[0].right for ruleset in other_constants(PROBLEM, POOR)]
    assert changed == constants


def test_two_constants_change_together() -> None:
    pair = parse("angle > 0.05 -> Right; rotation > 0.3 -> Right; Default -> Left").replace(schema=SCHEMA)
    changed = list(two_other_constants(PROBLEM, pair))
    assert len(set(changed)) == len(changed) == (2 * len(STRIDES)) ** 2
    for ruleset in changed:
        for rule, old in zip(ruleset.rules, pair.rules, strict=True):
            assert rule.conditions[0].right != old.conditions[0].right
    assert list(two_other_constants(PROBLEM, POOR)) == []


def test_comparisons_of_features_have_no_constant_to_change() -> None:
    comparing = parse("angle > 0.5*rotation -> Right; Default -> Left").replace(schema=SCHEMA)
    assert list(other_constants(PROBLEM, comparing)) == []


def test_new_rules_come_first() -> None:
    larger = list(one_rule_more(PROBLEM, POOR))
    assert {ruleset.rules[1:] for ruleset in larger} == {POOR.rules}
    assert {ruleset.rules[0].action for ruleset in larger} == {"Left", "Right"}
    assert len(set(larger)) == len(larger)
