"""Held-out numbers: what models that have not seen a row predict for it, and how important each line is to them."""

from typing import Final, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from evoter.genome.distinct_rows import number_rows
from evoter.kernels.layout import Floats
from evoter.problems.classification.targets.designs import TreeDesign, rank_lines, score_design, tree_design
from evoter.problems.classification.targets.forest import MAX_TREES, MIN_TREES
from evoter.problems.classification.targets.kernel_ridge import leave_one_out
from evoter.problems.classification.targets.soft_targets import MIN_ROWS

_ENOUGH_WORK: Final = 20_000_000
"""Rows times columns that a split looks at, times trees: what the forest may cost before it gets fewer trees."""

_LEAF: Final = 3
"""The least number of rows in a leaf of a tree: leaves of one row follow the noise."""

_PART: Final = 1.0 / 3.0
"""The part of the columns that a split looks at."""

_BLENDS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

_DIGITS: Final = 9
"""Predictions are rounded to this many binary digits of the deviation, so that the last bits do not matter."""

_SEED: Final = 0
"""A fixed seed: the predictions belong to the task, not to the search."""


class HeldOutNumbers(NamedTuple):
    """A prediction for each row by models that have not seen it, and the importance of each line."""

    predictions: Floats
    importances: Floats


def hold_out_numbers(
    lines: Floats, is_number: list[bool], numbers: Floats, weights: Floats, n_threads: int = 1
) -> HeldOutNumbers | None:
    """Predict the number of every row by models that have not seen it; None if there are too few rows or numbers.

    Equal rows with equal numbers count as one row with the sum of their weights, so that none is predicted from
    another. A random forest (out of bag) and kernel ridge regression (leave one out) are blended by held-out error.
    """
    deviation = float(np.sqrt(np.average((numbers - np.average(numbers, weights=weights)) ** 2, weights=weights)))
    if len(numbers) < MIN_ROWS or not deviation > 0.0:
        return None
    ranked = rank_lines(lines, is_number)
    codes = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    places = number_rows(ranked, codes)
    _, first = np.unique(places, return_index=True)
    if len(first) < MIN_ROWS:
        return None
    totals = np.bincount(places, weights).astype(np.float64)
    distinct = ranked[:, first]
    centre = float(np.average(numbers, weights=weights))
    wanted = (numbers[first] - centre) / deviation
    with threadpool_limits(1):  # so that results do not depend on the number of cores
        smooth = leave_one_out(score_design(distinct, is_number), wanted[:, None], totals, probabilities=False)[:, 0]
    stepwise, importances = _out_of_bag(tree_design(distinct, is_number), wanted, totals, n_threads)
    blends = [share * smooth + (1.0 - share) * stepwise for share in _BLENDS]
    errors = [np.average((blend - wanted) ** 2, weights=totals) for blend in blends]
    blend = blends[int(np.argmin(errors))]
    rounded = np.rint(blend * 2.0**_DIGITS) / 2.0**_DIGITS
    return HeldOutNumbers((rounded * deviation + centre)[places], importances)


def _out_of_bag(design: TreeDesign, numbers: Floats, weights: Floats, n_threads: int) -> tuple[Floats, Floats]:
    """Return for each row the mean prediction of the trees whose sample does not have it, and importances of lines."""
    from sklearn.ensemble import RandomForestRegressor  # slow to import

    matrix = design.matrix
    work = len(matrix) * max(matrix.shape[1] * _PART, 1.0)
    n_trees = int(np.clip(_ENOUGH_WORK / work, MIN_TREES, MAX_TREES))
    forest = RandomForestRegressor(
        n_trees, min_samples_leaf=_LEAF, max_features=_PART, random_state=_SEED, n_jobs=n_threads
    )
    forest.fit(matrix, numbers, sample_weight=weights)
    totals, counts = np.zeros(len(matrix)), np.full(len(matrix), 1e-3)  # for rows that every tree has seen
    totals += float(np.average(numbers, weights=weights)) * 1e-3
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(len(matrix), np.bool_)
        unseen[drawn] = False
        if unseen.any():
            totals[unseen] += tree.predict(matrix[unseen])
            counts[unseen] += 1.0
    importances = np.bincount(design.lines, forest.feature_importances_)
    return totals / counts, np.rint(importances * 256.0) / 256.0
