"""A search for a policy tells what it took."""

import pytest

from evoter.experiments.control.policies import seek

pytest.importorskip("gymnasium")


def test_a_policy_is_found_and_played() -> None:
    found, policy = seek("CartPole-v0", 3, generations=4, n_test=3, n_episodes=8, n_validation=10, population_size=40)
    assert found.solved == policy.solved_
    assert found.generations <= 4
    assert found.test_score == policy.score(3)
    assert found.n_conditions == policy.ruleset_.n_conditions
    assert found.seconds > 0
