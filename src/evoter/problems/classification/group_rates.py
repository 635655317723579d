"""Rates of decisions and of errors by group, from counts: what audits report and constraints of learners limit."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats

N_CELLS: Final = 5
TRUE_NEGATIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_POSITIVE, RIGHT = range(N_CELLS)
"""What rows are counted as, given a class: by label and decision, and, whatever the class, whether they are right.

The number of the first four is that of a row, twice whether the decision is the class plus whether the label is.
"""


class Rate(NamedTuple):
    """A share: the cells that are counted, and those that they are a part of."""

    counted: tuple[int, ...]
    among: tuple[int, ...]


_ALL = (TRUE_NEGATIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_POSITIVE)
_POSITIVES, _NEGATIVES = (FALSE_NEGATIVE, TRUE_POSITIVE), (TRUE_NEGATIVE, FALSE_POSITIVE)
_SELECTED = (FALSE_POSITIVE, TRUE_POSITIVE)

RATES: Final[dict[str, Rate]] = {
    "selection_rate": Rate(_SELECTED, _ALL),
    "accuracy": Rate((RIGHT,), _ALL),
    "true_positive_rate": Rate((TRUE_POSITIVE,), _POSITIVES),
    "false_negative_rate": Rate((FALSE_NEGATIVE,), _POSITIVES),
    "false_positive_rate": Rate((FALSE_POSITIVE,), _NEGATIVES),
    "true_negative_rate": Rate((TRUE_NEGATIVE,), _NEGATIVES),
    "precision": Rate((TRUE_POSITIVE,), _SELECTED),
}
"""All rates by name; all but the first need labels."""


def rate_counts(cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return for counts [..., cell] how many rows are counted and among how many, [..., rate] in the order of `RATES`.

    >>> counted, among = rate_counts(np.array([5, 2, 1, 4, 9]))
    >>> dict(zip(RATES, zip(counted.tolist(), among.tolist()), strict=True))["false_negative_rate"]
    (2, 6)
    """
    selectors = np.zeros((2, N_CELLS, len(RATES)), cells.dtype)
    for number, rate in enumerate(RATES.values()):
        selectors[0, list(rate.counted), number] = 1
        selectors[1, list(rate.among), number] = 1
    return cells @ selectors[0], cells @ selectors[1]


def cells_of(confusion: Floats, code: int) -> Floats:
    """Return counts [..., cell] about a class from confusion matrices [..., decision, label]."""
    total = confusion.sum(axis=(-2, -1))
    selected, labelled = confusion[..., code, :].sum(axis=-1), confusion[..., :, code].sum(axis=-1)
    hits = confusion[..., code, code]
    right = np.trace(confusion, axis1=-2, axis2=-1)
    return np.stack([total - selected - labelled + hits, labelled - hits, selected - hits, hits, right], axis=-1)


def spread(counted: Floats, among: Floats, *, as_ratio: bool = False) -> Floats:
    """Return how far the shares of groups [..., group] are apart: the largest less the smallest, or their ratio.

    Groups without rows to count have no share and are left out. Where fewer than two are left, or all shares are 0, the
    difference is 0 and the ratio 1.

    >>> spread(np.array([3.0, 1.0, 0.0]), np.array([4.0, 4.0, 0.0]))
    array(0.5)
    """
    known = among > 0
    shares = np.divide(counted, among, out=np.zeros(np.broadcast_shapes(counted.shape, among.shape)), where=known)
    high = np.where(known, shares, 0.0).max(axis=-1, initial=0.0)
    low = np.where(known, shares, 1.0).min(axis=-1, initial=1.0)
    several = known.sum(axis=-1) > 1
    if as_ratio:
        ratio: Floats = np.divide(low, high, out=np.ones_like(high), where=several & (high > 0))
        return ratio
    difference: Floats = np.where(several, high - low, 0.0)
    return difference
