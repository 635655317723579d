"""Control as a problem of evolution: fair episodes, races that change nothing for the best, and repeatable runs."""

from random import Random

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.engine import Evolution, evaluation_seed
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.control.exploration import explore
from evoter.problems.control.problem import TEST, TRAINING, VALIDATION, ControlProblem, draw_seeds
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from tasks import random_ruleset

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
SMALL = Settings(population_size=30, n_elites=3, n_refined=0, max_rules=4, max_conditions=3, max_power=3)
OBSERVED = explore(BatchCartPole(), 2, np.arange(20)).observations


def cart_pole(**changes: object) -> ControlProblem:
    return ControlProblem(SCHEMA, BatchCartPole(max_steps=100), OBSERVED, **{"n_episodes": 16, **changes})  # type: ignore[arg-type]


def random_rulesets(n: int) -> list[RuleSet]:
    rng = Random(1)
    return [random_ruleset(rng, SCHEMA, Mode.FIRST) for _ in range(n)]


def test_each_purpose_has_seeds_of_its_own() -> None:
    drawn = [draw_seeds(seed, purpose, 50) for seed in (0, 1) for purpose in (TRAINING, VALIDATION, TEST)]
    assert len(np.unique(drawn)) == 300
    np.testing.assert_array_equal(draw_seeds(5, TEST, 10), draw_seeds(5, TEST, 20)[:10])


def test_scores_are_mean_returns_in_the_generations_episodes() -> None:
    rulesets = random_rulesets(8)
    problem = cart_pole(race=False)
    evaluation = problem.evaluate(encode(rulesets, SCHEMA), Threads(1), seed=7)
    played = problem.try_out(rulesets, draw_seeds(7, TRAINING, 16))
    np.testing.assert_array_equal(evaluation.scores[:, 0], played.returns.mean(axis=1))
    np.testing.assert_array_equal(evaluation.times_applied, played.applied)
    np.testing.assert_array_equal(evaluation.default_applied, played.decided[:, -1])


def test_another_generation_plays_other_episodes() -> None:
    population = encode(random_rulesets(8), SCHEMA)
    problem = cart_pole()
    scores = [problem.evaluate(population, Threads(1), seed).scores for seed in (1, 1, 2)]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert (scores[0] != scores[2]).any()


def test_a_race_is_won_by_those_who_would_win_without_it() -> None:
    """Who goes on plays the same episodes as without a race, and nobody who stopped ranks above."""
    rulesets = [
        parse(f"angle > {k / 1000} -> Right; rotation > {k / 40} -> Right; Default -> Left").replace(schema=SCHEMA)
        for k in range(-32, 32)
    ]
    raced = cart_pole().evaluate(encode(rulesets, SCHEMA), Threads(1), seed=3)
    full = cart_pole(race=False).evaluate(encode(rulesets, SCHEMA), Threads(1), seed=3)
    steps, all_steps = (e.times_decided.sum(axis=1) + e.default_applied for e in (raced, full))
    finished = steps == all_steps
    assert finished.sum() == 16
    np.testing.assert_array_equal(raced.scores[finished], full.scores[finished])
    assert raced.scores[~finished].max() <= raced.scores[finished].min()
    assert steps.sum() < 0.9 * all_steps.sum()


@pytest.mark.parametrize(
    ("n_episodes", "rounds"),
    [(1, [1]), (2, [1, 2]), (10, [2, 5, 10]), (32, [8, 16, 32]), (128, [8, 16, 32, 64, 128])],
)
def test_rounds_of_a_race(n_episodes: int, rounds: list[int]) -> None:
    assert cart_pole(n_episodes=n_episodes)._rounds() == rounds


def test_long_episodes_make_a_short_first_round() -> None:
    problem = ControlProblem(SCHEMA, BatchCartPole(3_600), OBSERVED, n_episodes=16)
    assert problem._rounds() == [1, 2, 4, 8, 16]


def test_the_same_seed_evolves_the_same_policy_on_any_number_of_threads() -> None:
    results = []
    for n_threads in (1, 3):
        threads = Threads(n_threads)
        results.append(Evolution(cart_pole(), SMALL, seed=5, threads=threads).run(Generations(4)))
        threads.close()
    assert results[0].best == results[1].best
    assert results[0].history.last.best == results[1].history.last.best > results[0].history.first.mean


def test_the_elite_is_judged_again_in_every_generation() -> None:
    problem = cart_pole(race=False)
    evolution = Evolution(problem, SMALL, seed=2)
    for generation in range(4):
        evolution.step()
        seeds = draw_seeds(evaluation_seed(2, generation), TRAINING, 16)
        played = problem.try_out(evolution.leaders(30), seeds).returns.mean(axis=1)
        np.testing.assert_array_equal(played, np.sort(played)[::-1])
        np.testing.assert_array_equal(np.sort(evolution.evaluation.scores[:, 0]), np.sort(played))


def test_constants_are_short_and_lie_within_what_was_observed() -> None:
    grammar = cart_pole().grammar(SMALL)
    constants = grammar.constants
    assert np.abs(constants).max() <= np.abs(OBSERVED).max()
    assert max(len(repr(float(constant))) for constant in constants) <= 8


def test_fingerprints_tell_tasks_apart() -> None:
    problems = [cart_pole(), cart_pole(n_episodes=5), cart_pole(race=False), cart_pole(name="other")]
    problems.append(cart_pole(hard_share=0.5))
    assert len({problem.fingerprint() for problem in problems}) == 5
    assert cart_pole().fingerprint() == cart_pole().fingerprint()


def test_those_who_reach_the_target_play_on_until_they_are_told_apart() -> None:
    """Both are perfect in the first four episodes; in sixty-four, one of them is not, and ranks below the other."""
    good = "angle > 0.016 -> Right; rotation > 0.3 -> Right; Default -> Left"
    fair = "angle > 0.02 -> Right; rotation > 0.05 -> Right; Default -> Left"
    rulesets = [parse(text).replace(schema=SCHEMA) for text in (fair, good)]
    environment = BatchCartPole(500)
    plain = ControlProblem(SCHEMA, environment, OBSERVED, n_episodes=4, race=False)
    strict = ControlProblem(SCHEMA, environment, OBSERVED, n_episodes=4, race=False, target=500.0)
    seed = next(
        seed for seed in range(100) if plain.evaluate(encode(rulesets, SCHEMA), Threads(1), seed).scores.min() == 500.0
    )
    scores = strict.evaluate(encode(rulesets, SCHEMA), Threads(1), seed).scores[:, 0]
    played = strict.try_out(rulesets, draw_seeds(seed, TRAINING, 64)).returns
    assert scores[0] < scores[1] == played[1].mean() == 500.0
    assert strict.fingerprint() != plain.fingerprint()


FALLING = parse("rotation <= -0.39 -> Left; Default -> Right", SCHEMA)
LASTING = parse("rotation <= -0.39 -> Left; angle <= -0.0166 -> Left; Default -> Right", SCHEMA)


def test_hard_episodes_are_those_in_which_the_best_fail() -> None:
    """Without hard episodes the score is the mean return; with them, it is less for those who fail in some of them."""
    population = encode([LASTING, *[FALLING] * 9], SCHEMA)
    scores = [
        cart_pole(target=100.0, hard_share=share, n_episodes=40).evaluate(population, Threads(1), seed=3).scores[:, 0]
        for share in (0.0, 1.0)
    ]
    assert scores[0][0] == scores[1][0] == 100.0
    assert scores[1][1:].max() < scores[0][1:].max()


def test_hard_episodes_are_the_same_on_any_number_of_threads() -> None:
    population = encode(random_rulesets(40), SCHEMA)
    problem = cart_pole(hard_share=0.5)
    one, three = (problem.evaluate(population, Threads(n), seed=5) for n in (1, 3))
    for part, other in zip(one, three, strict=True):
        np.testing.assert_array_equal(part, other)


def test_where_all_fail_soon_none_stops_before_a_quarter_of_the_episodes() -> None:
    """The first rounds are shorter because episodes may be long; these are not."""
    problem = ControlProblem(SCHEMA, BatchCartPole(max_steps=5_000), OBSERVED, n_episodes=16)
    assert problem._rounds() == [1, 2, 4, 8, 16]
    rulesets = [FALLING, *random_rulesets(15)]
    evaluation = problem.evaluate(encode(rulesets, SCHEMA), Threads(1), seed=1)
    played = problem.try_out(rulesets, draw_seeds(1, TRAINING, 16)).returns
    first = np.argsort(-played[:, :4].mean(axis=1), kind="stable")[:8]
    later = first[np.argsort(-played[first, :8].mean(axis=1), kind="stable")[:4]]
    best = later[int(played[later].mean(axis=1).argmax())]
    assert evaluation.scores[:, 0].argmax() == best
    assert evaluation.scores[best, 0] == played[best].mean()
