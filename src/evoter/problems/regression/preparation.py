"""What a search for numbers needs to know beforehand: denoised targets, and what a condition must gain."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.rewards import sample_by_class
from evoter.problems.classification.targets.soft_targets import MAX_ROWS, estimated_seconds
from evoter.problems.regression.held_out import HeldOutNumbers, hold_out_numbers
from evoter.problems.regression.losses import best_number, row_losses
from evoter.problems.regression.problem import RegressionProblem

PRICE: Final = 0.2
"""What a condition must gain, in standard errors of the score of held-out predictions."""

UNSKILLED_PRICE: Final = 2.0
"""The same where held-out predictions are no better than one number for all rows."""

UNKNOWN_PRICE: Final = 0.1
"""The same, in units of the uncertainty of the score, where there are no held-out predictions."""

LEAST_PRICE: Final = 5e-4
"""What a condition must gain at least, as a share of the loss: less is not worth reading."""

MOST_SOFT: Final = 0.95
"""The part of the targets that held-out predictions make up at most."""

TIME_SHARE: Final = 0.2
"""The part of a limit of time that held-out predictions may take."""

_SKILL: Final = 2.0
"""How many standard errors held-out predictions must be better than the best single number."""


class Prepared(NamedTuple):
    """The task as the search sees it, the price of a condition, and the held-out loss per unit of weight, if known."""

    problem: RegressionProblem
    price: float
    held_out_loss: float | None


def prepare(
    problem: RegressionProblem, *, softness: float, n_threads: int = 1, seconds: float | None = None
) -> Prepared:
    """Give a task denoised targets, and a price for conditions.

    `softness` of a target comes from the held-out prediction, and the more, the larger the error; the rest is the
    row's own number. Tables with many rows are searched by their numbers, and a sample of the rows tells the price.
    """
    rows = _rows(problem)
    held_out = None
    if softness > 0.0 and (seconds is None or estimated_seconds(len(rows), problem.n_lines, 1) < TIME_SHARE * seconds):
        lines, is_number = problem.lines(rows)
        held_out = hold_out_numbers(lines, is_number, problem.numbers[rows], problem.sample_weight[rows], n_threads)
    if held_out is None:
        return Prepared(problem, _price(UNKNOWN_PRICE * problem.uncertainty), None)
    numbers, weights = problem.numbers[rows], problem.sample_weight[rows] / problem.sample_weight[rows].sum()
    single = best_number(problem.metric, problem.quantile, numbers, weights)
    without = row_losses(problem.metric, problem.quantile, numbers, np.array(single))
    adjusted = _adjusted(problem, numbers, held_out.predictions, weights)
    left = row_losses(problem.metric, problem.quantile, numbers, adjusted)
    scale = max(float(weights @ without), np.finfo(float).tiny)
    ahead = (without - left) / scale
    gained = float(weights @ ahead)
    sampled = problem.n_distinct * len(rows) / len(problem.numbers)
    error_of_gain = float(np.sqrt(weights @ (ahead - gained) ** 2 / sampled))
    error_of_loss = float(np.sqrt(weights @ (left / scale - (1.0 - gained)) ** 2 / problem.n_distinct))
    if not gained > _SKILL * error_of_gain:
        return Prepared(problem, _price(UNSKILLED_PRICE * problem.uncertainty), scale * (1.0 - gained))
    importances = _by_feature(problem, held_out)
    targets = None
    if len(rows) == len(problem.numbers):
        share = min(softness + max(1.0 - gained, 0.0) / 2.0, MOST_SOFT)
        targets = share * held_out.predictions + (1.0 - share) * problem.numbers
        if problem.metric == "poisson":
            targets = np.maximum(targets, 0.0)
    price = _price(PRICE * error_of_loss)
    return Prepared(problem.changed(targets=targets, importances=importances), price, scale * (1.0 - gained))


def _price(price: float) -> float:
    """Return a price to six digits, so that the last bits of sums do not matter, but at least the least one."""
    return float(f"{max(price, LEAST_PRICE):.6g}")


def _adjusted(problem: RegressionProblem, numbers: Floats, predictions: Floats, weights: Floats) -> Floats:
    """Return held-out means as predictions of what a loss asks for: moved by the best single number of what is left."""
    if problem.metric in ("squared", "poisson"):
        return predictions
    return predictions + best_number(problem.metric, problem.quantile, numbers - predictions, weights)


def _by_feature(problem: RegressionProblem, held_out: HeldOutNumbers) -> Floats:
    importances = np.zeros(problem.n_lines)
    importances[problem.readable] = held_out.importances
    return importances


def _rows(problem: RegressionProblem) -> Ints:
    """Return the rows to predict: all of them, or a sample where they are many."""
    if len(problem.numbers) <= MAX_ROWS:
        return np.arange(len(problem.numbers))
    constants = np.sort(problem.candidates.constants[problem.candidates.term_of < 0])
    return sample_by_class(np.searchsorted(constants, problem.numbers).astype(np.int64), MAX_ROWS)[0]
