"""Tests of differences between two models on the same rows, and their correction for several models."""

import math
from collections.abc import Sequence
from typing import NamedTuple

_PSEUDO = 0.5
"""Added to each of the four cells of a class (Agresti and Min, 2005), because the variance of few rows may be 0."""


class Discordant(NamedTuple):
    """The rows of one class, and on how many of them only the first model is correct, or only the other one."""

    n_rows: int
    n_wins: int
    n_losses: int


def mcnemar_p_value(counts: Sequence[Discordant]) -> float:
    """Return the two-sided p-value of McNemar's exact test of whether two models are equally often correct.

    >>> round(mcnemar_p_value([Discordant(20, 9, 3)]), 4)
    0.146
    """
    from scipy.stats import binomtest

    n_wins, n_losses = sum(each.n_wins for each in counts), sum(each.n_losses for each in counts)
    return float(binomtest(n_wins, n_wins + n_losses).pvalue) if n_wins + n_losses else 1.0


def balanced_p_value(counts: Sequence[Discordant]) -> float:
    """Return the two-sided p-value of the hypothesis that two models have the same balanced accuracy.

    It is that of a paired z-test within each class: models may differ in opposite directions in different classes,
    and still have the same balanced accuracy.

    >>> round(balanced_p_value([Discordant(39, 29, 0), Discordant(336, 0, 166)]), 4)
    0.0069
    """
    difference = variance = 0.0
    for each in counts:
        n_rows = each.n_rows + 4 * _PSEUDO
        mean = (each.n_wins - each.n_losses) / n_rows
        difference += mean
        variance += ((each.n_wins + each.n_losses + 2 * _PSEUDO) / n_rows - mean**2) / n_rows
    return math.erfc(abs(difference) / math.sqrt(2 * variance))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's method, in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda each: p_values[each])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected
