"""Policies that are given rules: features and actions are found by name, and only those that are read need be there."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from sklearn.exceptions import NotFittedError

import evoter
from evoter import EvoterPolicy

POLE = "angle.of.pole > 0 -> Right; Default -> Left"


def test_rules_that_read_some_features_are_a_policy(tmp_path: Path) -> None:
    policy = EvoterPolicy.from_ruleset(POLE, "CartPole-v1")
    assert policy.ruleset_.schema.names == ("angle.of.pole",)
    assert policy.schema_.names[2] == "angle.of.pole"
    assert [policy([0.0, 0.0, angle, 0.0]) for angle in (0.1, -0.1)] == [1, 0]
    evoter.save(evoter.parse(POLE), tmp_path / "pole.json")
    (tmp_path / "pole.txt").write_text(POLE, encoding="utf-8")
    for given in (evoter.parse(POLE), tmp_path / "pole.json", tmp_path / "pole.txt"):
        same = EvoterPolicy("CartPole-v1").load(given)
        np.testing.assert_array_equal(same.returns(5), policy.returns(5))
    assert 20 < policy.score(20) < 200


def test_declarations_in_another_order_do_not_matter() -> None:
    rules = "rotation.rate.of.pole > 0 -> Right; angle.of.pole > 0 -> Right; Default -> Left"
    other = f"{rules}; where rotation.rate.of.pole: numeric; angle.of.pole: numeric; actions: Right | Left"
    policies = [EvoterPolicy.from_ruleset(text, "CartPole-v1") for text in (rules, other)]
    for point in np.random.default_rng(0).normal(size=(20, 4)):
        assert policies[0](point) == policies[1](point) == int(point[3] > 0 or point[2] > 0)
    np.testing.assert_array_equal(policies[0].returns(5), policies[1].returns(5))


def test_given_rules_may_look_back() -> None:
    rules = "angle.of.pole[1] > 0 -> Right; Default -> Left"
    policy = EvoterPolicy.from_ruleset(rules, "CartPole-v1")
    policy.reset()
    assert [policy([0.0, 0.0, angle, 0.0]) for angle in (0.1, -0.1, 0.1)] == [0, 1, 0]
    assert policy.score(5) > 0


def test_edited_rules_replace_those_of_a_policy() -> None:
    policy = EvoterPolicy.from_ruleset(POLE, "CartPole-v1")
    edited = evoter.edit(policy).insert(1, "rotation.rate.of.pole > 0 -> Right").done()
    better = policy.with_ruleset(edited)
    assert better.score(20) > policy.score(20)
    assert policy.ruleset_.n_conditions == 1
    with pytest.raises(NotFittedError):
        EvoterPolicy("CartPole-v1").with_ruleset(edited)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("angle > 0 -> Right; Default -> Left", "the rules read 'angle', but are not about this environment"),
        ("angle.of.pole > 0 -> Up; Default -> Left", "the rules take the action 'Up', but are not"),
        (f"{POLE}; where angle.of.pole: numeric; actions: Left | Right; decide: vote", "control supports the mode"),
    ],
)
def test_rules_about_something_else_are_refused(rules: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EvoterPolicy.from_ruleset(rules, "CartPole-v1")
