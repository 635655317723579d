"""Control experiments: a policy is searched for and evaluated in new episodes."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evoter import EvoterPolicy
from evoter.experiments.printed_rules import play_printed, printed_rules
from evoter.experiments.runners import Outcome


@dataclass(frozen=True, slots=True)
class Search:
    """One search: generations until a policy was perfect in validation, its test score, size, and the time taken."""

    seed: int
    generations: int
    solved: bool
    test_score: float
    n_conditions: int
    seconds: float
    cpu_seconds: float


def search_policy(
    env: str, seed: int, *, generations: int, n_test: int, n_jobs: int = 1, **parameters: Any
) -> tuple[Search, EvoterPolicy]:
    """Search for a policy for up to `generations` generations, and evaluate it in `n_test` new episodes."""
    policy = EvoterPolicy(env, generations=generations, random_state=seed, n_jobs=n_jobs, **parameters)
    wall, cpu = time.perf_counter(), time.process_time()
    policy.fit()
    if policy.stop_reason_ == "interrupted":
        raise KeyboardInterrupt
    seconds = time.perf_counter() - wall, time.process_time() - cpu
    n_generations = policy.history_.n_generations - 1  # the random one that a run begins with does not count
    found = Search(seed, n_generations, policy.solved_, policy.score(n_test), policy.ruleset_.n_conditions, *seconds)
    return found, policy


def run(
    variant: str,
    models: Sequence[str],
    seed: int,
    *,
    env: str,
    perfect: float,
    within: int,
    generations: int,
    n_test: int,
    parameters: Mapping[str, Any],
    paper_parameters: Mapping[str, Any] | None = None,
    printed: str = "",
    n_jobs: int = 1,
) -> dict[str, Outcome]:
    """Search for a policy, which should be found `within` some generations; `perfect` is the maximum score.

    The number of generations is a measure only of runs that found a policy. `paper_parameters` are those of the preset
    "paper". The model "printed" is the policy that the paper prints under the name `printed`.
    """
    (model,) = models
    if model == "printed":
        score, exchanged = play_printed(printed, env, n_test, seed)
        size = printed_rules(printed).n_conditions
        reached = {"perfect": float(score >= perfect), "score": score, "exchanged": exchanged, "conditions": size}
        return {model: Outcome(reached, rules="")}
    given = {"preset": "paper", **(paper_parameters or {})} if model == "evoter-paper" else parameters
    found, policy = search_policy(env, seed, generations=generations, n_test=n_test, n_jobs=n_jobs, **given)
    measures = {
        "in_time": float(found.solved and found.generations <= within),
        "solved": float(found.solved),
        "perfect": float(found.test_score >= perfect),
        "score": found.test_score,
        "conditions": found.n_conditions,
    }
    if found.solved:
        measures["generations"] = found.generations
    curve = {"score": tuple(policy.history_["best"].tolist())}
    return {model: Outcome(measures, curve, str(policy.ruleset_), seconds=found.seconds)}
