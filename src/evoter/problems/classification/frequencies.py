"""Measures of the probabilities that rules give, which are class frequencies: counts for each rule suffice."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from evoter.evolution.problem import Objective
from evoter.kernels.evaluation.ranking import rank_rules
from evoter.kernels.layout import ACTION, DEFAULT, Floats, Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.classification.fitness import MEASURES

SMOOTHING: Final = 1.0
"""The weight of the overall class frequencies, in rows, beside those that a rule decided."""


class Frequencies(NamedTuple):
    """The weights of the classes among the rows that rules decide, and their smoothed frequencies.

    Both are [individual, rule, class], with the default as the last rule.
    """

    weights: Floats
    smoothed: Floats


def smooth(weights: Floats, overall: Floats, n_rows: int) -> Floats:
    """Return class frequencies from weights [..., class], smoothed towards the overall weights of `n_rows` rows.

    The overall frequencies weigh as much as one row of weight 1, or an average row if that weighs less.
    """
    smoothing = min(SMOOTHING, float(overall.sum()) / n_rows)
    totals = weights.sum(axis=-1, keepdims=True)
    frequencies: Floats = (weights + smoothing * overall / overall.sum()) / (totals + smoothing)
    return frequencies


def counted_by_rule(population: Population) -> Population:
    """Return a population in which every rule, and last the default, has an action of its own: its number."""
    rules, header = population.rules.copy(), population.header.copy()
    rules[:, :, ACTION] = np.arange(population.max_rules)
    header[:, DEFAULT] = population.max_rules
    return population._replace(rules=rules, header=header)


def roc_auc(counts: Frequencies, threads: Threads) -> Floats:
    """Return the area under the ROC curve; of several classes, the mean of each against the others.

    Classes without rows are left out, and where there is nothing to tell apart, the area is 0.5.
    """
    totals = _totals(counts)
    classes = _judged(len(totals))
    classes = classes[(totals[classes] > 0) & (totals[classes] < totals.sum())]
    if len(classes) == 0:
        return np.full(len(counts.weights), 0.5)
    return _rank(counts, classes, threads)[0]


def average_precision(counts: Frequencies, threads: Threads) -> Floats:
    """Return the average precision; of several classes, the mean of each against the others.

    Classes without rows are left out, and where none is left, it is 0.
    """
    totals = _totals(counts)
    classes = _judged(len(totals))
    classes = classes[totals[classes] > 0]
    if len(classes) == 0:
        return np.zeros(len(counts.weights))
    return _rank(counts, classes, threads)[1]


def brier(counts: Frequencies, threads: Threads) -> Floats:
    """Return the mean squared error of the probabilities: of the second of two classes, or summed over several."""
    classes = _judged(counts.weights.shape[2])
    own, said = counts.weights[:, :, classes], counts.smoothed[:, :, classes]
    others = counts.weights.sum(axis=2, keepdims=True) - own
    errors: Floats = (own * (1.0 - said) ** 2 + others * said**2).sum(axis=(1, 2)) / _totals(counts).sum()
    return errors


def _negative_brier(counts: Frequencies, threads: Threads) -> Floats:
    return -brier(counts, threads)


def _judged(n_classes: int) -> Ints:
    """Return the classes that are told from the others: of two, the second one, as in scikit-learn."""
    return np.arange(1 if n_classes == 2 else 0, n_classes)


def _totals(counts: Frequencies) -> Floats:
    """Return the weights of the classes, which are the same for every individual, because each decides all rows."""
    totals: Floats = counts.weights[:1].sum(axis=(0, 1))
    return totals


def _rank(counts: Frequencies, classes: Ints, threads: Threads) -> tuple[Floats, Floats]:
    n, n_rules = counts.weights.shape[:2]
    areas, precisions = np.empty((2, n, len(classes)))
    work = float(n * len(classes) * n_rules * max(np.log2(n_rules), 1.0))
    threads.run(rank_rules, n, work, *counts, classes, areas, precisions)
    return areas.mean(axis=1), precisions.mean(axis=1)


FREQUENCY_MEASURES: Final[dict[str, tuple[Objective, Callable[[Frequencies, Threads], Floats]]]] = {
    "roc_auc": (Objective("roc_auc"), roc_auc),
    "roc_auc_ovr": (Objective("roc_auc_ovr"), roc_auc),
    "average_precision": (Objective("average_precision"), average_precision),
    "brier": (Objective("brier", maximise=False), brier),
    "neg_brier_score": (Objective("neg_brier_score"), _negative_brier),
}
"""The measures that are computed from the classes of the rows that each rule decides; the actions do not matter."""

OBJECTIVES: Final[dict[str, Objective]] = {
    name: objective for name, (objective, _) in {**MEASURES, **FREQUENCY_MEASURES}.items()
}
"""The objectives of all compiled measures by name."""
