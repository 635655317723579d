"""The validator keeps the best of a run, ends it at the target, and prunes without losing the target."""

import time

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import DEFAULT
from evoter.evolution.stopping import Generations
from evoter.problems.control.exploration import explore
from evoter.problems.control.problem import VALIDATION, ControlProblem, draw_seeds
from evoter.problems.control.validation import PolicyValidator
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
PROBLEM = ControlProblem(SCHEMA, BatchCartPole(200), explore(BatchCartPole(), 2, np.arange(20)).observations)
SEEDS = draw_seeds(0, VALIDATION, 30)


def policy(text: str) -> RuleSet:
    return parse(text).replace(schema=SCHEMA)


GOOD = policy("angle > 0.016 -> Right; rotation > 0.41 -> Right; Default -> Left")
BAD = policy("angle > 0.016 -> Left; Default -> Right")


def test_the_best_is_remembered() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS)
    validator.validate([BAD])
    assert validator.best == BAD
    validator.validate([GOOD, BAD])
    validator.validate([BAD])
    assert (validator.best, validator.best_score) == (GOOD, 200.0)


def test_of_equal_policies_the_smaller_is_kept() -> None:
    larger = GOOD.replace(rules=(*GOOD.rules, GOOD.rules[0]))
    validator = PolicyValidator(PROBLEM, SEEDS)
    validator.validate([larger, GOOD])
    assert validator.best == GOOD


def test_of_equally_small_proven_policies_the_most_reliable_is_confirmed() -> None:
    problem = ControlProblem(SCHEMA, BatchCartPole(500), np.zeros((1, 4)))
    shaky = policy("rotation <= -0.06 -> Left; angle <= -0.024 -> Left; Default -> Right")  # 5 of 200 episodes fail
    episodes = np.arange(1_000)
    returns = problem.try_out([shaky], episodes).returns[0]
    survived = episodes[returns == 500.0]
    assert len(survived) < 1_000
    for order in ([shaky, GOOD], [GOOD, shaky]):
        validator = PolicyValidator(problem, survived[:20], 500.0, confirmation=survived[20:120])
        validator.validate(order)
        assert validator.best_score == 500.0
        assert validator.confirmed == GOOD


def test_a_small_form_that_was_lucky_gives_way_to_a_larger_one() -> None:
    problem = ControlProblem(SCHEMA, BatchCartPole(150), np.zeros((1, 4)))
    small = policy("rotation > 0 -> Right; Default -> Left")  # 149 of 1,000 episodes fail
    episodes = np.arange(200)
    survived = episodes[problem.try_out([small], episodes).returns[0] == 150.0]
    validator = PolicyValidator(problem, survived[:20], 150.0, confirmation=survived[20:120])
    validator.validate([small, GOOD])
    assert validator.confirmed == GOOD
    alone = PolicyValidator(problem, survived[:20], 150.0, confirmation=survived[20:120])
    alone.validate([small])
    assert alone.confirmed == small


def test_the_run_ends_at_the_target() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS, target=100.0)
    settings = DEFAULT.replace(population_size=60, n_elites=3, n_refined=0, max_rules=6)
    result = Evolution(PROBLEM, settings, seed=1).run(Generations(50), [validator])
    assert result.reason == "stopped"
    assert validator.best_score >= 100.0


PADDED = policy(
    "x > 100 -> Left; angle > 0.016 AND v < 50 -> Right; rotation > 0.41 AND x < 2.4 -> Right; v > 99 -> Right;"
    "Default -> Left"
)

ACTIVE = policy("angle > 0.016 AND v < 50 -> Right; rotation > 0.41 AND x < 2.4 -> Right; Default -> Left")
"""The rules of PADDED that ever decide."""


def test_who_reaches_the_target_is_made_small_and_confirmed() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS, target=200.0, confirmation=draw_seeds(1, VALIDATION, 50))
    validator.validate([BAD])
    assert validator.confirmed is None
    validator.validate([PADDED])
    assert validator.best == PADDED
    assert validator.confirmed is not None
    assert validator.confirmed.n_conditions == 2
    assert PROBLEM.try_out([validator.confirmed], validator.confirmation).returns.min() == 200.0


def test_without_confirmation_the_smallest_that_reaches_the_target_is_taken() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS, target=200.0)
    validator.validate([PADDED, GOOD])
    assert validator.confirmed is not None
    assert validator.confirmed.n_conditions == 2


def test_luck_is_not_confirmed() -> None:
    """In one easy episode a poor policy may reach a low target, but not on average."""
    poor = policy("angle > 0.05 -> Right; Default -> Left")
    returns = PROBLEM.try_out([poor], SEEDS).returns[0]
    lucky = SEEDS[[int(returns.argmax())]]
    validator = PolicyValidator(PROBLEM, lucky, target=float(returns.max()), confirmation=SEEDS)
    validator.validate([poor])
    assert validator.best_score == returns.max()
    assert validator.confirmed is None


def test_time_ends_a_run_before_it_is_over() -> None:
    settings = DEFAULT.replace(population_size=60, n_elites=3, n_refined=0, max_rules=6)
    validator = PolicyValidator(PROBLEM, SEEDS, target=1e9, seconds=1.0)
    start = time.monotonic()
    result = Evolution(PROBLEM, settings, seed=1).run(Generations(10**6), [validator])
    assert result.reason == "stopped"
    assert validator.out_of_time
    assert validator.confirmed is None
    assert 0.3 < time.monotonic() - start < 20.0


def test_when_it_is_late_nothing_is_pruned() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS, seconds=0.0)
    validator.validate([PADDED])
    assert validator.best == PADDED
    assert validator.prune(PADDED, price=1e6) == ACTIVE


def test_pruning_keeps_the_target() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS, target=200.0)
    pruned = validator.prune(PADDED, price=0.01)
    assert pruned.n_conditions <= 2
    assert validator.scores([pruned]) == [200.0]


def test_a_high_price_prunes_what_earns_something() -> None:
    validator = PolicyValidator(PROBLEM, SEEDS)
    assert validator.prune(GOOD, price=1e6).n_conditions == 0
