"""Information criteria: AIC and BIC of classifiers that are always certain, as in the paper's appendix B."""

import math
from typing import NamedTuple

SMALL_PROBABILITY = 1e-15
"""The probability that a model which is always certain gives to the class it did not predict."""


class InformationCriteria(NamedTuple):
    """AIC and BIC; smaller is better."""

    aic: float
    bic: float


def information_criteria(n_wrong: float, n_parameters: int, n_points: int) -> InformationCriteria:
    """Return AIC and BIC, given the number of wrong predictions among `n_points` test points.

    A model that is always certain has the log-likelihood `n_wrong * ln(1e-15)`. Its parameters are conditions of rules,
    decision nodes of trees, or the numbers of a formula. `n_points` are the points that predictions were made for,
    which are test rows everywhere in this project. One wrong prediction weighs as much as 35 parameters in AIC.

    >>> aic, bic = information_criteria(n_wrong=1, n_parameters=5, n_points=45)
    >>> round(aic, 2), round(bic, 2)
    (79.08, 88.11)
    """
    if n_points < 1 or not 0 <= n_wrong <= n_points:
        raise ValueError(f"n_wrong must be between 0 and n_points, which is 1 or more, got {n_wrong} and {n_points}")
    deviance = -2.0 * n_wrong * math.log(SMALL_PROBABILITY)
    return InformationCriteria(2 * n_parameters + deviance, math.log(n_points) * n_parameters + deviance)
