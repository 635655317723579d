"""How soon policies are found, how long it takes and how small they are: cart-pole and Flappy Bird."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from evoter import EvoterPolicy


@dataclass(frozen=True)
class Goal:
    """An environment, how a policy is sought in it, and within how many generations it should be found."""

    env: str
    generations: int
    n_test: int = 100
    parameters: dict[str, Any] = field(default_factory=dict)


FLAPPY_BIRD = {
    "population_size": 300,
    "n_episodes": 16,
    "n_validation": 30,
    "settings": {"tournament_size": 8, "n_elites": 10},
}

GOALS = {
    "cart-pole v0": Goal("CartPole-v0", 5, parameters={"n_episodes": 40}),
    "cart-pole v1": Goal("CartPole-v1", 5, parameters={"n_episodes": 40}),
    "cart-pole v0, surrogate": Goal("CartPole-v0", 3, parameters={"surrogate": "linear"}),
    "cart-pole v1, surrogate": Goal("CartPole-v1", 3, parameters={"surrogate": "linear"}),
    "Flappy Bird": Goal("evoter/FlappyBird-v0", 400, n_test=10, parameters=FLAPPY_BIRD),
}


@dataclass(frozen=True)
class Outcome:
    """One run: generations until a policy was perfect in validation, its test score, size, and time."""

    seed: int
    generations: int
    solved: bool
    test_score: float
    n_conditions: int
    seconds: float
    cpu_seconds: float


def seek(goal: Goal, seed: int, most: int, n_jobs: int) -> tuple[Outcome, EvoterPolicy]:
    """Look for a policy for up to `most` generations."""
    policy = EvoterPolicy(goal.env, generations=most, random_state=seed, n_jobs=n_jobs, **goal.parameters)
    wall, cpu = time.perf_counter(), time.process_time()
    policy.fit()
    seconds = time.perf_counter() - wall, time.process_time() - cpu
    n_generations = policy.history_.n_generations - 1  # the random one that a run begins with does not count
    test = policy.score(goal.n_test)
    return Outcome(seed, n_generations, policy.solved_, test, policy.ruleset_.n_conditions, *seconds), policy


def main(arguments: Sequence[str] | None = None) -> None:
    """Seek policies from several seeds and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=GOALS, default=list(GOALS), help="these tasks only")
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="so many seeds (10)")
    parser.add_argument(
        "--first", type=int, default=100, metavar="N", help="the first seed (100; 0-23 served for tuning)"
    )
    parser.add_argument("--most", type=float, default=5.0, metavar="X", help="give up after X times the goal (5)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--rules", action="store_true", help="print every policy")
    chosen = parser.parse_args(arguments)
    console, log = Console(width=140), Console(stderr=True)
    EvoterPolicy("CartPole-v1", generations=1, population_size=10, n_validation=2).fit()  # compiles
    table = Table(
        "task", "within", "generations", "perfect tests", "conditions", "seconds", "CPU s", title="policies found"
    )
    for name in chosen.only:
        goal = GOALS[name]
        most = goal.generations if goal.generations >= 100 else int(goal.generations * chosen.most)
        outcomes = []
        for seed in range(chosen.first, chosen.first + chosen.seeds):
            outcome, policy = seek(goal, seed, most, chosen.jobs)
            outcomes.append(outcome)
            log.print(name, str(outcome), highlight=False, soft_wrap=True)
            if chosen.rules:
                log.print(repr(policy.policy_), highlight=False)
        table.add_row(name, *summary(goal, outcomes))
    console.print(table)


def summary(goal: Goal, outcomes: Sequence[Outcome]) -> list[str]:
    """Return the cells of a task's line."""
    perfect = {"CartPole-v0": 200.0, "CartPole-v1": 500.0, "evoter/FlappyBird-v0": 3_600.0}[goal.env]
    within = sum(outcome.solved and outcome.generations <= goal.generations for outcome in outcomes)
    needed = [str(outcome.generations) if outcome.solved else "-" for outcome in outcomes]
    sizes = [outcome.n_conditions for outcome in outcomes if outcome.solved]
    return [
        f"{within} of {len(outcomes)} in {goal.generations}",
        " ".join(needed),
        f"{sum(outcome.test_score == perfect for outcome in outcomes)} of {len(outcomes)}",
        f"{np.mean(sizes):.1f}, most {max(sizes)}" if sizes else "",
        f"{np.median([outcome.seconds for outcome in outcomes]):.1f}",
        f"{np.median([outcome.cpu_seconds for outcome in outcomes]):.1f}",
    ]


if __name__ == "__main__":
    main()
