"""Fitness from counts: each measure turns the confusion matrices of a whole population into scores at once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints


class Counts(NamedTuple):
    """Weighted confusion matrices [individual, predicted, true], summed log-losses, and the true class totals.

    Where there are many classes, a matrix has a row for each class that an individual can predict only: `predicted`
    [individual, row] says which, or -1 for rows that it does not need.
    """

    confusion: Floats
    log_loss: Floats
    totals: Floats
    predicted: Ints | None = None


def accuracy(counts: Counts) -> Floats:
    """Return the (weighted) fraction of rows that are decided correctly."""
    scores: Floats = _hits(counts).sum(axis=1) / counts.totals.sum()
    return scores


def balanced_accuracy(counts: Counts) -> Floats:
    """Return the mean recall over the classes that occur."""
    present = counts.totals > 0
    scores: Floats = (_hits(counts)[:, present] / counts.totals[present]).mean(axis=1)
    return scores


def f1_macro(counts: Counts) -> Floats:
    """Return the unweighted mean of the F1 scores of the classes that occur or are predicted."""
    both = _predictions(counts) + counts.totals
    scores = np.divide(2 * _hits(counts), both, out=np.zeros_like(both), where=both > 0)
    means: Floats = scores.sum(axis=1) / (both > 0).sum(axis=1)
    return means


def matthews(counts: Counts) -> Floats:
    """Return the Matthews correlation (Gorodkin's for several classes); 0 if predictions or classes are constant."""
    predicted, true = _predictions(counts), counts.confusion.sum(axis=1)
    # Summed from the margins themselves, so that a constant margin has a spread of exactly 0, without rounding errors.
    n_predicted, n_true = predicted.sum(axis=1), true.sum(axis=1)
    covariance = _hits(counts).sum(axis=1) * n_true - (predicted * true).sum(axis=1)
    spread = (n_predicted**2 - (predicted**2).sum(axis=1)) * (n_true**2 - (true**2).sum(axis=1))
    constant = spread <= 0
    scores: Floats = np.where(constant, 0.0, covariance) / np.sqrt(np.where(constant, 1.0, spread))
    return scores


def log_loss(counts: Counts) -> Floats:
    """Return the mean negative logarithm of the probability that decisions gave to the true class."""
    losses: Floats = counts.log_loss / counts.totals.sum()
    return losses


def expected_cost(counts: Counts, costs: Floats) -> Floats:
    """Return the mean cost of decisions, where `costs[true, predicted]` is the cost of one."""
    if counts.predicted is None:
        sums = np.einsum("ipt,tp->i", counts.confusion, costs)
    else:  # rows that are not needed are 0
        by_row = [costs.T[predicted] for predicted in counts.predicted.T]
        sums = np.sum([np.einsum("it,it->i", counts.confusion[:, k], row) for k, row in enumerate(by_row)], axis=0)
    means: Floats = sums / counts.totals.sum()
    return means


def _hits(counts: Counts) -> Floats:
    """Return how much of each class every individual decides correctly."""
    if counts.predicted is None:
        return np.diagonal(counts.confusion, axis1=1, axis2=2)
    own = np.take_along_axis(counts.confusion, np.maximum(counts.predicted, 0)[:, :, None], axis=2)[:, :, 0]
    return _spread(own, counts)


def _predictions(counts: Counts) -> Floats:
    """Return how much every individual gives to each class."""
    sums: Floats = counts.confusion.sum(axis=2)
    return sums if counts.predicted is None else _spread(sums, counts)


def _spread(values: Floats, counts: Counts) -> Floats:
    """Return values of the rows of the matrices by class, 0 for classes that an individual cannot predict."""
    assert counts.predicted is not None
    spread = np.zeros((len(values), len(counts.totals)))
    individuals, rows = np.nonzero(counts.predicted >= 0)
    spread[individuals, counts.predicted[individuals, rows]] = values[individuals, rows]
    return spread


MEASURES: dict[str, tuple[Objective, Callable[[Counts], Floats]]] = {
    "accuracy": (Objective("accuracy"), accuracy),
    "balanced_accuracy": (Objective("balanced_accuracy"), balanced_accuracy),
    "f1_macro": (Objective("f1_macro"), f1_macro),
    "matthews": (Objective("matthews"), matthews),
    "log_loss": (Objective("log_loss", maximise=False), log_loss),
}
"""The measures that are computed from counts alone."""
