"""The rows of a rule are divided where they differ, not where chance makes them differ, and decisions stay."""

import numpy as np
import pytest

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.record_parts import MAX_PARTS, MIN_ROWS, divide_records
from evoter.problems.classification.support import measure_support, smoothed_frequencies
from evoter.rules.answers.track_record import RecordPart
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema

SCHEMA = Schema(
    [Feature("x", low=0, high=10), Feature("c", Kind.CATEGORICAL, categories=("u", "v", "w"))], ("no", "yes")
)
RULES = parse("x > 5 AND c != u -> yes; Default -> no", SCHEMA)


def task(chance: Floats, x: Floats, c: Ints | None = None, seed: int = 0) -> ClassificationProblem:
    """Rows of both features whose class is 1 with certain probabilities."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, len(x)) if c is None else c
    return ClassificationProblem(SCHEMA, np.array([x, codes]), (rng.random(len(x)) < chance).astype(np.int64))


def divided(problem: ClassificationProblem, ruleset: RuleSet = RULES) -> list[tuple[RecordPart, ...]]:
    return divide_records(ruleset, problem, smoothed_frequencies(measure_support(ruleset, problem), problem))


def test_rows_that_lie_deep_inside_a_rule_are_told_from_those_at_its_border() -> None:
    x = np.random.default_rng(1).uniform(0.0, 10.0, 2_000)
    rule, default = divided(task(np.clip((x - 2.0) / 8.0, 0.0, 1.0), x))
    assert 2 <= len(rule) <= MAX_PARTS
    assert 2 <= len(default) <= MAX_PARTS
    shares = [part.probabilities[1] for part in rule]
    assert max(shares) > 0.9
    assert min(shares) < 0.65
    assert {condition.left.feature for part in rule for condition in part.conditions} == {"x"}


def test_categories_are_grouped_by_what_they_tell() -> None:
    rng = np.random.default_rng(2)
    c = rng.integers(0, 3, 2_000)
    rules = parse("c in {u, v} -> no; Default -> yes", SCHEMA)
    first, _ = divided(task(np.where(c == 0, 0.05, np.where(c == 1, 0.4, 0.9)), rng.uniform(0, 10, 2_000), c), rules)
    assert [[condition.right for condition in part.conditions] for part in first] == [["u"], []]


def test_chance_divides_nothing() -> None:
    n_parts = 0
    for seed in range(40):
        x = np.random.default_rng(seed).uniform(0.0, 10.0, 300)
        problem = task(np.where(x > 5.0, 0.8, 0.2), x, seed=seed)
        n_parts += sum(len(parts) > 0 for parts in divided(problem, parse("x > 5 -> yes; Default -> no", SCHEMA)))
    assert n_parts <= 4, "of 80 rules whose rows do not differ"


@pytest.mark.parametrize("seed", range(5))
def test_parts_are_large_enough_and_keep_the_decision(seed: int) -> None:
    x = np.random.default_rng(seed).uniform(0.0, 10.0, 500)
    problem = task(np.clip(x / 10.0, 0.0, 1.0), x, seed=seed)
    shares = smoothed_frequencies(measure_support(RULES, problem), problem)
    for parts, decided, of_rule in zip(divide_records(RULES, problem, shares), (1, 0), shares, strict=True):
        for part in parts:
            assert part.cases >= MIN_ROWS
            if of_rule[decided] > 0.5:
                assert np.argmax(part.probabilities) == decided


def test_missing_values_belong_to_the_part_without_a_condition() -> None:
    x = np.random.default_rng(3).uniform(0.0, 10.0, 1_000)
    chance = np.clip(x / 10.0, 0.0, 1.0)
    x[::4] = np.nan
    default = divided(task(chance, x))[-1]
    assert default[-1].cases >= 250
