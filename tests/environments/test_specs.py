"""Specifications have as many names as there are observations and actions, and targets that can be reached."""

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

import evoter.environments.flappy_bird  # noqa: F401 (registers itself)
from evoter.environments.specs import FLAPPY_BIRD, SPECS, find_spec

VERSIONS = {"CartPole": 1, "MountainCar": 0, "MountainCarContinuous": 0, "Acrobot": 1, "Pendulum": 1, FLAPPY_BIRD: 0}
"""All but LunarLander, whose library cannot be loaded where warnings are errors."""


@pytest.mark.parametrize("name", VERSIONS)
def test_names_fit(name: str) -> None:
    environment_id = f"{name}-v{VERSIONS[name]}"
    environment = gymnasium.make(environment_id)
    entry = find_spec(environment_id)
    assert entry is not None
    assert environment.observation_space.shape == (len(entry.features),)
    if isinstance(environment.action_space, Discrete):
        assert environment.action_space.n == len(entry.actions)
    environment.close()


def test_an_unknown_environment_is_none() -> None:
    assert find_spec("FrozenLake-v1") is None


@pytest.mark.parametrize("name", [name for name, spec in SPECS.items() if spec.batch is not None])
def test_a_step_of_a_compiled_environment_earns_what_its_target_counts_on(name: str) -> None:
    """The target of an episode of full length is neither out of reach nor reached before its end."""
    spec = SPECS[name]
    assert spec.batch is not None
    batch = spec.batch(50)
    batch.reset(np.arange(20))
    rng = np.random.default_rng(1)
    returns, alive = np.zeros(20), np.ones(20, np.bool_)
    for n_steps in range(1, 6):
        step = batch.step(rng.integers(0, len(spec.actions), 20))
        assert spec.reward_per_step is not None
        assert step.rewards[alive & ~step.done].tolist() == [spec.reward_per_step] * int((alive & ~step.done).sum())
        alive &= ~step.done
        returns += step.rewards
        assert returns.max() == spec.reward_per_step * n_steps
