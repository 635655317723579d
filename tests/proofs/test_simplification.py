"""Tests of simplification with proofs: further than boxes, and never another decision."""

from random import Random

import pytest

from domains import random_histories, random_ruleset
from evoter import parse, simplify
from evoter.proofs import simplify as simplify_with_proofs
from evoter.rules.interpreter import decide_now
from laws import n_cases


def test_conditions_that_follow_from_sums_go() -> None:
    pytest.importorskip("z3")
    rules = parse("a + b > 10 AND a > b AND a > 4 -> high; Default -> low")
    assert simplify(rules).n_conditions == 4
    simple = simplify_with_proofs(rules)
    assert simple.to_text(declarations=False).splitlines()[0] == "1. a + b > 10 AND a > b -> high"


def test_rules_that_others_make_superfluous_together_go() -> None:
    rules = parse("x >= 3 -> a; x < 5 -> a; y > 1 -> c; Default -> b")
    assert len(simplify(rules).rules) == 3
    simple = simplify_with_proofs(rules)
    assert (simple.rules, simple.default) == ((), "a")
    kept = simplify_with_proofs(parse("x >= 3 -> a; pinned: x > 5 -> b; Default -> b"))
    assert [rule.pinned for rule in kept.rules] == [False, True]
    assert simplify_with_proofs(rules, max_seconds=1e-6) == simplify(rules)


def test_for_every_input_less_can_go() -> None:
    rules = parse("x >= 3 -> a; x < 5 -> a; Default -> b")
    assert not simplify_with_proofs(rules).rules
    assert simplify_with_proofs(rules, within_ranges=False) is rules


def test_no_decision_changes() -> None:
    for seed in range(n_cases(250)):
        rng = Random(seed)
        rules = random_ruleset(rng)
        simple = simplify_with_proofs(rules, max_seconds=5)
        assert simple.n_conditions <= rules.n_conditions
        conditions = [condition for rule in rules.rules for condition in rule.conditions]
        for history in random_histories(rng, conditions, rules.schema, 60):
            if any(value in (float("inf"), float("-inf")) for row in history for value in row.values()):
                continue
            one, other = decide_now(rules, history), decide_now(simple, history)
            assert (one.actions, one.certainty) == (other.actions, other.certainty), (seed, history)
