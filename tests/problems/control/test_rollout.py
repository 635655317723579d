"""Roll-outs earn what single policies earn, episode by episode, whoever plays beside them."""

from random import Random

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole
from evoter.environments.flappy_batch import BatchFlappyBird
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.control.rollout import roll_out
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.rules.stream import Stream
from tasks import random_ruleset

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"], max_lag=2)
SEEDS = np.array([3, 1, 4])
PERFECT = """
0.48*x0 <= 0.34*x4[6] AND x1 > -6.5 -> No flap
0.7*x0[8] <= 0.79*x4[6] -> Flap
0.26*x1 > 0.53*x1[6] -> No flap
Default -> Flap
"""


def returns_one_by_one(ruleset: RuleSet, seed: int) -> float:
    """Play alone, with the interpreter."""
    batch, stream = BatchCartPole(), Stream(ruleset)
    seen, total = batch.reset(np.array([seed])), 0.0
    for _ in range(batch.max_steps):
        action = SCHEMA.actions.index(stream.observe(seen[0].tolist()).action)
        seen, rewards, done = batch.step(np.array([action]))
        total += rewards[0]
        if done[0]:
            break
    return total


@pytest.mark.parametrize("n_threads", [1, 3])
def test_returns_are_those_of_the_interpreter_alone(n_threads: int) -> None:
    rng = Random(0)
    rulesets = [random_ruleset(rng, SCHEMA, Mode.FIRST) for _ in range(20)]
    threads = Threads(n_threads)
    played = roll_out(encode(rulesets, SCHEMA), SCHEMA, BatchCartPole(), SEEDS, threads)
    threads.close()
    expected = [[returns_one_by_one(ruleset, int(seed)) for seed in SEEDS] for ruleset in rulesets]
    np.testing.assert_array_equal(played.returns, expected)
    assert played.n_steps == np.sum(expected)
    assert (played.decided.sum(axis=1) == played.returns.sum(axis=1)).all()


def test_episodes_end_at_the_limit() -> None:
    good = parse("angle > 0.016 -> Right; rotation > 0.41 -> Right; Default -> Left").replace(schema=SCHEMA)
    played = roll_out(encode([good], SCHEMA), SCHEMA, BatchCartPole(max_steps=200), SEEDS, Threads(1))
    assert played.returns.tolist() == [[200.0, 200.0, 200.0]]
    assert played.applied[0, :2].sum() >= played.decided[0, :2].sum()
    assert played.decided.sum() == 600


def test_counts_leave_out_what_comes_after_the_end() -> None:
    idle = RuleSet([], "No flap", Schema([Feature(f"x{k}") for k in range(8)], ["No flap", "Flap"]))
    played = roll_out(encode([idle, idle], idle.schema), idle.schema, BatchFlappyBird(), SEEDS, Threads(1))
    assert played.returns.tolist() == [[32.0] * 3] * 2
    assert played.decided[:, -1].tolist() == [99, 99]


class StepByStep:
    """Flappy Bird without its compiled whole episodes."""

    def __init__(self) -> None:
        self._batch = BatchFlappyBird()
        self.max_steps = self._batch.max_steps
        self.reset, self.step, self.keep = self._batch.reset, self._batch.step, self._batch.keep


@pytest.mark.parametrize("n_threads", [1, 2])
def test_whole_episodes_are_those_played_step_by_step(n_threads: int) -> None:
    rng = Random(1)
    features = [Feature(f"x{k}", low=0.0, high=300.0, scaled=k in (2, 6)) for k in range(8)]
    schema = Schema(features, ["No flap", "Flap"], max_lag=8)
    good = parse(PERFECT).replace(schema=schema)
    # A random rule before those of a good policy lets it fly for a while, differently each time.
    others = [random_ruleset(rng, schema, Mode.FIRST).rules[:1] for _ in range(60)]
    rulesets = [good, *(good.replace(rules=(*first, *good.rules)) for first in others)]
    population = encode(rulesets, schema)
    threads = Threads(n_threads)
    whole = roll_out(population, schema, BatchFlappyBird(), SEEDS, threads)
    threads.close()
    stepped = roll_out(population, schema, StepByStep(), SEEDS, Threads(1))
    for one, other in zip(whole, stepped, strict=True):
        np.testing.assert_array_equal(one, other)
    assert whole.returns[0].tolist() == [3_600.0] * len(SEEDS)
    assert len(np.unique(whole.returns)) >= 10
