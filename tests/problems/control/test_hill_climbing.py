"""Hill climbing makes a policy better, in the same way wherever it plays, and leaves what guardrails say as it is."""

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.settings import Settings
from evoter.kernels.threads import Threads
from evoter.problems.control.exploration import explore
from evoter.problems.control.hill_climbing import BEGINS_AFTER, MOST_AT_ONCE, HillClimb, HillClimbs
from evoter.problems.control.problem import TEST, ControlProblem, draw_seeds
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
OBSERVED = explore(BatchCartPole(100), 2, np.arange(10)).observations
SETTINGS = Settings(max_rules=4, max_conditions=2, n_refined=0)
POOR = parse("angle > 0.05 -> Right; Default -> Left", SCHEMA)
POORER = parse("angle > 0.05 -> Left; Default -> Right", SCHEMA)
EPISODES = draw_seeds(0, TEST, 50)


def cart_pole(rails: Guardrails | None = None, n_threads: int = 1) -> ControlProblem:
    executor = ThreadExecutor(Threads(n_threads))
    return ControlProblem(SCHEMA, BatchCartPole(100), OBSERVED, target=100.0, guardrails=rails, executor=executor)


def climbed(problem: ControlProblem, n_changes: int, n_calls: int, seed: int = 0) -> list[RuleSet]:
    climb = HillClimb(problem, SETTINGS, seed, n_changes)
    return [climb([POORER, POOR]) for _ in range(n_calls)]


def test_the_best_leader_becomes_better() -> None:
    problem = cart_pole()
    policies = [POORER, POOR, *climbed(problem, 100, 12)]
    earned = problem.try_out(policies, EPISODES).returns.mean(axis=1)
    assert earned[0] < earned[1] < earned[-1]
    assert earned[-1] > 95.0


@pytest.mark.parametrize("n_changes", [1, 7, MOST_AT_ONCE + 1])
def test_the_policy_follows_from_the_seed(n_changes: int) -> None:
    one, two = (climbed(cart_pole(n_threads=n), n_changes, 2, seed=3) for n in (1, 2))
    assert one == two
    for policy in one:
        assert len(policy.rules) <= SETTINGS.max_rules
        assert all(len(rule.conditions) <= SETTINGS.max_conditions for rule in policy.rules)


def test_it_climbs_with_the_rules_as_they_will_be_used() -> None:
    rails = read_guardrails(SCHEMA, pinned="x > 2 -> Left", forbidden="v > 2 AND rotation < 0 -> never Right")
    problem = cart_pole(rails)
    policies = climbed(problem, 50, 4)
    assert not any(rule.pinned for policy in policies for rule in policy.rules)
    guarded = [problem.guarded(policy) for policy in (POOR, *policies)]
    assert not any(rails.violations(policy) for policy in guarded)
    earned = problem.try_out(guarded, EPISODES).returns.mean(axis=1)
    assert earned[-1] > earned[0]


def test_the_best_climb_goes_on_while_the_next_population_evolves() -> None:
    problem = cart_pole()
    first, second, third = climbed(problem, 20, 3)
    climbs = HillClimbs()
    climbs.restart(HillClimb(problem, SETTINGS, 0, 20))
    assert climbs([POORER, POOR], BEGINS_AFTER - 1) == []
    assert climbs([POORER, POOR], BEGINS_AFTER) == [first]
    climbs.restart(HillClimb(problem, SETTINGS, 1, 1))
    assert climbs([POORER], 0) == [second]
    poor = climbs([POORER], BEGINS_AFTER)
    climbs.restart(HillClimb(problem, SETTINGS, 2, 1))
    earned = problem.try_out([second, *poor], EPISODES).returns.mean(axis=1)
    assert earned[0] > earned[1]
    assert climbs([POORER], 0) == [third]
