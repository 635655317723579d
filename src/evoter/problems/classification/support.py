"""What the rules of the best rule set do on the training rows, and its actions and probabilities from that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.frequencies import smooth
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import deciding_rules
from evoter.rules.model import Rule, RuleSet


class Support(NamedTuple):
    """Per rule, the default last: rows it held on and rows it decided; of the latter, class weights and labels.

    `n_right` is the number of rows whose class is decided.
    """

    times_applied: Ints
    times_decided: Ints
    weights: Floats
    labels: Ints
    n_right: int


def measure_support(ruleset: RuleSet, problem: ClassificationProblem) -> Support:
    """Count on the rows of a problem what each rule of a rule set does; its schema is the problem's.

    Under vote, every active rule whose action won has decided.
    """
    decisions = problem.decide(ruleset)
    none_active = ~decisions.active.any(axis=1)
    applied = np.append(decisions.active.sum(axis=0), none_active.sum())
    actions = ruleset.schema.actions
    deciding = deciding_rules(ruleset, decisions.active, decisions.deciders)
    weights = np.zeros((deciding.shape[1], len(actions)))
    labels = np.zeros(weights.shape, np.int64)
    for number, rows in enumerate(deciding.T):
        weights[number] = problem.class_weights(rows)
        labels[number] = np.bincount(problem.classes[rows], minlength=len(actions))
    n_right = int(np.count_nonzero(decisions.actions == problem.classes))
    return Support(applied, deciding.sum(axis=0), weights, labels, n_right)


def majority_actions(ruleset: RuleSet, problem: ClassificationProblem) -> RuleSet:
    """Give every rule, and the default, the class with the largest weight among the rows it decides.

    Ties go to the class with the larger weight among all rows, then to the first one, in agreement with the
    probabilities of `smoothed_frequencies`. Pinned rules keep their actions, and others get only actions that the
    guardrails permit.
    """
    weights = measure_support(ruleset, problem).weights
    actions, rails = ruleset.schema.actions, problem.guardrails
    overall = problem.class_weights()

    def majority(row: Floats, among: Sequence[str]) -> str:
        return max(among, key=lambda action: (row[actions.index(action)], overall[actions.index(action)]))

    def permitted(rule: Rule) -> Sequence[str]:
        if not rails:
            return actions
        return [each for each in actions if each == rule.action or rails.permits(replace(rule, action=each))]

    rules = tuple(
        rule if rule.pinned else replace(rule, action=majority(row, permitted(rule)))
        for rule, row in zip(ruleset.rules, weights[:-1], strict=True)
    )
    return ruleset.replace(rules=rules, default=majority(weights[-1], rails.free_actions))


def smoothed_frequencies(support: Support, problem: ClassificationProblem) -> Floats:
    """Return the class frequencies among the rows that each rule decided, smoothed towards the overall ones."""
    return smooth(support.weights, problem.class_weights(), len(problem.classes))
