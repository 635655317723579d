"""Policies as rules earn what their teachers earn, and act alike."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from boxes import QUICK
from evoter import distil_policy
from evoter.distillation.policies import play
from evoter.estimators.control.task import read_environment

SEARCH = {name: value for name, value in QUICK.items() if name != "random_state"}


def balance(seen: Any) -> int:
    """Push the cart below the falling pole."""
    assert seen.shape == (4,)
    assert seen.dtype == np.float32
    return int(seen[2] + 0.3 * seen[3] > 0)


def test_rules_act_as_the_teacher_does() -> None:
    twin = distil_policy(balance, "CartPole-v1", n_rounds=2, n_episodes=4, n_test=20, **SEARCH)
    assert twin.teacher_returns.mean() == 500.0
    assert twin.returns.mean() > 450.0
    assert twin.fidelity > 0.9
    assert len(twin.rounds) == 2
    assert len(twin.ruleset.rules) <= 2
    assert twin(np.array([0.0, 0.0, 0.1, 0.1])) == 1
    described = twin.to_dict()
    assert described["episodes"] == 20
    assert "of the teacher 500.0" in repr(twin)
    again = distil_policy(balance, "CartPole-v1", n_rounds=2, n_episodes=4, n_test=20, **SEARCH)
    assert again.to_dict() == described


def test_continuous_actions_count_as_the_nearest_level() -> None:
    twin = distil_policy(
        lambda seen: np.array([1.9 if seen[1] > 0 else -1.9]),
        "Pendulum-v1",
        action_levels=3,
        n_rounds=1,
        n_episodes=2,
        n_test=2,
        **SEARCH,
    )
    assert {rule.action for rule in twin.ruleset.rules} | {twin.ruleset.default} == {"-2", "2"}


def test_a_constant_teacher_gives_no_rules() -> None:
    twin = distil_policy(lambda seen: 0, "CartPole-v1", n_rounds=1, n_episodes=1, n_test=2, **SEARCH)
    assert not twin.ruleset.rules
    assert twin.fidelity == 1.0


def test_wrong_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="is none of"):
        distil_policy(lambda seen: 7, "CartPole-v1", n_rounds=1, n_test=1)
    with pytest.raises(ValueError, match="return one action"):
        distil_policy(lambda seen: [0, 1], "CartPole-v1", n_rounds=1, n_test=1)
    with pytest.raises(ValueError, match="n_rounds must be 1 or more"):
        distil_policy(balance, "CartPole-v1", n_rounds=0)


def test_all_states_of_all_episodes_are_met() -> None:
    task = read_environment("CartPole-v1")
    states, returns = play(task, lambda seen: np.zeros(len(seen), np.int64), np.arange(3))
    assert len(states) == returns.sum()
