"""A surrogate imagines what its predictor has learnt, and ends where its examples end."""

import numpy as np
from sklearn.linear_model import Ridge

from evoter.environments.surrogate import EXTRAPOLATION, SurrogateEnvironment, ending_sides

RNG = np.random.default_rng(0)


def drifting() -> SurrogateEnvironment:
    """An environment whose one value moves by 0.1 up or down; the action up earns 2, down 1; it ends beyond 1."""
    rng = np.random.default_rng(0)  # of its own, so that no test depends on those before it
    before = rng.uniform(-1.0, 1.0, (200, 1))
    actions = rng.integers(2, size=200)
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
    # The half of evenly spread values nearest to their median, which is a little off 0.
    assert np.abs(environment.reset(np.arange(100))).max() <= 0.7
    environment.keep(np.array([5]))
    n_steps = 1
    while not environment.step(np.array([1])).done[0]:
        n_steps += 1
    assert 3 <= n_steps <= 18


def test_episodes_end_on_few_sides() -> None:
    """The first feature explains two ends, the third another; the second left its range by the way, once."""
    low, high = np.zeros(4), np.ones(4)
    ended = np.array([[1.1, 1.2, 0.5, 0.5], [1.2, 0.5, 0.5, 0.5], [0.5, 0.5, -2.0, 0.5]])
    too_low, too_high = ending_sides(ended, low, high)
    assert too_low.tolist() == [False, False, True, False]
    assert too_high.tolist() == [True, False, False, False]
    assert not np.any(ending_sides(ended[:0], low, high))


def test_where_two_features_explain_as_much_both_count() -> None:
    ended = np.array([[1.1, 1.2], [1.2, 1.1]])
    assert ending_sides(ended, np.zeros(2), np.ones(2))[1].tolist() == [True, True]


def test_where_no_episode_ended_imagined_ones_go_on() -> None:
    environment = drifting()
    environment.learn(before := RNG.uniform(-1.0, 1.0, (200, 1)), np.ones(200, int), np.ones(200), before + 0.1,
                      np.zeros(200, np.bool_))  # fmt: skip
    environment.reset(np.array([0]))
    n_steps = 1
    while not environment.step(np.array([1])).done[0]:
        n_steps += 1
    assert 10 * (EXTRAPOLATION - 0.6) <= n_steps <= 10 * (EXTRAPOLATION + 0.7)
