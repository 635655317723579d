"""Known environments have as many names as they have observations and actions."""

import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.spaces import Discrete

import evoter.environments.flappy_bird  # noqa: F401 (registers itself)
from evoter.environments.specs import FLAPPY_BIRD, known

VERSIONS = {"CartPole": 1, "MountainCar": 0, "MountainCarContinuous": 0, "Acrobot": 1, "Pendulum": 1, FLAPPY_BIRD: 0}
"""All but LunarLander, whose library cannot be loaded where warnings are errors."""


@pytest.mark.parametrize("name", VERSIONS)
def test_names_fit(name: str) -> None:
    environment_id = f"{name}-v{VERSIONS[name]}"
    environment = gymnasium.make(environment_id)
    entry = known(environment_id)
    assert entry is not None
    assert environment.observation_space.shape == (len(entry.features),)
    if isinstance(environment.action_space, Discrete):
        assert environment.action_space.n == len(entry.actions)
    environment.close()


def test_an_unknown_environment_is_none() -> None:
    assert known("FrozenLake-v1") is None
