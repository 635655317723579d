"""Steps that policies play: what they did, where it led, and the same for the same seeds."""

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole
from evoter.problems.control.experience import joined, last_of_each, record_steps
from evoter.rules.parser import parse

LEGEND = "where x: numeric; v: numeric; a: numeric; w: numeric; actions: left | right"
RULES = [parse(f"a > 0 -> right; Default -> left; {LEGEND}"), parse(f"a > 9 -> right; Default -> left; {LEGEND}")]
SEEDS = np.array([3, 4])


def test_steps_are_those_that_the_policies_take() -> None:
    steps = record_steps(RULES, RULES[0].schema, BatchCartPole(50), SEEDS, 1_000)
    n_first = int(steps.returns[0])
    assert len(steps.actions) == steps.returns.sum()
    assert np.array_equal(steps.actions[:n_first], (steps.observations[:n_first, 2] > 0).astype(int))
    assert (steps.actions[n_first:] == 0).all(), "the second policy always goes left"
    inside = ~steps.done
    inside[[n_first - 1, -1]] = False
    following = np.flatnonzero(inside)
    assert np.array_equal(steps.next_observations[following], steps.observations[following + 1])
    assert steps.done[-1]
    environment = BatchCartPole(50)
    assert np.array_equal(environment.reset(SEEDS)[0], steps.observations[0])
    again = record_steps(RULES, RULES[0].schema, BatchCartPole(50), SEEDS, 1_000)
    assert all(np.array_equal(one, other) for one, other in zip(steps, again, strict=True))


def test_the_last_steps_of_each_are_kept() -> None:
    whole = record_steps(RULES, RULES[0].schema, BatchCartPole(50), SEEDS, 1_000)
    some = record_steps(RULES, RULES[0].schema, BatchCartPole(50), SEEDS, 12)
    assert len(some.actions) == 12
    assert np.array_equal(some.observations[-6:], whole.observations[-6:])
    both = joined(whole, some)
    assert len(both.actions) == len(whole.actions) + 12


@pytest.mark.parametrize(("most", "kept"), [(100, 7), (7, 7), (3, 3), (0, 0)])
def test_as_many_steps_as_asked_for(most: int, kept: int) -> None:
    assert len(last_of_each(np.array([0, 1, 2, 0, 1, 0, 0]), most)) == kept
