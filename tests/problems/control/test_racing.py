"""In a race, who is clearly behind the bar stops, everybody else plays all episodes, and nobody goes on too late."""

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.problems.control.problem import ControlProblem
from evoter.problems.control.racing import race
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
PROBLEM = ControlProblem(SCHEMA, BatchCartPole(200), np.zeros((2, 4)))
SEEDS = np.arange(20)
GOOD = parse("angle > 0.016 -> Right; rotation > 0.41 -> Right; Default -> Left").replace(schema=SCHEMA)
BAD = parse("angle > 0.016 -> Left; Default -> Right").replace(schema=SCHEMA)


def test_without_a_bar_all_play_all_episodes() -> None:
    returns = race(PROBLEM, [BAD, GOOD], SEEDS)
    assert list(returns) == [BAD, GOOD]
    np.testing.assert_array_equal([*returns.values()], PROBLEM.try_out([BAD, GOOD], SEEDS).returns)


def test_who_is_clearly_behind_stops() -> None:
    assert list(race(PROBLEM, [BAD, GOOD], SEEDS, np.full(20, 200.0))) == [GOOD]


def test_each_may_have_a_bar_of_its_own() -> None:
    bars = np.array([[1.0], [300.0]])
    assert list(race(PROBLEM, [BAD, GOOD], SEEDS, bars)) == [BAD]


def test_one_episode_is_a_race_too() -> None:
    assert race(PROBLEM, [GOOD], SEEDS[:1])[GOOD].tolist() == [200.0]


def test_when_it_is_late_nobody_goes_on() -> None:
    asked: list[bool] = []

    def late() -> bool:
        asked.append(len(asked) > 1)
        return asked[-1]

    assert race(PROBLEM, [GOOD], SEEDS, None, late) == {}
    assert asked == [False, False, True]


def test_a_race_of_nobody_is_over() -> None:
    assert race(PROBLEM, [], SEEDS, np.full(20, 200.0)) == {}
