"""What the rules of a winner do on the training rows, and actions that follow from it."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet


class Support(NamedTuple):
    """Per rule, the default last: rows it held on, rows it decided, and the class weights of the latter."""

    times_applied: Ints
    times_decided: Ints
    weights: Floats


def measure_support(ruleset: RuleSet, problem: ClassificationProblem) -> Support:
    """Count on the rows of a problem what each rule of a rule set does; its schema is the problem's."""
    decisions = decide_columns(ruleset, problem.columns)
    n_rules = len(ruleset.rules)
    applied = np.append(decisions.active.sum(axis=0), (~decisions.active.any(axis=1)).sum())
    weights = np.zeros((n_rules + 1, len(ruleset.schema.actions)))
    np.add.at(weights, (decisions.deciders, problem.classes), problem.row_weights)
    return Support(applied, np.bincount(decisions.deciders, minlength=n_rules + 1), weights)


def majority_actions(ruleset: RuleSet, problem: ClassificationProblem) -> RuleSet:
    """Give every rule, and the default, the class that weighs most among the rows it decides; ties keep the action."""
    weights = measure_support(ruleset, problem).weights
    actions = ruleset.schema.actions

    def majority(action: str, row: Floats) -> str:
        return action if row[actions.index(action)] == row.max() else actions[int(row.argmax())]

    rules = tuple(
        rule if rule.pinned else replace(rule, action=majority(rule.action, row))
        for rule, row in zip(ruleset.rules, weights[:-1], strict=True)
    )
    return ruleset.replace(rules=rules, default=majority(ruleset.default, weights[-1]))
