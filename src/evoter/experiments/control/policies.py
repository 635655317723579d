"""One search for a policy: how soon it was found, how it does in new episodes, its size, and the time."""

import time
from dataclasses import dataclass
from typing import Any

from evoter import EvoterPolicy


@dataclass(frozen=True, slots=True)
class Search:
    """One run: generations until a policy was perfect in validation, its test score, size, and time."""

    seed: int
    generations: int
    solved: bool
    test_score: float
    n_conditions: int
    seconds: float
    cpu_seconds: float


def seek(
    env: str, seed: int, *, generations: int, n_test: int, n_jobs: int = 1, **parameters: Any
) -> tuple[Search, EvoterPolicy]:
    """Look for a policy for up to so many generations, and play `n_test` new episodes with it."""
    policy = EvoterPolicy(env, generations=generations, random_state=seed, n_jobs=n_jobs, **parameters)
    wall, cpu = time.perf_counter(), time.process_time()
    policy.fit()
    if policy.stop_reason_ == "interrupted":
        raise KeyboardInterrupt
    seconds = time.perf_counter() - wall, time.process_time() - cpu
    n_generations = policy.history_.n_generations - 1  # the random one that a run begins with does not count
    found = Search(seed, n_generations, policy.solved_, policy.score(n_test), policy.ruleset_.n_conditions, *seconds)
    return found, policy
