"""Rehearsal changes one thing at a time, earns more with every change, and stops where no change earns more."""

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.problems.control import ControlProblem
from evoter.problems.exploration import explore
from evoter.problems.rehearsal import one_rule_more, other_constants, rehearse
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
PROBLEM = ControlProblem(SCHEMA, BatchCartPole(100), explore(BatchCartPole(), 2, np.arange(10)).observations)
SEEDS = np.arange(5)
POOR = parse("angle > 0.05 -> Right; Default -> Left").replace(schema=SCHEMA)


def test_every_change_earns_more() -> None:
    stages = rehearse(PROBLEM, POOR, SEEDS, 3)
    earned = PROBLEM.try_out([POOR, *stages], SEEDS).returns.mean(axis=1)
    assert 1 <= len(stages) <= 3
    assert (np.diff(earned) > 0).all()


def test_without_moves_nothing_changes() -> None:
    assert rehearse(PROBLEM, POOR, SEEDS, 0) == []


def test_what_is_perfect_stays() -> None:
    perfect = rehearse(PROBLEM, POOR, SEEDS, 6)[-1]
    assert PROBLEM.try_out([perfect], SEEDS).returns.mean() == 100.0
    assert rehearse(PROBLEM, perfect, SEEDS, 6) == []


def test_constants_change_one_at_a_time() -> None:
    constants = PROBLEM.constants("angle")
    changed = [ruleset.rules[0].conditions[0].right for ruleset in other_constants(PROBLEM, POOR)]
    assert changed == constants


def test_comparisons_of_features_have_no_constant_to_change() -> None:
    comparing = parse("angle > 0.5*rotation -> Right; Default -> Left").replace(schema=SCHEMA)
    assert list(other_constants(PROBLEM, comparing)) == []


def test_new_rules_come_first() -> None:
    larger = list(one_rule_more(PROBLEM, POOR))
    assert {ruleset.rules[1:] for ruleset in larger} == {POOR.rules}
    assert {ruleset.rules[0].action for ruleset in larger} == {"Left", "Right"}
    assert len(set(larger)) == len(larger)
