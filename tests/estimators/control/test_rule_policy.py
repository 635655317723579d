"""A policy decides one observation at a time, remembers what its lags need, and survives a file."""

from pathlib import Path

import numpy as np
import pytest

from evoter.estimators.control.rule_policy import RulePolicy
from evoter.rules.errors import SchemaError
from evoter.rules.parser import parse

FALLING = parse("y < y[1] AND v < 0 -> Flap; Default -> Wait")


def test_actions_are_numbers_by_default() -> None:
    policy = RulePolicy(FALLING)
    assert [policy([y, -1.0]) for y in (2.0, 1.0, 1.5)] == [1, 0, 1]


def test_lags_are_remembered_until_reset() -> None:
    policy = RulePolicy(FALLING, actions=["flap", "wait"])
    assert [policy(point) for point in ([2.0, -1.0], [1.0, -1.0], [1.5, -1.0], [1.0, -1.0])] == [
        "wait", "flap", "wait", "flap",
    ]  # fmt: skip
    policy.reset()
    assert policy([0.5, -1.0]) == "wait"


def test_explaining_remembers_nothing() -> None:
    policy = RulePolicy(FALLING)
    policy([2.0, -1.0])
    for _ in range(2):
        assert "rule 1 decided: Flap" in str(policy.explain([1.0, -1.0]))


def test_any_shape_of_observation_is_flattened() -> None:
    policy = RulePolicy(FALLING)
    assert policy(np.array([[2.0], [1.0]], np.float32)) == 1
    with pytest.raises(SchemaError, match="3 values, not 2: y, v"):
        policy([1.0, 2.0, 3.0])


def test_the_number_of_actions_is_checked() -> None:
    with pytest.raises(SchemaError, match="there are 3 actions, but the rule set names Flap, Wait"):
        RulePolicy(FALLING, actions=[0, 1, 2])


def test_files_and_source(tmp_path: Path) -> None:
    policy = RulePolicy(FALLING, actions=[np.array([0.5], np.float32), np.int64(3)])
    policy.save(tmp_path / "policy.json")
    again = RulePolicy.load(tmp_path / "policy.json")
    assert again.ruleset == FALLING
    assert "return [0.5]" in policy.to_python()
    assert "return 3" in policy.to_python()
    assert repr(policy).startswith("1. y <  y[1] AND")
