"""The first generation has no idle rules and nobody twice."""

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.settings import DEFAULT
from evoter.problems.control.exploration import explore
from evoter.problems.control.first_generation import LEAST_CONDITIONS, draw_first_generation
from evoter.problems.control.problem import ControlProblem
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import simplify

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
PROBLEM = ControlProblem(SCHEMA, BatchCartPole(100), explore(BatchCartPole(), 2, np.arange(10)).observations)
SETTINGS = DEFAULT.replace(population_size=60, n_elites=2, max_rules=3, max_conditions=2)


def test_nothing_is_idle_and_all_differ() -> None:
    drawn = draw_first_generation(PROBLEM, SETTINGS, 3)
    assert len(set(drawn)) == len(drawn) == 60
    for ruleset in drawn:
        assert LEAST_CONDITIONS <= ruleset.n_conditions == simplify(ruleset).n_conditions
        assert len({rule.action for rule in ruleset.rules} | {ruleset.default}) == 2


def test_equal_seeds_draw_equal_generations() -> None:
    assert draw_first_generation(PROBLEM, SETTINGS, 3) == draw_first_generation(PROBLEM, SETTINGS, 3)
    assert draw_first_generation(PROBLEM, SETTINGS, 3) != draw_first_generation(PROBLEM, SETTINGS, 4)


def test_consecutive_seeds_share_nothing() -> None:
    drawn = [set(draw_first_generation(PROBLEM, SETTINGS, seed)) for seed in range(4)]
    assert not any(one & other for number, one in enumerate(drawn) for other in drawn[:number])


def test_where_there_is_nothing_to_draw_nothing_is_drawn() -> None:
    assert draw_first_generation(PROBLEM, SETTINGS.replace(max_rules=1, max_conditions=1, sum_rate=0.0), 0) == []
