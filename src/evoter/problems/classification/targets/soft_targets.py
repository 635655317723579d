"""Soft targets: a row's label, softened by what models that have not seen the row say about its class.

Labels are noisy, and a search that fits every one of them learns the noise. Two models with known held-out predictions,
a random forest (out of bag) and kernel ridge regression (leave one out), estimate the probability of each class for
each row; their blend is chosen by its held-out error. Rules are then evaluated by expected scores, which need fewer
rows to be certain, and the held-out error tells how much a condition must gain.
"""

from typing import Final, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from evoter.genome.distinct_rows import number_rows
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.targets.designs import rank_lines, score_design, tree_design
from evoter.problems.classification.targets.forest import out_of_bag
from evoter.problems.classification.targets.kernel_ridge import leave_one_out

MAX_ROWS: Final = 20_000
"""The number of rows up to which all rows get soft targets; larger tables are certain enough without."""

MAX_ENTRIES: Final = 500_000
"""The number of rows times classes up to which there are soft targets; a tree of a forest stores twice as many."""

ROWS_OF_A_CLASS: Final = 10
"""With fewer rows than this for each class, on average, nothing is held out."""

MIN_ROWS: Final = 20
"""With fewer rows than this, held-out predictions say nothing."""

SECONDS_PER_UNIT: Final = 4e-5
"""What a row times the root of the number of columns takes with two classes, as measured on a slow core."""

CLASSES_THAT_DOUBLE: Final = 50
"""How many classes more take as long again."""

_BLENDS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_STEP: Final = 2.0**-9
"""Probabilities are rounded to multiples of this, so that the last bits of linear algebra do not matter."""

_LEAST: Final = 0.02
"""Probabilities below this count as 0."""

_MOST_SOFT: Final = 0.95
"""The part of the targets that held-out predictions make up at most, however many rows there are."""

_SKILL: Final = 2.0
"""How many standard errors the held-out decisions must be better than the best single decision for all rows."""

_FEW_ROWS: Final = 200
"""With fewer rows than this, the same difference is enough as here: few rows hardly ever show two standard errors."""

_OWN_SHARE: Final = 2.0
"""What a label of few rows counts at least, divided by the root of their number: they teach models little."""


class HeldOut(NamedTuple):
    """Held-out class probabilities of rows, each row's label and its weight, and the importance of each line."""

    probabilities: Floats
    classes: Ints
    weights: Floats
    importances: Floats


class Judged(NamedTuple):
    """What held-out decisions achieve: the part of the possible score that they lose, and whether they beat chance."""

    error: float
    skilled: bool


def estimated_seconds(n_rows: int, n_lines: int, n_classes: int) -> float:
    """Return about how long held-out predictions take."""
    return (
        SECONDS_PER_UNIT * min(n_rows, MAX_ROWS) * float(np.sqrt(n_lines + 1)) * (1 + n_classes / CLASSES_THAT_DOUBLE)
    )


def hold_out(
    lines: Floats, is_number: list[bool], classes: Ints, n_classes: int, weights: Floats, n_threads: int = 1
) -> HeldOut | None:
    """Predict the class of every row by models that have not seen it; None if there are too few rows or classes.

    Equal rows of one class count as one row with the sum of their weights, so that none of them is predicted from
    another.
    """
    if len(classes) < MIN_ROWS or len(np.unique(classes)) < 2:
        return None
    ranked = rank_lines(lines, is_number)
    numbers = number_rows(ranked, classes)
    _, first = np.unique(numbers, return_index=True)
    totals: Floats = np.bincount(numbers, weights).astype(np.float64)
    distinct, labels = ranked[:, first], classes[first]
    if len(labels) < MIN_ROWS:
        return None
    indicators = np.zeros((len(labels), n_classes))
    indicators[np.arange(len(labels)), labels] = 1.0
    with threadpool_limits(1):  # so that results do not depend on the number of cores
        smooth = leave_one_out(score_design(distinct, is_number), indicators, totals)
    stepwise = out_of_bag(tree_design(distinct, is_number), labels, n_classes, totals, n_threads)
    blends = [share * smooth + (1.0 - share) * stepwise.probabilities for share in _BLENDS]
    errors = [np.average(((blend - indicators) ** 2).sum(axis=1), weights=totals) for blend in blends]
    blend = blends[int(np.argmin(errors))]
    return HeldOut((np.rint(blend / _STEP) * _STEP)[numbers], classes, weights, stepwise.importances)


def judge(held_out: HeldOut, rewards: Floats) -> Judged:
    """Judge decisions by held-out probabilities, where `rewards[true, action]` is the reward of one."""
    decided = np.argmax(held_out.probabilities @ rewards, axis=1)
    weights = held_out.weights / held_out.weights.sum()
    gained, best = rewards[held_out.classes, decided], rewards[held_out.classes].max(axis=1)
    worst = rewards[held_out.classes].min(axis=1)
    constant = int(np.argmax(weights @ rewards[held_out.classes]))
    ahead = gained - rewards[held_out.classes, constant]
    mean = float(weights @ ahead)
    standard_error = float(np.sqrt((weights**2 * (ahead - mean) ** 2).sum()))
    possible = float(weights @ (best - worst))
    error = float(weights @ (best - gained)) / possible if possible > 0.0 else 0.0
    n_rows = 1.0 / float((weights**2).sum())  # as many as count, where weights differ
    needed = _SKILL * min(1.0, float(np.sqrt(n_rows / _FEW_ROWS)))
    return Judged(error, mean > needed * standard_error and mean > 0.0)


class Told(NamedTuple):
    """Class probabilities of rows that another model has told, and the share of them in what the search sees.

    `price` multiplies what a condition must gain.
    """

    probabilities: Floats
    softness: float
    price: float = 1.0

    def targets(self, classes: Ints, softness: float | None = None) -> Floats:
        """Return the targets of all rows, whose most probable classes are `classes`; another softness may be asked."""
        return soften(self.probabilities, classes, self.softness if softness is None else softness)


def most_soft(n_rows: int) -> float:
    """Return what part of the targets held-out predictions make up at most, with this many distinct rows.

    >>> [round(most_soft(n), 2) for n in (20, 50, 100, 150, 200, 10_000)]
    [0.55, 0.72, 0.8, 0.88, 0.95, 0.95]
    """
    half = _FEW_ROWS // 2
    few = 1.0 - _OWN_SHARE / float(np.sqrt(min(n_rows, half)))
    return float(np.interp(n_rows, [half, _FEW_ROWS], [few, _MOST_SOFT]))


def soften(probabilities: Floats, classes: Ints, share: float) -> Floats:
    """Return the targets of all rows: `share` of the probabilities, the rest for the label itself."""
    targets: Floats = share * probabilities
    targets[np.arange(len(targets)), classes] += 1.0 - share
    targets[targets < _LEAST] = 0.0
    # Multiples of a power of two add up exactly, in any order: a row of weight 2 is two rows to the last bit.
    parts: Floats = np.floor(targets / targets.sum(axis=1, keepdims=True) / _STEP) * _STEP
    parts[np.arange(len(parts)), parts.argmax(axis=1)] += 1.0 - parts.sum(axis=1)
    return parts
