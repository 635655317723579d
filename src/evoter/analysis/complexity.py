"""How large a fitted model is: conditions of rules, decision nodes of trees, parameters of linear models."""

from typing import Any

import numpy as np

from evoter.rules.model import RuleSet


def complexity_of(model: Any) -> int:
    """Return the number of conditions of rules, of decision nodes of trees, or else of parameters that are not zero.

    A pipeline is as large as its last step, and an ensemble as all of its members together.

    >>> from evoter.rules.parser import parse
    >>> complexity_of(parse("x > 1 AND y > 2 -> a; Default -> b"))
    2
    """
    ruleset = model if isinstance(model, RuleSet) else getattr(model, "ruleset_", None)
    if isinstance(ruleset, RuleSet):
        return ruleset.n_conditions
    if hasattr(model, "tree_"):
        return int(model.tree_.node_count - model.tree_.n_leaves)
    if hasattr(model, "best_estimator_"):
        return complexity_of(model.best_estimator_)
    if hasattr(model, "steps"):
        return complexity_of(model.steps[-1][1])
    if hasattr(model, "estimators_"):
        return sum(complexity_of(member) for member in np.ravel(np.array(model.estimators_, dtype=object)))
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_) + np.count_nonzero(getattr(model, "intercept_", 0)))
    raise ValueError(
        f"the size of {type(model).__name__} is not known: fit it, or pass complexity=, a function of the model"
    )
