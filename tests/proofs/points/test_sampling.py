"""Random points refute what is false, never what is true, and are the same each time."""

from random import Random

import pytest

from domains import random_ruleset
from evoter.proofs import equivalent
from evoter.proofs.budget import Budget
from evoter.proofs.claims import NoDifference
from evoter.proofs.points.sampling import sampled_witness
from evoter.proofs.problem import Problem
from evoter.rules.interpreter import decide_now
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from laws import n_cases
from pairs import changed_variant, equal_variant


def found(one: RuleSet, other: RuleSet) -> dict[str, object] | None:
    witness = sampled_witness(Problem(NoDifference(), [one, other]), Budget(60.0))
    return None if witness is None else dict(witness.points[0])


def test_equal_rule_sets_are_never_told_apart_and_others_often() -> None:
    n_refuted = n_told = 0
    for seed in range(n_cases(400)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        if ruleset.rules:
            assert found(ruleset, equal_variant(rng, ruleset)) is None, seed
        changed = changed_variant(rng, ruleset)
        told = found(ruleset, changed) is not None
        refuted = equivalent(ruleset, changed, max_seconds=10).refuted
        assert refuted or not told, seed
        n_refuted, n_told = n_refuted + refuted, n_told + told
    assert n_told > n_refuted / 2


def test_rules_that_differ_are_looked_at_first() -> None:
    same = "; ".join(f"x{k} > {k} -> 0.5*a" for k in range(30))
    one, other = (parse(f"{same}; y + 2*z > 190 -> {c}*b; Default -> a", mode="vote") for c in (0.9, 0.1))
    point = found(one, other)
    assert point is not None
    assert point == found(one, other)
    rows = [{**point}]
    assert decide_now(one, rows).action != decide_now(other, rows).action  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["Default -> a", "x > 1 -> a; Default -> a"])
def test_there_may_be_nothing_to_find(text: str) -> None:
    assert found(parse(text), parse(text)) is None
