"""A surrogate imagines what its predictor has learnt, and ends where its examples end."""

import numpy as np
from sklearn.linear_model import Ridge

from evoter.environments.surrogate import SurrogateEnvironment

RNG = np.random.default_rng(0)


def drifting() -> SurrogateEnvironment:
    """An environment whose one value moves by 0.1 up or down; the action up earns 2, down 1; it ends beyond 1."""
    before = RNG.uniform(-1.0, 1.0, (200, 1))
    actions = RNG.integers(2, size=200)
    after = before + np.where(actions == 1, 0.1, -0.1)[:, None]
    environment = SurrogateEnvironment(Ridge(1e-9), 2, 50)
    environment.learn(before, actions, np.where(actions == 1, 2.0, 1.0), after, np.abs(after[:, 0]) > 1.0)
    return environment


def test_steps_are_as_learnt() -> None:
    environment = drifting()
    first = environment.reset(np.array([3, 3, 4]))
    step = environment.step(np.array([1, 0, 1]))
    np.testing.assert_allclose(step.observations - first, [[0.1], [-0.1], [0.1]], atol=1e-6)
    np.testing.assert_allclose(step.rewards, [2.0, 1.0, 2.0], atol=1e-6)
    assert not step.done.any()


def test_episodes_begin_inside_and_end_outside() -> None:
    environment = drifting()
    assert np.abs(environment.reset(np.arange(100))).max() <= 0.51
    environment.keep(np.array([5]))
    n_steps = 1
    while not environment.step(np.array([1])).done[0]:
        n_steps += 1
    assert 5 <= n_steps <= 16
