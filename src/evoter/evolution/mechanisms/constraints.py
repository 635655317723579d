"""Constraints: which columns of the scores are limited, and by how much individuals exceed these limits."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from evoter.evolution.problem import Constrained, Constraint, Problem, Sampled
from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats

UNFINISHED: Final = Constraint("samples not seen", 0.0)
"""Partially evaluated individuals rank last."""


def constraints_of(problem: Problem, settings: Settings) -> tuple[Constraint, ...]:
    """Return what the columns of the scores behind the objectives mean: the task's constraints, then samples."""
    own = problem.constraints if isinstance(problem, Constrained) else ()
    on_samples = settings.sample_rounds > 1 or settings.n_age_layers > 1
    return (*own, UNFINISHED) if on_samples and isinstance(problem, Sampled) else tuple(own)


def violations(columns: Floats, constraints: Sequence[Constraint]) -> Floats:
    """Return the total excess of each individual over its limits, each as a share of the limit; NaN counts as infinite.

    A limit of 0 has no shares: what exceeds it counts as it is.

    >>> limits = [Constraint("complexity", 8), Constraint("feature_cost", 100)]
    >>> violations(np.array([[8.0, 90.0], [12.0, 100.0], [10.0, 150.0]]), limits).tolist()
    [0.0, 0.5, 0.75]
    """
    total = np.zeros(len(columns))
    for column, constraint in zip(columns.T, constraints, strict=True):
        excess = np.maximum(column - constraint.at_most, 0.0) / (abs(constraint.at_most) or 1.0)
        total += np.where(np.isnan(excess), np.inf, excess)
    return total
