"""Policies under guardrails: they play as they will be used, and nothing that is validated or pruned breaks one."""

from dataclasses import replace
from random import Random

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.control.exploration import explore
from evoter.problems.control.problem import TRAINING, VALIDATION, ControlProblem, draw_seeds
from evoter.problems.control.surrogate_search import local_search, one_rule_more, other_constants
from evoter.problems.control.validation import PolicyValidator
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from guarding import broken, random_rails
from tasks import as_rows, decoded, random_columns, random_ruleset

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"])
SMALL = Settings(population_size=30, n_elites=3, n_refined=0, max_rules=4, max_conditions=3, max_power=3)
OBSERVED = explore(BatchCartPole(), 2, np.arange(20)).observations
RAILS = read_guardrails(
    SCHEMA,
    pinned="x > 2 -> Left",
    forbidden="v > 2 AND rotation < 0 -> never Right",
    monotone={"angle": "increasing"},
)


def cart_pole(rails: Guardrails | None) -> ControlProblem:
    return ControlProblem(SCHEMA, BatchCartPole(max_steps=60), OBSERVED, n_episodes=6, race=False, guardrails=rails)


def test_candidates_play_as_they_will_be_used() -> None:
    for seed in range(6):
        rng = Random(seed)
        rails = random_rails(rng, SCHEMA, Mode.FIRST)
        rulesets = [random_ruleset(rng, SCHEMA, Mode.FIRST) for _ in range(6)]
        evaluation = cart_pole(rails).evaluate(encode(rulesets, SCHEMA), Threads(1), seed=seed)
        guarded = [rails.guard(ruleset) for ruleset in rulesets]
        played = cart_pole(None).try_out(guarded, draw_seeds(seed, TRAINING, 6))
        np.testing.assert_array_equal(evaluation.scores[:, 0], played.returns.mean(axis=1))
        assert evaluation.times_decided.shape == (6, max(len(each.rules) for each in rulesets) or 1)
        n_pinned = len(rails.pinned)
        by_evolved = played.decided[:, n_pinned:-1].sum(axis=1)
        np.testing.assert_array_equal(evaluation.times_decided.sum(axis=1), by_evolved)


def test_nothing_that_evolves_or_is_validated_breaks_a_guardrail() -> None:
    for seed in range(4):
        rails = random_rails(Random(seed), SCHEMA, Mode.FIRST)
        problem = cart_pole(rails)
        validator = PolicyValidator(problem, draw_seeds(0, VALIDATION, 5), target=40.0, n_contenders=5)
        evolution = Evolution(problem, SMALL, seed=seed)
        evolution.run(Generations(4), [validator])
        rows = as_rows(random_columns(Random(seed), SCHEMA, 10), SCHEMA)
        for ruleset in decoded(evolution, evolution.population):
            assert not [reason for rule in ruleset.rules for reason in rails.breaches(rule)]
        for final in (validator.best, validator.prune(validator.best, 5.0), validator.confirmed):
            if final is not None:
                assert not rails.violations(final)
                assert not list(broken(rails, final, rows))


def test_a_local_search_changes_no_pinned_rule_and_adds_no_forbidden_one() -> None:
    problem = cart_pole(RAILS)
    policy = RAILS.guard(parse("angle > 0 -> Right; Default -> Left", SCHEMA))
    more = list(one_rule_more(problem, policy))
    assert more
    assert not [reason for ruleset in more for reason in RAILS.breaches(ruleset.rules[0])]
    plain = list(one_rule_more(cart_pole(None), policy))
    assert len(more) < len(plain)
    assert all(changed.rules[0] == policy.rules[0] for changed in other_constants(problem, policy))
    for found in local_search(problem, policy, draw_seeds(0, VALIDATION, 2), n_moves=1):
        assert not RAILS.violations(found)


def test_the_fingerprint_knows_the_guardrails() -> None:
    other = replace(RAILS, pinned=())
    prints = {cart_pole(rails).fingerprint() for rails in (None, read_guardrails(SCHEMA), RAILS, other)}
    assert len(prints) == 3
