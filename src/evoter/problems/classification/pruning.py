"""What the rules of the best rule set do on the training rows, and its final form and probabilities from that."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import deciding_rules
from evoter.rules.model import RuleSet

SMOOTHING = 1.0
"""The weight of the overall class frequencies, in rows, beside those that a rule decided."""

TINY = 1e-9
"""The variance to use where every row is decided correctly, and there is none."""


class Support(NamedTuple):
    """Per rule, the default last: rows it held on, rows it decided, and the class weights and classes of the latter."""

    times_applied: Ints
    times_decided: Ints
    weights: Floats
    labels: Ints


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
        weights[number] = np.bincount(problem.classes[rows], problem.row_weights[rows], len(actions))
        labels[number] = np.bincount(problem.classes[rows], minlength=len(actions))
    return Support(applied, deciding.sum(axis=0), weights, labels)


def majority_actions(ruleset: RuleSet, problem: ClassificationProblem) -> RuleSet:
    """Give every rule, and the default, the class with the largest weight among the rows it decides.

    Ties go to the class with the larger weight among all rows, then to the first one, in agreement with the
    probabilities of `smoothed_frequencies`. Pinned rules keep their actions.
    """
    weights = measure_support(ruleset, problem).weights
    actions = ruleset.schema.actions
    overall = _class_totals(problem, len(actions))

    def majority(row: Floats) -> str:
        return max(actions, key=lambda action: (row[actions.index(action)], overall[actions.index(action)]))

    rules = tuple(
        rule if rule.pinned else replace(rule, action=majority(row))
        for rule, row in zip(ruleset.rules, weights[:-1], strict=True)
    )
    return ruleset.replace(rules=rules, default=majority(weights[-1]))


def prune_insignificant(ruleset: RuleSet, problem: ClassificationProblem, significance: float) -> RuleSet:
    """Remove conditions and rules, one at a time, that do not improve the training rows significantly.

    Without a condition, some rows become correct (a total weight of `won`) and others become wrong (`lost`). It stays
    if `lost - won` exceeds `significance` standard deviations of what chance would give: the root of `lost + won` where
    half of all decisions are correct (McNemar's test), and less where decisions are so reliable that even a few rows
    are significant. Whole rules are tested like conditions. Pinned rules stay.
    """
    while True:
        right = problem.decide(ruleset).actions == problem.classes
        accuracy = np.average(right, weights=problem.row_weights)
        chance = 4.0 * accuracy * (1.0 - accuracy)
        best, best_score = ruleset, significance
        for smaller in one_less(ruleset):
            still = problem.decide(smaller).actions == problem.classes
            lost = problem.row_weights[right & ~still].sum()
            won = problem.row_weights[still & ~right].sum()
            variance = max(chance * (lost + won), TINY)
            score = (lost - won) / np.sqrt(variance) if lost + won > 0.0 else -np.inf
            if score < best_score or (score == best_score and smaller.n_conditions < best.n_conditions):
                best, best_score = smaller, score
        if best is ruleset:
            return ruleset
        ruleset = best


def one_less(ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule set without each of its rules, and without each condition of rules that have several."""
    for k, rule in enumerate(ruleset.rules):
        if rule.pinned:
            continue
        before, after = ruleset.rules[:k], ruleset.rules[k + 1 :]
        yield ruleset.replace(rules=(*before, *after))
        if len(rule.conditions) > 1:
            for c in range(len(rule.conditions)):
                conditions = rule.conditions[:c] + rule.conditions[c + 1 :]
                yield ruleset.replace(rules=(*before, replace(rule, conditions=conditions), *after))


def smoothed_frequencies(support: Support, problem: ClassificationProblem) -> Floats:
    """Return the class frequencies among the rows that each rule decided, smoothed towards the overall ones.

    The overall frequencies weigh as much as one row of weight 1, or an average row if that weighs less.
    """
    overall = _class_totals(problem, support.weights.shape[1])
    smoothing = min(SMOOTHING, float(problem.row_weights.mean()))
    totals = support.weights.sum(axis=1, keepdims=True)
    frequencies: Floats = (support.weights + smoothing * overall / overall.sum()) / (totals + smoothing)
    return frequencies


def _class_totals(problem: ClassificationProblem, n_classes: int) -> Floats:
    totals: Floats = np.bincount(problem.classes, problem.row_weights, n_classes).astype(np.float64)
    return totals
