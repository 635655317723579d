"""Constants with fewer digits: proved by the step of a feature, or checked on rows, and never passed off as the other."""

import time
from math import isfinite
from random import Random

import pytest

from domains import random_histories, random_ruleset
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.rules.shorten import Guarantee, plain_constants, shorten
from evoter.rules.simplify import simplify
from evoter.rules.values import term_value
from laws import n_cases
from project import PACKAGE

BIRD = "0.76*player.vel > -0.98 [-8..10] -> flap; Default -> no flap"
WHOLE = "where\n player.vel: numeric [-8..10], step 1\n actions: flap | no flap"


def test_every_condition_holds_on_the_same_rows_as_before() -> None:
    changed = 0
    for seed in range(n_cases(2_000)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
        rows = [history[-1] for history in random_histories(rng, conditions, ruleset.schema, 12)]
        shorter = shorten(ruleset, rows)
        before, after = decide_table(ruleset, rows), decide_table(shorter.ruleset, rows)
        assert before.decisions == after.decisions, seed
        assert before.times_applied == after.times_applied, seed
        assert shorter.guarantee is Guarantee.ON_THESE_ROWS
        changed += shorter.ruleset != ruleset
    assert changed > n_cases(2_000) // 4


def test_plain_constants_hold_for_the_same_numbers_whatever_the_power_and_the_sign() -> None:
    changed = 0
    schema = Schema([Feature("x", low=-9.0, high=9.0)], actions=["a", "b"])
    for seed in range(n_cases(2_000)):
        rng = Random(seed)
        numbers = sorted({rng.choice([-1e200, -2.5, -1.0, 0.0, 1.0, 3.0, 1e200, rng.gauss(0, 3)]) for _ in range(20)})
        left = Term("x", rng.choice([-0.5, 0.0, 0.37, 1.0, 2.0]), rng.choice([1, 2, 3]))
        right = rng.choice(
            [0.0, term_value(rng.choice(numbers), left, schema.feature("x"), scale=False), rng.gauss(0, 9)]
        )
        condition = Condition(left, rng.choice(["<", "<=", ">", ">=", "=", "!="]), right if isfinite(right) else 1.0)
        ruleset = RuleSet([Rule([condition], "a")], "b", schema)
        plain = plain_constants(ruleset, {"x": numbers}.__getitem__)
        rows = [{"x": number} for number in numbers]
        assert decide_table(plain, rows).decisions == decide_table(ruleset, rows).decisions, seed
        changed += plain != ruleset
    assert changed > n_cases(2_000) // 4


def test_plain_constants_look_at_few_of_many_numbers() -> None:
    numbers = [number / 1_000 for number in range(-500_000, 500_000)]
    rules = parse("; ".join(f"0.17*y^3 <= {bound} -> flap" for bound in range(100)) + "; Default -> wait")
    begin = time.process_time()
    assert plain_constants(rules, lambda _: numbers) != rules
    assert time.process_time() - begin < 20.0


def test_without_rows_nothing_changes_anywhere_in_the_domain() -> None:
    for seed in range(n_cases(2_000)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
        rows = [history[-1] for history in random_histories(rng, conditions, ruleset.schema, 12)]
        shorter = shorten(ruleset)
        assert shorter.guarantee is Guarantee.EVERYWHERE
        assert decide_table(ruleset, rows).decisions == decide_table(shorter.ruleset, rows).decisions, seed


def test_the_step_of_a_feature_makes_its_constants_short() -> None:
    rules = parse(f"{BIRD}\n{WHOLE}")
    assert str(simplify(rules)).startswith("1. player.vel >= -1 -> flap\n")
    assert shorten(rules).still_long == ()


def test_a_continuous_feature_keeps_its_digits_and_the_result_says_so() -> None:
    found = shorten(parse(BIRD))
    assert found.ruleset.rules[0].conditions[0].right == -1.289473684210526
    (sentence,) = found.still_long
    assert sentence == (
        "player.vel >= -1.289473684210526: 'player.vel' is continuous, so that a shorter number would change some "
        "decision; declare its step, or give rows"
    )


def test_rows_make_constants_short_but_prove_less() -> None:
    found = shorten(parse(BIRD), [{"player.vel": -2.5}, {"player.vel": -1.1}, {"player.vel": 4}])
    assert str(found.ruleset).startswith("1. player.vel >= -2 -> flap\n")
    assert (found.guarantee, found.still_long) == (Guarantee.ON_THESE_ROWS, ())


def test_rows_outside_the_range_of_the_schema_are_kept_as_well() -> None:
    rules = parse("x^2 > 4.000001 -> a; Default -> b; where x: numeric [0..9]; actions: a | b")
    rows = [{"x": -3.0}, {"x": 1.0}, {"x": 5.0}]
    assert decide_table(shorten(rules, rows).ruleset, rows).decisions == decide_table(rules, rows).decisions


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ('pinned: x > 1.23456789 -> a', "its rule is pinned and stays as it is"),
        ("x = 1.23456789 -> a", "only numbers that divide larger from smaller values can be shortened"),
        ("x > 1.23456789 -> a", "values of 'x' lie too close to it on both sides"),
    ],
)  # fmt: skip
def test_long_constants_that_stay_have_a_reason(condition: str, reason: str) -> None:
    rules = parse(f"{condition}; Default -> b")
    (sentence,) = shorten(rules, [{"x": 1.234567889}, {"x": 1.234567891}]).still_long
    assert sentence.endswith(f": {reason}")


def test_the_figure_of_flappy_bird_has_short_numbers() -> None:
    figure = parse((PACKAGE / "rules" / "figures" / "flappy_bird.rules").read_text(encoding="utf-8"))
    simple = simplify(figure)
    constants = [each.right for rule in simple.rules for each in rule.conditions if isinstance(each.right, float)]
    assert constants == [-1.0, -1.0]
    assert shorten(simple).still_long == ()
