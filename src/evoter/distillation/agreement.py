"""How much of the numbers of one model another one explains."""

from typing import Final, NamedTuple

import numpy as np
from sklearn.metrics import r2_score

from evoter.kernels.layout import Floats

N_RESAMPLED: Final = 1_000
_SEED: Final = 0


class Explained(NamedTuple):
    """The share of the variance of some numbers that predictions explain (R2), with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    n_rows: int

    @classmethod
    def of(cls, numbers: Floats, predictions: Floats) -> "Explained":
        """Compare predictions with numbers; the interval resamples rows.

        >>> Explained.of(np.arange(10.0), np.arange(10.0))
        Explained(value=1.0, low=1.0, high=1.0, n_rows=10)
        """
        rng = np.random.default_rng(_SEED)
        drawn = rng.integers(0, len(numbers), (N_RESAMPLED, len(numbers)))
        resampled, errors = numbers[drawn], (numbers - predictions)[drawn]
        variance = np.maximum(resampled.var(axis=1), 1e-300)
        low, high = np.quantile(1.0 - (errors**2).mean(axis=1) / variance, (0.025, 0.975))
        return cls(float(r2_score(numbers, predictions)), float(low), float(high), len(numbers))
