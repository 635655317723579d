"""Columns that alone decide the target, which often means that they were not known before it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.tables.intake.limits import MIN_ROWS_WITH_TARGET

_MAX_ERRORS = 0.02
"""A column decides the target alone if it leaves at most this share of the errors of the most frequent answer."""

_MAX_ROWS = 5_000
_ROWS_PER_GROUP = 5


def decides_alone(values: Floats, labels: Sequence[str], *, ordered: bool) -> bool:
    """Tell whether the values of a column separate the classes almost perfectly.

    `ordered` says that they are numbers, which may be compared; else they are the codes of groups.
    """
    if len(labels) < MIN_ROWS_WITH_TARGET:
        return False
    rows = _sample(len(labels))
    codes = _codes(tuple(labels))[rows]
    values = values[rows]
    allowed = _MAX_ERRORS * (len(codes) - int(np.bincount(codes).max()))
    if allowed == 0:
        return False
    if ordered:
        return _may_separate(values, codes) and _tree_errors(values, codes) <= allowed
    groups, positions = np.unique(values, return_inverse=True)
    if len(groups) > len(codes) / _ROWS_PER_GROUP:  # groups of a row or two are pure by chance
        return False
    counts = np.zeros((len(groups), int(codes.max()) + 1), np.int64)
    np.add.at(counts, (positions, codes), 1)
    return len(codes) - int(counts.max(axis=1).sum()) <= allowed


@lru_cache(maxsize=1)  # all columns of a table are asked about the same labels, one after another
def _codes(labels: tuple[str, ...]) -> NDArray[np.intp]:
    return np.unique(np.array(labels), return_inverse=True)[1]


def _sample(n_rows: int) -> NDArray[np.intp]:
    if n_rows <= _MAX_ROWS:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, _MAX_ROWS, replace=False))


def _may_separate(numbers: Floats, codes: NDArray[np.intp]) -> bool:
    """Tell, cheaply, whether classes lie side by side along a number."""
    order = np.lexsort((codes, numbers))
    n_changes = int((np.diff(codes[order]) != 0).sum())
    return n_changes <= 0.05 * len(codes) + 2 * (int(codes.max()) + 1)


def _tree_errors(numbers: Floats, codes: NDArray[np.intp]) -> int:
    from sklearn.tree import DecisionTreeClassifier

    # The tree reads single precision and no infinities; the order of the numbers is all that matters to it.
    ranks = np.unique(numbers, return_inverse=True)[1].astype(np.float64)
    ranks[np.isnan(numbers)] = np.nan
    min_rows = max(2, len(codes) // 100)
    tree = DecisionTreeClassifier(max_leaf_nodes=2 * (int(codes.max()) + 1), min_samples_leaf=min_rows, random_state=0)
    predicted: NDArray[Any] = tree.fit(ranks[:, None], codes).predict(ranks[:, None])
    return int((predicted != codes).sum())
