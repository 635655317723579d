"""Rewards: what an action on a row adds to a score that is a sum over rows, and how uncertain such a score is."""

import numpy as np

from evoter.kernels.layout import Floats, Ints

STEPS = 2.0**24
"""The resolution of rewards: fine enough for any weights of classes, coarse enough to add up millions exactly."""

_SEED = 0
"""A fixed seed: the sampled rows belong to the task, not to the search."""


def rewards_by_class(measure: object, class_weight: Floats, n_by_class: Floats) -> Floats | None:
    """Return what an action adds to the score on a row of weight 1, by class; None if the score is no such sum."""
    totals = class_weight * n_by_class
    share = class_weight / totals.sum()
    if isinstance(measure, np.ndarray):
        rewards: Floats = -measure * share[:, None]
        return rewards
    if measure == "accuracy":
        return np.diag(share)
    if measure == "balanced_accuracy":
        present = totals > 0
        recalls = np.divide(class_weight, totals, out=np.zeros_like(share), where=present)
        return np.diag(recalls / present.sum())
    return None


def score_range(rewards: Floats | None, n_by_class: Floats) -> float:
    """Return how far decisions can move the score: 1 for an accuracy, for costs what their matrix leaves open."""
    return 1.0 if rewards is None else float(n_by_class @ np.ptp(rewards, axis=1))


def uncertainty(rewards: Floats | None, n_by_class: Floats, n_distinct: int) -> float:
    """Return how far chance may move a score, in the unit of the score, given the number of distinct rows.

    For accuracy it is one over their root. Where rows count differently it is the root of the sum of squares of what is
    at stake on each: a balanced accuracy with a rare class, or a cost matrix with one expensive error, is less certain.

    >>> uncertainty(np.diag([0.01, 0.01]), np.array([90.0, 10.0]), 100)
    0.1
    >>> round(uncertainty(np.diag([0.5 / 90, 0.5 / 10]), np.array([90.0, 10.0]), 100), 3)
    0.167
    """
    if rewards is None:
        return float(1.0 / np.sqrt(n_distinct))
    squares = n_by_class @ np.ptp(rewards, axis=1) ** 2
    return float(np.sqrt(squares * n_by_class.sum() / n_distinct))


def sample_by_class(classes: Ints, n_rows: int) -> tuple[Ints, Floats]:
    """Draw at most `n_rows` rows at random; return them in order, and how many rows each of them represents.

    Half of them are allocated in proportion to class sizes and half equally, so that rare classes have enough rows.
    """
    if len(classes) <= n_rows:
        return np.arange(len(classes)), np.ones(len(classes))
    generator = np.random.default_rng(_SEED)
    present, counts = np.unique(classes, return_counts=True)
    wanted = np.maximum(n_rows * (counts / len(classes) + 1.0 / len(present)) / 2.0, 1.0).astype(np.int64)
    drawn = np.minimum(wanted, counts)
    parts = [
        np.sort(generator.choice(np.flatnonzero(classes == c), n, replace=False))
        for c, n in zip(present, drawn, strict=True)
    ]
    return np.concatenate(parts), np.repeat(counts / drawn, drawn)
