"""Environments are read as they are published, and refused with advice where they do not fit."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.wrappers import TransformReward

from evoter.environments import specs
from evoter.environments.cart_pole import BatchCartPole
from evoter.environments.gymnasium_batch import GymnasiumBatch
from evoter.environments.specs import SPECS
from evoter.estimators.control.task import read_environment


def test_a_known_environment_has_names_units_and_a_compiled_batch() -> None:
    task = read_environment("CartPole-v1", max_lag=2)
    assert task.schema.names == ("position.of.cart", "velocity.of.cart", "angle.of.pole", "rotation.rate.of.pole")
    assert task.schema.actions == ("Left", "Right")
    assert [feature.unit for feature in task.schema.features] == ["m", "m/s", "rad", "rad/s"]
    assert task.schema.feature("velocity.of.cart").high is None
    assert task.schema.feature("position.of.cart").high == pytest.approx(4.8)
    assert task.schema.max_lag == 2
    assert isinstance(task.batch, BatchCartPole)
    assert (task.actions, task.target, task.batch.max_steps) == ([0, 1], 500.0, 500)


def test_flappy_bird_needs_no_registration() -> None:
    assert read_environment("evoter/FlappyBird-v0").target == 3_600.0


@pytest.mark.parametrize("given", [lambda: gymnasium.make("MountainCar-v0"), "MountainCar-v0"])
def test_ids_environments_and_functions_are_welcome(given: Any) -> None:
    task = read_environment(given() if callable(given) else given)
    assert isinstance(task.batch, GymnasiumBatch)
    assert (task.name, task.target, task.batch.max_steps) == ("MountainCar-v0", -110.0, 200)
    made = read_environment(lambda: gymnasium.make("MountainCar-v0"))
    assert made.schema == task.schema


@dataclass
class SteppedTogether:
    """A batch that stands in for a compiled one."""

    max_steps: int


@pytest.mark.parametrize(
    ("reward_per_step", "limit", "target"), [(None, 200, -110.0), (None, 500, -110.0), (0.5, 200, 100.0)]
)
def test_the_target_of_a_compiled_environment_is_one_that_it_can_earn(
    reward_per_step: float | None, limit: int, target: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step of MountainCar costs 1: its target is the published threshold, never the number of steps."""
    spec = replace(SPECS["MountainCar"], batch=SteppedTogether, reward_per_step=reward_per_step)  # type: ignore[arg-type]
    monkeypatch.setattr(specs, "SPECS", {"MountainCar": spec})
    task = read_environment(gymnasium.make("MountainCar-v0", max_episode_steps=limit))
    assert isinstance(task.batch, SteppedTogether)
    assert (task.target, task.batch.max_steps) == (target, limit)


def test_a_changed_environment_is_not_taken_for_the_published_one() -> None:
    wrapped = TransformReward(gymnasium.make("CartPole-v1"), lambda reward: 2 * float(reward))
    assert isinstance(read_environment(wrapped).batch, GymnasiumBatch)
    changed = gymnasium.make("CartPole-v1", sutton_barto_reward=True)
    assert isinstance(read_environment(changed).batch, GymnasiumBatch)


def test_names_and_units_may_be_given() -> None:
    task = read_environment(
        "CartPole-v1", feature_names=["a", "b", "c", "d"], units={"a": "m"}, action_names=["L", "R"]
    )
    assert [(feature.name, feature.unit) for feature in task.schema.features][:2] == [("a", "m"), ("b", "")]
    assert task.schema.actions == ("L", "R")
    with pytest.raises(ValueError, match="feature_names has 1 names, but observations have 4 values"):
        read_environment("CartPole-v1", feature_names=["a"])
    with pytest.raises(ValueError, match="action_names has 1 names, but there are 2 actions"):
        read_environment("CartPole-v1", action_names=["a"])
    with pytest.raises(ValueError, match="units has the feature 'angle'"):
        read_environment("CartPole-v1", units={"angle": "rad"})


def test_continuous_actions_are_cut_into_levels() -> None:
    task = read_environment("Pendulum-v1", action_levels=3)
    assert [action.tolist() for action in task.actions] == [[-2.0], [0.0], [2.0]]
    assert task.schema.actions == ("-2", "0", "2")
    with pytest.raises(ValueError, match="set action_levels"):
        read_environment("Pendulum-v1")


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="observations must be a Box"):
        read_environment("FrozenLake-v1")
    with pytest.raises(TypeError, match="not int"):
        read_environment(3)  # type: ignore[arg-type]

    class Own(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(-1, 1, (2,))
        action_space = gymnasium.spaces.Discrete(2, start=1)

    with pytest.raises(ValueError, match=r"lambda: Own\(\)"):
        read_environment(Own())
    task = read_environment(Own)
    assert (task.schema.names, task.schema.actions, task.actions) == (("x0", "x1"), ("1", "2"), [1, 2])
    assert np.isfinite(task.batch.max_steps)
