"""Small rule sets and fronts of them."""

import numpy as np
from numpy.typing import ArrayLike

from evoter.evolution.fronts.front import Candidate, Front, make_front
from evoter.evolution.problem import Objective
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature("x"), Feature("y")], actions=["no", "yes"])
ACCURACY = Objective("accuracy")
COMPLEXITY = Objective("complexity", maximise=False)
OBJECTIVES = (ACCURACY, COMPLEXITY)


def ruleset(n_conditions: int) -> RuleSet:
    """A rule set of so many rules with one condition each."""
    rules = [Rule([Condition(Term("x"), ">", float(k))], "yes") for k in range(n_conditions)]
    return RuleSet(rules, "no", SCHEMA)


def front(accuracies: list[float], sizes: list[int]) -> Front:
    """The front of rule sets with these accuracies and numbers of conditions."""
    return make_front([ruleset(n) for n in sizes], np.column_stack([accuracies, sizes]), OBJECTIVES)


def with_behaviours(front: Front, behaviours: ArrayLike) -> Front:
    """The same front whose candidates decide like this on the training rows."""
    rows = np.asarray(behaviours)
    candidates = [Candidate(each.ruleset, each.scores, row) for each, row in zip(front, rows, strict=True)]
    return Front(tuple(candidates), front.objectives)
