"""Rule sets cost what the features of their living rules cost, each once."""

import numpy as np

from evoter.genome.codec import encode
from evoter.kernels.prices import price_features
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
