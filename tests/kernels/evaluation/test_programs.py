"""Programs decide as rule sets do step by step: all forms of conditions, lags before the beginning, scaled values."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.environments.flappy_batch import BatchFlappyBird
from evoter.genome.codec import encode
from evoter.kernels.evaluation.programs import N_REMEMBERED, empty_programs
from evoter.kernels.threads import Threads
from evoter.problems.control.rollout import roll_out, room_for
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from laws import examples
from tasks import random_ruleset

FLYING = parse("0.48*x0 <= 0.34*x4 AND x1 > -6.5 -> No flap; 0.7*x0 <= 0.79*x4 -> Flap; Default -> Flap")
"""Rules that keep the bird in the air for a while."""

N_FRAMES = 3 * N_REMEMBERED
"""Memory is full several times."""


class StepByStep:
    """Flappy Bird without its compiled whole episodes."""

    def __init__(self) -> None:
        batch = BatchFlappyBird(N_FRAMES)
        self.max_steps = batch.max_steps
        self.reset, self.step, self.keep = batch.reset, batch.step, batch.keep


def random_policies(rng: Random, max_lag: int) -> tuple[list[RuleSet], Schema]:
    """Draw rule sets of conditions of all forms, most of which fly on by the rules that follow."""
    features = [Feature(f"x{k}", low=0.0, high=300.0, scaled=rng.random() < 0.3) for k in range(8)]
    schema = Schema(features, ["No flap", "Flap"], max_lag)
    flying = FLYING.replace(schema=schema)
    drawn = [random_ruleset(rng, schema, Mode.FIRST).rules for _ in range(10)]
    return [flying.replace(rules=(*first, *flying.rules)) for first in drawn], schema


@examples(50)
@given(st.integers(0, 2**32), st.integers(0, 8))
def test_programs_decide_as_rule_sets_do_step_by_step(seed: int, max_lag: int) -> None:
    rulesets, schema = random_policies(Random(seed), max_lag)
    population, seeds = encode(rulesets, schema), np.array([seed % 1_000, 1])
    whole = roll_out(population, schema, BatchFlappyBird(N_FRAMES), seeds, Threads(1))
    stepped = roll_out(population, schema, StepByStep(), seeds, Threads(1))
    for one, other in zip(whole, stepped, strict=True):
        np.testing.assert_array_equal(one, other)


def test_which_rules_hold_is_counted_in_as_many_episodes_as_asked_for() -> None:
    rulesets, schema = random_policies(Random(5), max_lag=3)
    population, seeds = encode(rulesets, schema), np.array([3, 1, 4])
    first, all_of_them, some = (
        roll_out(population, schema, BatchFlappyBird(N_FRAMES), courses, Threads(1), n_counted)
        for courses, n_counted in ((seeds[:1], None), (seeds, None), (seeds, 1))
    )
    np.testing.assert_array_equal(some.returns, all_of_them.returns)
    np.testing.assert_array_equal(some.decided, all_of_them.decided)
    others = all_of_them.decided - first.decided
    np.testing.assert_array_equal(some.applied, first.applied + others[:, :-1])
    assert (some.applied < all_of_them.applied).any()


def test_there_is_room_for_every_condition_and_observation() -> None:
    rulesets, schema = random_policies(Random(0), max_lag=8)
    population, past = encode(rulesets, schema), room_for(schema, 0)
    programs = empty_programs(population, past)
    assert programs.kinds.shape[1] == population.max_rules * population.antecedents.codes.shape[1]
    assert programs.memory.shape[1] == (8 + N_REMEMBERED) * (2 * 8 + 1)
