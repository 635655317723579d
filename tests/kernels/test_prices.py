"""Rule sets have the sizes of their living rules, and cost what the features of these cost, each once."""

import numpy as np

from evoter.genome.codec import encode
from evoter.kernels.prices import measure_sizes, price_features
from evoter.rules.condition import Sum
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature(name, missing=True) for name in "xyz"], ["no", "yes"], max_lag=2)


def test_each_feature_of_a_living_rule_is_paid_once() -> None:
    first = Rule([Condition(Term("x"), ">", 1.0), Condition(Term("x", lag=2), "<", Term("z"))], "yes")
    second = Rule([Condition(Term("y"), "is missing")], "no")
    rulesets = [RuleSet(rules, "no", SCHEMA) for rules in ([first, second], [second], [], [first, first])]
    population = encode(rulesets, SCHEMA)
    costs = np.empty(4)
    applied = np.ones((4, population.max_rules), np.int64)
    price_features(population, applied, np.array([1.0, 10.0, 100.0]), costs)
    assert costs.tolist() == [111.0, 10.0, 0.0, 101.0]
    applied[0, 0] = 0
    price_features(population, applied, np.array([1.0, 10.0, 100.0]), costs)
    assert costs.tolist() == [10.0, 10.0, 0.0, 101.0]


def test_a_sum_counts_as_two_conditions_and_costs_both_features() -> None:
    rule = Rule([Condition(Term("x"), "<=", Sum(Term("z", 0.5), 3.0)), Condition(Term("y"), "<", 2.0)], "yes")
    population = encode([RuleSet([rule], "no", SCHEMA)], SCHEMA)
    n_rules, n_conditions, costs = np.empty(1), np.empty(1), np.empty(1)
    applied = np.ones((1, population.max_rules), np.int64)
    measure_sizes(population, applied, n_rules, n_conditions)
    price_features(population, applied, np.array([1.0, 10.0, 100.0]), costs)
    assert (n_rules[0], n_conditions[0], costs[0]) == (1.0, 3.0, 111.0)
    assert population.complexity.tolist() == [3]


def test_dead_rules_have_no_size() -> None:
    first = Rule([Condition(Term("x"), ">", 1.0), Condition(Term("y"), "<", 2.0)], "yes")
    second = Rule([Condition(Term("y"), "is missing")], "no")
    population = encode([RuleSet(rules, "no", SCHEMA) for rules in ([first, second], [first], [])], SCHEMA)
    n_rules, n_conditions = np.empty(3), np.empty(3)
    applied = np.ones((3, population.max_rules), np.int64)
    applied[0, 1] = 0
    measure_sizes(population, applied, n_rules, n_conditions)
    assert n_rules.tolist() == [1.0, 1.0, 0.0]
    assert n_conditions.tolist() == [2.0, 2.0, 0.0]
