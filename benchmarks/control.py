"""How soon policies are found, how long it takes and how small they are: cart-pole, Flappy Bird and LunarLander."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from evoter import EvoterPolicy
from evoter.experiments import catalogue
from evoter.experiments.control import Search, search_policy


@dataclass(frozen=True)
class Goal:
    """An environment, how a policy is sought in it, and within how many generations it should be found.

    A policy passes its tests if their mean return is at least `passing`, which is the perfect one in cart-pole and
    Flappy Bird.
    """

    env: str
    generations: int
    n_test: int
    passing: float
    parameters: dict[str, Any]


def read_goal(name: str, variant: str) -> Goal:
    """Return a task as the paper's experiment of that name declares it."""
    settings = catalogue()[name].settings_of(variant, "full")
    return Goal(settings["env"], settings["within"], settings["n_test"], settings["perfect"], settings["parameters"])


GOALS = {
    "cart-pole v0": read_goal("cart-pole", "v0"),
    "cart-pole v1": read_goal("cart-pole", "v1"),
    "cart-pole v0, surrogate": read_goal("cart-pole-surrogate", "v0"),
    "cart-pole v1, surrogate": read_goal("cart-pole-surrogate", "v1"),
    "Flappy Bird": read_goal("flappy-bird", "game"),
}
SUMS: dict[str, Any] = {"forms": ["constants", "comparisons", "sums"], "settings": {"sum_rate": 0.5}}
"""What lets policies have sums of two features, which landing is a matter of: how low and how fast."""

LANDER = "LunarLander"
"""It needs gymnasium's extra `box2d`, and is measured only if asked for."""

GOALS[LANDER] = Goal(
    "LunarLander-v3",
    generations=100,
    n_test=100,
    passing=0.0,
    parameters={
        **SUMS,
        "n_episodes": 12,
        "n_validation": 30,
        "n_confirmation": 70,
        "target_score": 100.0,
    },
)
LOOP = {"examples_from": "policies", "retrain_after": 3}
LEARNT = {"surrogate": "linear", "n_examples": 100, "n_confirmation": 400}
GOALS |= {
    "cart-pole v0, surrogate, loop": replace(
        GOALS["cart-pole v0, surrogate"], parameters={**GOALS["cart-pole v0, surrogate"].parameters, **LOOP}
    ),
    "cart-pole v0, surrogate, paper": replace(
        GOALS["cart-pole v0, surrogate"], parameters={"preset": "paper", "units": {}, **LEARNT}
    ),
    "cart-pole v0, surrogate, paper, loop": replace(
        GOALS["cart-pole v0, surrogate"], parameters={"preset": "paper", "units": {}, **LEARNT, **LOOP}
    ),
}
"""In a loop, policies take the steps that the surrogate learns from, and it learns again from those of the best."""


def setting(text: str) -> tuple[str, float]:
    """Read a parameter and its number.

    >>> setting("max_lag=0"), setting("hard_share=0.25")
    (('max_lag', 0), ('hard_share', 0.25))
    """
    name, _, number = text.partition("=")
    return name, float(number) if "." in number else int(number)


def main(arguments: Sequence[str] | None = None) -> None:
    """Seek policies from several seeds and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=GOALS, default=[name for name in GOALS if name != LANDER], help="these tasks only"
    )
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="number of seeds (10)")
    parser.add_argument(
        "--first",
        type=int,
        default=300,
        metavar="N",
        help="the first seed (300; 0-23 and 1000-1099 were used for tuning)",
    )
    parser.add_argument("--most", type=float, default=5.0, metavar="X", help="give up after X times the goal (5)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument(
        "--set",
        type=setting,
        nargs="+",
        default=[],
        metavar="NAME=N",
        help="other parameters of EvoterPolicy, as numbers",
    )
    parser.add_argument("--start", metavar="FILE", help="rules to put into the first generation")
    parser.add_argument("--rules", action="store_true", help="print every policy")
    chosen = parser.parse_args(arguments)
    console, log = Console(width=140), Console(stderr=True)
    EvoterPolicy("CartPole-v1", generations=1, population_size=10, n_validation=2).fit()  # compiles
    table = Table(
        "task", "within", "generations", "tests passed", "conditions", "seconds", "CPU s", title="policies found"
    )
    for name in chosen.only:
        goal = GOALS[name]
        most = goal.generations if goal.generations >= 100 else int(goal.generations * chosen.most)
        start = [EvoterPolicy(goal.env).load(chosen.start).ruleset_] if chosen.start else []
        outcomes = []
        for seed in range(chosen.first, chosen.first + chosen.seeds):
            parameters = {**goal.parameters, **dict(chosen.set), "initial_rulesets": start}
            outcome, policy = search_policy(
                goal.env, seed, generations=most, n_test=goal.n_test, n_jobs=chosen.jobs, **parameters
            )
            outcomes.append(outcome)
            log.print(name, str(outcome), highlight=False, soft_wrap=True)
            if chosen.rules:
                log.print(repr(policy.policy_), highlight=False)
        table.add_row(name, *summary(goal, outcomes))
    console.print(table)


def summary(goal: Goal, outcomes: Sequence[Search]) -> list[str]:
    """Return the cells of a task's line."""
    within = sum(outcome.solved and outcome.generations <= goal.generations for outcome in outcomes)
    needed = [str(outcome.generations) if outcome.solved else "-" for outcome in outcomes]
    sizes = [outcome.n_conditions for outcome in outcomes if outcome.solved]
    return [
        f"{within} of {len(outcomes)} in {goal.generations}",
        " ".join(needed),
        f"{sum(outcome.test_score >= goal.passing for outcome in outcomes)} of {len(outcomes)}",
        f"{np.mean(sizes):.1f}, most {max(sizes)}" if sizes else "",
        f"{np.median([outcome.seconds for outcome in outcomes]):.1f}",
        f"{np.median([outcome.cpu_seconds for outcome in outcomes]):.1f}",
    ]


if __name__ == "__main__":
    main()
