"""Leave-one-out predictions of kernel ridge regression, class probabilities or numbers, in closed form.

The kernel is Gaussian and approximated by Nystrom's method; its width and the penalty are those with the smallest
leave-one-out error.
"""

from typing import Final

import numpy as np

from evoter.kernels.layout import Floats

N_LANDMARKS: Final = 400
"""The number of rows that the approximation of the kernel rests on."""

WIDTHS: Final = (0.25, 1.0, 4.0)
"""Inverse squared widths to try, in units of the mean squared distance of two rows."""

PENALTIES: Final = (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)

_CONSTANT: Final = 3.0
"""The value of the constant column, large enough that the penalty hardly touches its coefficient."""

_LEAST: Final = 1e-3
"""The least probability of a class."""

_SEED: Final = 0
"""A fixed seed: the landmarks belong to the task, not to the search."""


def leave_one_out(scores: Floats, indicators: Floats, weights: Floats, *, probabilities: bool = True) -> Floats:
    """Return for each row the class probabilities of models fitted to all other rows.

    Without `probabilities`, `indicators` are columns of numbers, and so are the predictions.
    """
    landmarks = np.random.default_rng(_SEED).permutation(len(scores))[:N_LANDMARKS]
    spread = 2.0 * scores.var(axis=0).sum()
    best, least = indicators, np.inf
    for width in WIDTHS:
        features = _features(scores, scores[landmarks], width / spread if spread > 0.0 else 1.0)
        for predicted in _ridge(features, indicators, weights):
            held_out = _as_probabilities(predicted) if probabilities else predicted
            error = float(np.average(((held_out - indicators) ** 2).sum(axis=1), weights=weights))
            if error < least:
                best, least = held_out, error
    return best


def _features(scores: Floats, landmarks: Floats, factor: float) -> Floats:
    """Map rows so that their inner products approximate the kernel, and add a constant column."""
    values, vectors = np.linalg.eigh(_gaussian(landmarks, landmarks, factor))
    kept = values > 1e-6 * values.max()
    mapped = _gaussian(scores, landmarks, factor) @ (vectors[:, kept] / np.sqrt(values[kept]))
    return np.column_stack([mapped, np.full(len(mapped), _CONSTANT)])


def _gaussian(first: Floats, second: Floats, factor: float) -> Floats:
    squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1) - 2.0 * first @ second.T
    similarities: Floats = np.exp(-factor * np.maximum(squares, 0.0))
    return similarities


def _ridge(features: Floats, indicators: Floats, weights: Floats) -> list[Floats]:
    """Return the leave-one-out predictions for each penalty."""
    roots = np.sqrt(weights / weights.mean())[:, None]
    values, vectors = np.linalg.eigh((features * roots).T @ (features * roots))
    rotated = (features * roots) @ vectors
    products = rotated.T @ (indicators * roots)
    results = []
    for penalty in PENALTIES:
        shrunk = rotated / (np.maximum(values, 0.0) + penalty)
        leverages = np.minimum((shrunk * rotated).sum(axis=1), 0.999)[:, None]
        fitted = (shrunk @ products) / roots
        results.append((fitted - leverages * indicators) / (1.0 - leverages))
    return results


def _as_probabilities(predicted: Floats) -> Floats:
    bounded = np.clip(predicted, _LEAST, 1.0)
    probabilities: Floats = bounded / bounded.sum(axis=1, keepdims=True)
    return probabilities
