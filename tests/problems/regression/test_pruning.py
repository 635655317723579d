"""Conditions that the rows do not need are left out, and no others."""

import numpy as np

from evoter.problems.regression.problem import RegressionProblem
from evoter.problems.regression.pruning import prune_unneeded
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema, Target


def test_what_gains_less_than_its_price_goes() -> None:
    x = np.arange(100.0)
    problem = RegressionProblem(
        Schema([Feature("x"), Feature("z")], target=Target()),
        np.array([x, x % 7]),
        np.where(x > 49, 5.0, 1.0),
        linear=False,
    )
    needed, needless = Condition(Term("x"), ">", 49.5), Condition(Term("z"), "<", 8)
    sliver = Rule([Condition(Term("x"), ">", 98.5)], "1")
    rules = RuleSet([sliver, Rule([needed, needless], "1")], "0", problem.schema)
    pruned = prune_unneeded(rules, problem, 0.01)
    assert [rule.conditions for rule in pruned.rules] == [(needed,)]
    assert prune_unneeded(rules, problem, 1.5).rules == ()
