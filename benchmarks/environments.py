"""How many steps environments take in a CPU second: one in Python, and the episodes of a whole population compiled."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console

from evoter.environments.flappy_bird import FlappyBird
from evoter.estimators.control.rule_policy import RulePolicy
from evoter.estimators.control.task import read_environment
from evoter.estimators.policy import CONTROL
from evoter.problems.control.exploration import explore
from evoter.problems.control.first_generation import draw_first_generation
from evoter.problems.control.problem import ControlProblem
from measure import Figure, Stopwatch, no_collector, ratios, results_table

N_REPEATS = 5
N_STEPS = 50_000
N_POLICIES = 200
N_EPISODES = 20
PIPE_WIDTH = 130
PYTHON_GOAL = 150_000.0

COMPILED = {"CartPole-v1": "cart-pole", "evoter/FlappyBird-v0": "Flappy Bird"}


def stepped(environment: gymnasium.Env[Any, Any], n_steps: int) -> tuple[float, ...]:
    """Return how many steps of random actions an environment takes in a second, again and again."""
    watch = Stopwatch()
    actions = np.random.default_rng(0).random(n_steps) < 0.1
    for _ in range(N_REPEATS):
        environment.reset(seed=0)
        with no_collector(), watch:
            for action in actions:
                if environment.step(int(action))[2]:
                    environment.reset()
    return tuple(n_steps / seconds for seconds in watch.seconds)


def python_figures(n_steps: int) -> list[Figure]:
    """Step single environments in Python."""
    part = "one environment, in Python"
    flappy, cart_pole = stepped(FlappyBird(), n_steps), stepped(gymnasium.make("CartPole-v1").unwrapped, n_steps)
    return [
        Figure(part, "Flappy Bird", flappy, "steps/s", PYTHON_GOAL),
        Figure(part, "gymnasium's cart-pole", cart_pole, "steps/s"),
        Figure(part, "Flappy Bird / cart-pole", ratios(flappy, cart_pole), "x"),
    ]


def population_figures(n_policies: int, n_episodes: int) -> Iterator[Figure]:
    """Let random policies play, compiled and one step after the other; both play the same episodes."""
    for env, title in COMPILED.items():
        task = read_environment(env)
        seeds = np.arange(n_episodes)
        problem = ControlProblem(task.schema, task.batch, explore(task.batch, len(task.actions), seeds).observations)
        rulesets = draw_first_generation(problem, CONTROL.replace(population_size=n_policies), 0)
        problem.try_out(rulesets, seeds)  # compiles
        compiled, one_by_one = Stopwatch(), Stopwatch()
        for _ in range(N_REPEATS):
            with no_collector(), compiled:
                n_steps = problem.try_out(rulesets, seeds).n_steps
        with no_collector(), one_by_one:
            n_python = sum(play(env, RulePolicy(ruleset, task.actions), 2) for ruleset in rulesets[:10])
        part = f"{len(rulesets)} policies, {n_episodes} episodes each: {title}"
        fast = tuple(n_steps / seconds for seconds in compiled.seconds)
        slow = (n_python / one_by_one.seconds[0],) * N_REPEATS
        yield Figure(part, "all at once, compiled", fast, "steps/s")
        yield Figure(part, "one after the other, in Python", slow[:1], "steps/s", note="10 of the policies")
        yield Figure(part, "compiled / Python", ratios(fast, slow), "x")


def play(env: str, policy: RulePolicy, n_episodes: int) -> int:
    """Play episodes in a plain Python loop; return the number of steps."""
    environment, n_steps = gymnasium.make(env), 0
    for seed in range(n_episodes):
        observation, _ = environment.reset(seed=seed)
        policy.reset()
        over = False
        while not over:
            observation, _, terminated, truncated, _ = environment.step(policy(observation))
            over = terminated or truncated
            n_steps += 1
    return n_steps


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few steps: does it run?")
    chosen = parser.parse_args(arguments)
    scale = 100 if chosen.quick else 1
    figures = python_figures(N_STEPS // scale)
    figures += population_figures(max(10, N_POLICIES // scale), max(2, N_EPISODES // scale))
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    console.print(results_table(figures, "steps in a CPU second of one thread; medians"))


if __name__ == "__main__":
    main()
