"""Fitness from counts: each measure turns the confusion matrices of a whole population into scores at once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats


class Counts(NamedTuple):
    """Weighted confusion matrices [individual, predicted, true], summed log-losses, and the true class totals."""

    confusion: Floats
    log_loss: Floats
    totals: Floats


def accuracy(counts: Counts) -> Floats:
    """Return the (weighted) part of rows decided rightly."""
    return _hits(counts).sum(axis=1) / counts.totals.sum()


def balanced_accuracy(counts: Counts) -> Floats:
    """Return the mean recall over the classes that occur."""
    present = counts.totals > 0
    return (_hits(counts)[:, present] / counts.totals[present]).mean(axis=1)


def f1_macro(counts: Counts) -> Floats:
    """Return the unweighted mean of the classes' F1 scores; a class neither present nor predicted counts 0."""
    both = counts.confusion.sum(axis=2) + counts.totals
    return np.divide(2 * _hits(counts), both, out=np.zeros_like(both), where=both > 0).mean(axis=1)


def matthews(counts: Counts) -> Floats:
    """Return the Matthews correlation (Gorodkin's for several classes); 0 where a side is constant."""
    predicted = counts.confusion.sum(axis=2)
    total = counts.totals.sum()
    covariance = _hits(counts).sum(axis=1) * total - predicted @ counts.totals
    spread = (total**2 - (predicted**2).sum(axis=1)) * (total**2 - (counts.totals**2).sum())
    return np.divide(covariance, np.sqrt(np.maximum(spread, 0)), out=np.zeros_like(covariance), where=spread > 0)


def log_loss(counts: Counts) -> Floats:
    """Return the mean negative logarithm of the probability that decisions gave to the true class."""
    return counts.log_loss / counts.totals.sum()


def expected_cost(counts: Counts, costs: Floats) -> Floats:
    """Return the mean cost of decisions, where `costs[true, predicted]` is the cost of one."""
    return np.einsum("ipt,tp->i", counts.confusion, costs) / counts.totals.sum()


def _hits(counts: Counts) -> Floats:
    return np.diagonal(counts.confusion, axis1=1, axis2=2)


MEASURES: dict[str, tuple[Objective, Callable[[Counts], Floats]]] = {
    "accuracy": (Objective("accuracy"), accuracy),
    "balanced_accuracy": (Objective("balanced_accuracy"), balanced_accuracy),
    "f1_macro": (Objective("f1_macro"), f1_macro),
    "matthews": (Objective("matthews"), matthews),
    "log_loss": (Objective("log_loss", maximise=False), log_loss),
}
"""The measures that need no look at single rows."""
