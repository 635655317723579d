"""Policies are found, explained, saved, exported and found again."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeRegressor

from evoter import EvoterPolicy
from evoter.evolution.engine import Evolution
from evoter.problems.control.hill_climbing import BEGINS_AFTER


@pytest.fixture(scope="module")
def policy() -> EvoterPolicy:
    return EvoterPolicy("CartPole-v1", max_rules=2, max_conditions=1, random_state=0, generations=40).fit()


def test_cart_pole_is_solved_in_gymnasium_itself(policy: EvoterPolicy) -> None:
    assert policy.solved_
    assert policy.stop_reason_ == "stopped"
    environment = gymnasium.make("CartPole-v1")
    for seed in range(3):
        policy.reset()
        observation, _ = environment.reset(seed=seed)
        total, done = 0.0, False
        while not done:
            observation, reward, terminated, truncated, _ = environment.step(policy(observation))
            total += float(reward)
            done = terminated or truncated
        assert total == 500.0


def test_scores_are_repeatable_and_unseen(policy: EvoterPolicy) -> None:
    assert policy.validation_score_ == 500.0
    np.testing.assert_array_equal(policy.returns(10), policy.returns(20)[:10])
    assert policy.score(20) > 450.0


def test_the_rules_are_few_and_explained(policy: EvoterPolicy) -> None:
    assert policy.ruleset_.n_conditions <= policy.evolved_ruleset_.n_conditions <= 24
    assert "decided: " in str(policy.explain([0.0, 0.0, 0.2, 1.0]))
    assert repr(policy).startswith("EvoterPolicy(env='CartPole-v1'")
    assert "Default" in repr(policy)


def test_source_acts_like_the_policy(policy: EvoterPolicy, tmp_path: Path) -> None:
    path = tmp_path / "cart_pole.py"
    path.write_text(policy.to_python(), encoding="utf-8")
    decide = runpy.run_path(str(path))["decide"]
    points = np.random.default_rng(0).normal(scale=0.3, size=(200, 4))
    assert [decide(point.tolist()) for point in points] == [policy(point) for point in points]


def test_files_bring_the_policy_back(policy: EvoterPolicy, tmp_path: Path) -> None:
    policy.save(tmp_path / "policy.json")
    again = EvoterPolicy("CartPole-v1").load(tmp_path / "policy.json")
    assert again.ruleset_ == policy.ruleset_
    np.testing.assert_array_equal(again.returns(5), policy.returns(5))
    with pytest.raises(ValueError, match="not about this environment"):
        EvoterPolicy("MountainCar-v0").load(tmp_path / "policy.json")


def test_equal_seeds_find_equal_policies(policy: EvoterPolicy) -> None:
    assert clone(policy).fit().ruleset_ == policy.ruleset_


def test_an_ordinary_environment_with_lags_and_processes() -> None:
    parameters: dict[str, Any] = {
        "max_lag": 1,
        "n_episodes": 2,
        "n_validation": 2,
        "population_size": 10,
        "generations": 2,
    }
    found = [EvoterPolicy("MountainCar-v0", random_state=1, n_jobs=n, **parameters).fit() for n in (1, 2)]
    assert found[0].ruleset_ == found[1].ruleset_
    assert found[0].validation_score_ == found[1].validation_score_ >= -200.0


def test_continuous_actions() -> None:
    policy = EvoterPolicy(
        "Pendulum-v1", action_levels=2, n_episodes=2, n_validation=2, population_size=6, generations=1, random_state=0
    ).fit()
    assert policy([1.0, 0.0, 0.0]).tolist() in ([-2.0], [2.0])


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    parameters: dict[str, Any] = {
        "target_score": 1e9,
        "population_size": 20,
        "n_validation": 5,
        "n_episodes": 4,
        "random_state": 3,
    }
    whole = EvoterPolicy("CartPole-v1", generations=4, **parameters).fit()
    for generations in (2, 4):
        parts = EvoterPolicy("CartPole-v1", generations=generations, checkpoint=tmp_path / "run", **parameters).fit()
    assert parts.history_.n_generations == whole.history_.n_generations
    assert parts.history_.last.best == whole.history_.last.best


TINY: dict[str, Any] = {
    "target_score": 1e9,
    "population_size": 10,
    "n_validation": 2,
    "n_episodes": 1,
    "generations": 1,
}


def test_a_run_without_a_seed_continues_with_all_streams_of_its_checkpoint(tmp_path: Path) -> None:
    """Validation episodes and exploration follow from the seed of the checkpoint, too."""
    path = tmp_path / "run"
    whole = EvoterPolicy("CartPole-v1", **{**TINY, "generations": 3}, random_state=7).fit()
    EvoterPolicy("CartPole-v1", **TINY, random_state=7, checkpoint=path).fit()
    resumed = EvoterPolicy("CartPole-v1", **{**TINY, "generations": 3}, checkpoint=path).fit()
    assert resumed.history_["mean"].tolist() == whole.history_["mean"].tolist()
    assert resumed.schema_ == whole.schema_


def first_generation(random_state: Any) -> tuple[tuple[str, ...], float]:
    """Return the rule sets of a run's first generation, and how they did on average in its episodes."""
    seen: list[str] = []

    def watch(evolution: Evolution, progress: float) -> None:
        if evolution.generation == 0:
            seen.extend(str(ruleset) for ruleset in evolution.leaders(10))

    policy = EvoterPolicy("CartPole-v1", **TINY, random_state=random_state, watchers=[watch]).fit()
    return tuple(seen), float(policy.history_.first.mean)


def test_every_seed_has_streams_of_its_own() -> None:
    """Consecutive seeds share no rule sets, and no seed at all is another one every time."""
    drawn = [first_generation(seed) for seed in (0, 1, 2, None, None)]
    for number, (one, _) in enumerate(drawn):
        assert not any(set(one) & set(other) for other, _ in drawn[:number])
    assert len({mean for _, mean in drawn[:3]}) == 3  # of fresh seeds, means may be equal by chance
    assert first_generation(np.random.RandomState(1)) == first_generation(1) == drawn[1]


def test_a_search_without_success_begins_again(tmp_path: Path) -> None:
    parameters: dict[str, Any] = {"population_size": 10, "n_episodes": 1, "n_validation": 2, "random_state": 0}
    restarting = EvoterPolicy("CartPole-v1", generations=5, restart_after=2, target_score=1e9, **parameters)
    policy = clone(restarting).fit()
    assert policy.history_["generation"].tolist() == list(range(8)), "three beginnings, of 2, 2 and 1 generations"
    assert (np.diff(policy.history_["evaluations"]) > 0).all()
    assert (np.diff(policy.history_["seconds"]) > 0).all()
    assert len(set(policy.history_["mean"][[0, 3, 6]])) == 3, "each population is another"
    resumed = restarting.set_params(checkpoint=tmp_path / "run").fit()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run.1", "run.2"]
    assert clone(resumed).fit().history_["best"].tolist() == policy.history_["best"].tolist()
    assert resumed.ruleset_ == policy.ruleset_


def test_no_search_begins_again_after_success() -> None:
    policy = EvoterPolicy("CartPole-v0", restart_after=20, random_state=0).fit()
    assert policy.solved_
    assert policy.history_.n_generations <= 21


def test_ctrl_c_keeps_the_best_so_far() -> None:
    def interrupt(evolution: Evolution, progress: float) -> None:
        if evolution.generation == 1:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted: keeping the best policy of 2 generations"):
        policy = EvoterPolicy(
            "CartPole-v1", target_score=1e9, population_size=20, random_state=0, watchers=[interrupt]
        ).fit()
    assert policy.stop_reason_ == "interrupted"
    assert policy([0.0] * 4) in (0, 1)


def test_an_unfitted_policy_says_so() -> None:
    with pytest.raises(NotFittedError):
        EvoterPolicy("CartPole-v1")([0.0] * 4)


def test_a_surrogate_that_saw_a_hundred_steps_is_enough() -> None:
    policy = EvoterPolicy(
        "CartPole-v0",
        surrogate="linear",
        n_examples=100,
        n_validation=10,
        max_rules=2,
        max_conditions=1,
        population_size=20,
        generations=1,
        random_state=0,
    ).fit()
    assert policy.validation_score_ > 180.0


def test_any_regressor_may_be_the_surrogate() -> None:
    surrogate = DecisionTreeRegressor(random_state=0)
    small: dict[str, Any] = {"population_size": 10, "n_episodes": 1, "n_validation": 5, "generations": 1}
    small |= {"max_rules": 2, "max_conditions": 1}
    policy = EvoterPolicy("CartPole-v0", surrogate=surrogate, random_state=0, **small).fit()
    assert policy.validation_score_ > 50.0


@pytest.mark.parametrize("given", [{"hard_share": 0.5}, {"n_changes": 9}])
@pytest.mark.parametrize("other", [{"preset": "paper"}, {"surrogate": "linear"}])
def test_what_needs_a_race_in_the_environment_is_refused_elsewhere(
    given: dict[str, Any], other: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"(hard_share=0\.5|n_changes=9) has no effect here, since it needs a race"):
        EvoterPolicy("CartPole-v1", **given, **other).fit()


def test_changes_of_the_best_policy_are_tried_after_the_first_generations() -> None:
    """They do not depend on the number of threads, and the population evolves as it does without them."""
    small: dict[str, Any] = {"population_size": 10, "n_episodes": 2, "n_validation": 10, "max_rules": 3}
    small |= {"target_score": 501.0, "generations": BEGINS_AFTER + 2, "random_state": 0}
    without, *others = (EvoterPolicy("CartPole-v1", n_changes=n, n_jobs=jobs, **small).fit() for n, jobs in TRIED)
    assert others[0].ruleset_ == others[1].ruleset_ != without.ruleset_
    assert others[0].validation_score_ > without.validation_score_
    assert others[0].history_["best"].tolist() == without.history_["best"].tolist()


TRIED = ((0, 1), (300, 1), (300, 2))
"""Numbers of changes, and of threads."""
