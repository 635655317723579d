"""Counterexamples with plain values refute the claim as well, and stay within what features may be."""

from random import Random

import pytest

from domains import random_ruleset
from evoter.proofs import equivalent, implies, proving
from evoter.rules.interpreter import decide_now
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from laws import n_cases
from pairs import changed_variant


def test_values_have_few_digits_where_they_may() -> None:
    rules = parse("a + b > 0.07 -> yes; Default -> no")
    result = implies(rules, "a > 0 AND b > 0", "yes")
    assert result.refuted
    assert result.counterexample is not None
    assert all(value == round(value, 2) > 0 for value in result.counterexample.values())  # type: ignore[arg-type]
    schema = Schema([Feature(name, low=0, high=3, step=0.25) for name in "ab"], ["yes", "no"])
    stepped = parse("a + b > 1 -> yes; Default -> no", schema)
    result = implies(stepped, "a > 0.3 AND b > 0.3", "yes", within_ranges=True)
    assert all(4 * value == round(4 * value) for value in (result.counterexample or {}).values())  # type: ignore[arg-type,operator]


def test_the_last_digits_stay_where_they_matter() -> None:
    one, other = parse("x > 0.30000000000000004 -> a; Default -> b"), parse("x > 0.3 -> a; Default -> b")
    result = equivalent(one, other)
    assert result.counterexample == {"x": 0.30000000000000004}


def test_plain_points_refute_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    n_plainer = 0
    for seed in range(n_cases(400)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        changed = changed_variant(rng, ruleset)
        result = equivalent(ruleset, changed, max_seconds=10)
        if not result.refuted:
            continue
        assert decide_now(ruleset, result.history).actions != decide_now(changed, result.history).actions
        with monkeypatch.context() as patch:
            patch.setattr(proving, "with_plain_values", lambda _, witness: witness)
            as_found = equivalent(ruleset, changed, max_seconds=10)
        n_plainer += str(as_found) != str(result)
    assert n_plainer
