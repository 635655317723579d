"""Columns that alone decide the target, or nearly, which often means that they were not known before it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.tables.intake.limits import MIN_ROWS_WITH_TARGET, MIN_VALUES_TO_JUDGE

_MAX_ERRORS = 0.02
"""A column decides the target alone if it leaves at most this share of the errors of the most frequent answer."""

_FEW_ERRORS = 0.25
"""A column that leaves more of these errors is an ordinary one."""

_TIMES_WORSE = 3.0
"""One that leaves fewer stands out only if all other columns together make this many times its errors: on iris, where
petals decide nearly everything, each of their measurements does well, and so do the others without it."""

_SAME_ANSWERS = 0.995
"""Columns that give the same answer on a larger share of the rows are copies of each other."""

_MAX_ROWS = 5_000
_MAX_FOREST_ROWS = 2_000
_MAX_OTHERS = 300
_MAX_SUSPECTS = 10
"""Where many columns do well alone, none of them stands out; a table of many copies of the target has ten warnings."""

_ROWS_PER_GROUP = 5

Codes = NDArray[np.intp]


class ColumnValues(NamedTuple):
    """The values of a column as numbers; `ordered` says that they may be compared, else they are codes of groups."""

    values: Floats
    ordered: bool


class _Suspect(NamedTuple):
    answers: Codes
    n_wrong: int


class Leak(NamedTuple):
    """The share of rows about which a column alone is right, and all others together; None if it is right anyhow."""

    right: float
    others_right: float | None = None


def find_leaks(load: Callable[[int], ColumnValues], n_columns: int, labels: Sequence[str]) -> dict[int, Leak]:
    """Return the columns, by position, that separate the classes perfectly, or much better than all others together."""
    if len(labels) < MIN_ROWS_WITH_TARGET:
        return {}
    rows = _sample(len(labels), _MAX_ROWS)
    codes = np.unique(np.array(labels), return_inverse=True)[1][rows]
    n_baseline_wrong = len(codes) - int(np.bincount(codes).max())
    if n_baseline_wrong == 0:
        return {}
    suspects: dict[int, _Suspect] = {}
    for position in range(n_columns):
        values, ordered = load(position)
        answers = _answers(values[rows], codes, ordered=ordered)
        if answers is not None and (n_wrong := int((answers != codes).sum())) <= _FEW_ERRORS * n_baseline_wrong:
            suspects[position] = _Suspect(answers, n_wrong)
    found = {}
    for position, suspect in sorted(suspects.items(), key=lambda item: item[1].n_wrong)[:_MAX_SUSPECTS]:
        right = 1 - suspect.n_wrong / len(codes)
        if suspect.n_wrong <= _MAX_ERRORS * n_baseline_wrong:
            found[position] = Leak(right)
        elif len(codes) >= MIN_VALUES_TO_JUDGE:
            alike = {other: (each.answers == suspect.answers).mean() for other, each in suspects.items()}
            copies = {other for other, share in alike.items() if share >= _SAME_ANSWERS}
            others = [other for other in range(n_columns) if other not in copies]
            together = _right_together(load, others[:_MAX_OTHERS], rows, codes)
            if together is None:
                continue
            together = max(together, 1 - n_baseline_wrong / len(codes))  # nobody does worse than a constant answer
            if 1 - together >= _TIMES_WORSE * (1 - right):
                found[position] = Leak(right, together)
    return found


def _answers(values: Floats, codes: Codes, *, ordered: bool) -> Codes | None:
    """Return the best answer for each row that the column alone gives; None where that is none to speak of."""
    if ordered:
        return _tree_answers(values, codes) if _may_separate(values, codes) else None
    groups, positions = np.unique(values, return_inverse=True)
    if len(groups) > len(codes) / _ROWS_PER_GROUP:  # groups of a row or two are pure by chance
        return None
    counts = np.zeros((len(groups), int(codes.max()) + 1), np.int64)
    np.add.at(counts, (positions, codes), 1)
    best: Codes = counts.argmax(axis=1)
    return best[positions]


def _sample(n_rows: int, most: int) -> Codes:
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))


def _may_separate(numbers: Floats, codes: Codes) -> bool:
    """Tell, cheaply, whether classes lie side by side along a number."""
    order = np.lexsort((codes, numbers))
    n_changes = int((np.diff(codes[order]) != 0).sum())
    return n_changes <= 0.25 * len(codes) + 2 * (int(codes.max()) + 1)


def _tree_answers(numbers: Floats, codes: Codes) -> Codes:
    from sklearn.tree import DecisionTreeClassifier

    # The tree reads single precision and no infinities; the order of the numbers is all that matters to it.
    ranks = np.unique(numbers, return_inverse=True)[1].astype(np.float64)
    ranks[np.isnan(numbers)] = np.nan
    min_rows = max(2, len(codes) // 100)
    tree = DecisionTreeClassifier(max_leaf_nodes=2 * (int(codes.max()) + 1), min_samples_leaf=min_rows, random_state=0)
    predicted: NDArray[Any] = tree.fit(ranks[:, None], codes).predict(ranks[:, None])
    return predicted


def _right_together(
    load: Callable[[int], ColumnValues], positions: Sequence[int], rows: Codes, codes: Codes
) -> float | None:
    """Return how often a forest on some columns is right about rows that it was not trained on."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import KFold, cross_val_predict

    if not positions:
        return None
    few = _sample(len(rows), _MAX_FOREST_ROWS)
    ranks = np.empty((len(few), len(positions)))
    for index, position in enumerate(positions):
        values = load(position).values[rows[few]]
        ranks[:, index] = np.where(np.isnan(values), -1, np.unique(values, return_inverse=True)[1])
    forest = RandomForestClassifier(n_estimators=40, min_samples_leaf=2, random_state=0)
    answers = cross_val_predict(forest, ranks, codes[few], cv=KFold(3, shuffle=True, random_state=0))
    return float((answers == codes[few]).mean())
