"""Tests of the regions in which two rule sets differ."""

from random import Random

from domains import random_histories, random_ruleset
from evoter import parse
from evoter.proofs import differences
from evoter.rules.interpreter import decide_now
from laws import n_cases
from pairs import changed_variant


def test_regions_are_as_narrow_as_the_rules_tell() -> None:
    a = parse("pain > 7 AND age >= 18 -> opioid; pain > 3 -> ibuprofen; Default -> none")
    b = parse("pain > 7 AND age >= 21 -> opioid; pain > 2 -> ibuprofen; Default -> none")
    found = differences(a, b)
    assert found.complete
    wheres = {region.where: (region.rules_a, region.rules_b) for region in found.regions}
    assert wheres == {
        "pain > 7 and age >= 18 and age < 21": ((1,), (2,)),
        "pain > 2 and pain <= 3": ((), (2,)),
    }
    assert "they agree everywhere else" in str(found)


def test_what_conditions_cannot_say_is_said_in_words() -> None:
    found = differences(parse("x > 1 AND y > 1 -> a; Default -> b"), parse("z > 0 -> a; Default -> b"))
    wheres = {region.where for region in found.regions}
    assert "z > 0 and no rule of a holds" in wheres
    assert len(found.regions) == 2


def test_equal_rules_have_no_regions_and_a_limit_is_told() -> None:
    a = parse("x > 1 -> a; x > 0 -> b; Default -> c")
    assert not differences(a, a).regions
    some = differences(a, a.replace(rules=[]), max_regions=1)
    assert (len(some.regions), some.complete, some.reason) == (1, False, "stopped after 1")


def test_every_difference_is_in_a_region() -> None:
    """On random pairs: where two rule sets decide differently, some region has exactly the rules that decide there."""
    for seed in range(n_cases(250)):
        rng = Random(seed)
        a = random_ruleset(rng)
        b = changed_variant(rng, a)
        found = differences(a, b, within_ranges=True, max_seconds=5)
        for region in found.regions:
            assert region.actions_a != region.actions_b
        if not found.complete:
            continue
        deciding = {(region.rules_a, region.rules_b) for region in found.regions}
        conditions = [condition for each in (a, b) for rule in each.rules for condition in rule.conditions]
        for history in random_histories(rng, conditions, a.schema, 60):
            if any(value in (float("inf"), float("-inf")) for row in history for value in row.values()):
                continue
            one, other = decide_now(a, history), decide_now(b, history)
            if one.actions != other.actions:
                pair = tuple(tuple(at + 1 for at in decision.deciding) for decision in (one, other))
                assert pair in deciding, (seed, history)
