"""Losses of predicted numbers: what each row loses, which number is best for several rows, and how scores are named."""

from typing import Final, Literal

import numpy as np

from evoter.kernels.layout import Floats

Metric = Literal["squared", "absolute", "poisson", "quantile"]

SCORES: Final[dict[str, str]] = {
    "squared": "r2",
    "absolute": "d2_absolute",
    "poisson": "d2_poisson",
    "quantile": "d2_pinball",
}
"""The score that each loss is optimised as: the share of the loss of the best single number that rules save."""

_LEAST_MEAN: Final = 1e-12
"""A predicted mean of counts is at least this part of the mean of all rows: the loss of 0 may be infinite."""


def check_numbers(metric: Metric, numbers: Floats) -> None:
    """Refuse numbers for which a loss is not defined."""
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"Input y contains NaN or infinity: row {row} is {numbers[row]}; leave such rows out")
    if metric == "poisson" and (numbers.min() < 0.0 or numbers.sum() <= 0.0):
        raise ValueError(
            f"metric='poisson' is for counts and rates: y must not be negative, and some of it above 0, but it reaches "
            f"from {numbers.min():g} to {numbers.max():g}; use another metric"
        )


def row_losses(metric: Metric, quantile: float, numbers: Floats, predicted: Floats) -> Floats:
    """Return what each row loses; the arguments may be arrays of any shapes that go together."""
    difference = numbers - predicted
    losses: Floats
    if metric == "squared":
        losses = difference**2
    elif metric == "poisson":
        mean = np.maximum(predicted, _LEAST_MEAN * max(float(np.mean(numbers)), _LEAST_MEAN))
        share = np.where(numbers > 0.0, numbers, 1.0) / mean
        losses = np.where(numbers > 0.0, numbers * np.log(share), 0.0) - numbers + mean
    else:
        losses = np.maximum(quantile * difference, (quantile - 1.0) * difference)
    return losses


def best_number(metric: Metric, quantile: float, numbers: Floats, weights: Floats) -> float:
    """Return the number with the least loss on some rows: their mean, or their quantile.

    >>> best_number("quantile", 0.5, np.array([5.0, 1.0, 2.0]), np.ones(3))
    2.0
    """
    if metric in ("squared", "poisson"):
        return float(np.average(numbers, weights=weights))
    order = np.argsort(numbers, kind="stable")
    reached = np.cumsum(weights[order])
    return float(numbers[order][np.searchsorted(reached, quantile * reached[-1])])
