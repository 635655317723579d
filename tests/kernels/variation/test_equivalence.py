"""Equivalent rules: the later one goes, whatever it is written like, and every decision stays."""

from dataclasses import replace

import numpy as np
import pytest

from coded import grammar_of
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import PAPER
from evoter.genome.codec import decode, encode
from evoter.kernels.variation.equivalence import drop_equivalent_rules
from evoter.problems.deciding import decide_columns
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from tasks import decoded, mixed_problem

LEGEND = (
    """where x: numeric [0..9]; y: numeric [0..9]; z: numeric [-9..9]; c: one of p | q | r | s; actions: go | stay"""
)
EQUIVALENT = [
    ("x > 4", "0.5*x > 2"),
    ("0.1*x < 0.2*y", "0.2*x < 0.4*y"),
    ("x^2 <= 4", "0.5*x^2 <= 2"),
    ("x > 4 AND y <= 2", "0.5*y <= 1 AND x > 4"),
]
DIFFERENT = [
    ("x > 4", "x >= 4"),
    ("x > 4", "x^2 > 16"),  # equal, but too hard for the quick logic
    ("x > 4", "x > 4 AND y > 1"),
    ("0.1*z < 0.2*x", "0.1*z <= 0.2*x"),
]


def pruned(ruleset: RuleSet) -> RuleSet:
    population = encode([ruleset], ruleset.schema)
    drop_equivalent_rules(0, 1, grammar_of(ruleset.schema), population)
    assert population.complexity[0] == decode(population, 0, ruleset.schema, ruleset.mode).n_conditions
    return decode(population, 0, ruleset.schema, ruleset.mode)


@pytest.mark.parametrize(("first", "second"), EQUIVALENT)
def test_the_later_of_two_equivalent_rules_goes(first: str, second: str) -> None:
    rules = parse(f"{first} -> go; y > 7 -> stay; {second} -> go; Default -> stay; {LEGEND}")
    assert pruned(rules) == rules.replace(rules=rules.rules[:2])


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_others_stay(first: str, second: str) -> None:
    rules = parse(f"{first} -> go; {second} -> go; Default -> stay; {LEGEND}")
    assert pruned(rules) == rules


def test_other_actions_and_certainties_are_other_rules() -> None:
    rules = parse(f"x > 4 -> 0.5*go; 0.5*x > 2 -> 0.5*stay; x > 4 -> 0.4*go; Default -> stay; {LEGEND}", mode="hardmax")
    assert pruned(rules) == rules


def halved(rule: Rule) -> Rule:
    """The same rule, with half of each coefficient and constant."""
    conditions = []
    for condition in rule.conditions:
        left, right = condition.left, condition.right
        if isinstance(right, Term):
            right = replace(right, coefficient=right.coefficient / 2)
        elif isinstance(right, float):
            right = right / 2
        else:
            conditions.append(condition)
            continue
        conditions.append(Condition(replace(left, coefficient=left.coefficient / 2), condition.operator, right))
    return replace(rule, conditions=tuple(conditions))


def test_what_evolution_breeds_loses_copies_and_no_decision() -> None:
    problem = mixed_problem(2)
    settings = PAPER.replace(population_size=60)
    evolution = Evolution(problem, settings, seed=3)
    for _ in range(5):
        evolution.step()
    grammar = problem.grammar(settings)
    alone = evolution.population.n_rules.copy()
    drop_equivalent_rules(0, evolution.population.size, grammar, evolution.population)
    assert np.array_equal(evolution.population.n_rules, alone), "the engine has left nothing to drop"
    rulesets = [each for each in decoded(evolution, evolution.population) if len(each.rules) <= settings.max_rules / 2]
    doubled = [each.replace(rules=(*each.rules, *map(halved, each.rules))) for each in rulesets]
    population = encode(doubled, problem.schema)
    drop_equivalent_rules(0, len(doubled), grammar, population)
    n_rules = n_left = 0
    for i, ruleset in enumerate(rulesets):
        less = decode(population, i, problem.schema, problem.mode)
        assert less.rules[: len(ruleset.rules)] == ruleset.rules
        n_rules, n_left = n_rules + len(ruleset.rules), n_left + len(less.rules) - len(ruleset.rules)
        before, after = (decide_columns(each, problem.columns).actions for each in (doubled[i], less))
        assert np.array_equal(before, after)
    assert n_left < n_rules / 2, "only equalities and features of both signs are too hard for the quick logic"
