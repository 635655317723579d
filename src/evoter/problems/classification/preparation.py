"""What a search needs to know beforehand: soft targets for the rows, and what a condition must gain."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.layout import Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.rewards import sample_by_class
from evoter.problems.classification.targets.soft_targets import (
    MAX_ENTRIES,
    MAX_ROWS,
    ROWS_OF_A_CLASS,
    HeldOut,
    Judged,
    Told,
    estimated_seconds,
    hold_out,
    judge,
    most_soft,
    soften,
)

PRICE: Final = 0.1
"""What a condition must gain, in standard errors of the score of held-out decisions."""

UNSKILLED_PRICE: Final = 5.0
"""The same where held-out decisions are no better than one decision for all: chance alone may gain four."""

UNKNOWN_PRICE: Final = 0.06
"""The same, in units of the uncertainty of the score, where there are no held-out decisions."""

LEAST_PRICE: Final = 2e-4
"""What a condition must gain at least, as a part of the range of the score: less is not worth reading."""

LEAST_ROWS: Final = 0.2
"""What a condition must gain at least, in rows: single rows prove nothing."""

TIME_SHARE: Final = 0.2
"""The part of a limit of time that held-out predictions may take."""


class Prepared(NamedTuple):
    """The task as the search sees it, the price of a condition, and what held-out decisions achieve, if known."""

    problem: ClassificationProblem
    price: float
    judged: Judged | None


def prepare(
    problem: ClassificationProblem,
    *,
    softness: float,
    n_threads: int = 1,
    seconds: float | None = None,
    told: Told | None = None,
) -> Prepared:
    """Give a task soft targets, and a price for conditions.

    `softness` of the targets come from held-out predictions, and the more, the larger their error: where labels are
    noisy, a row's own label says little.
    Where the held-out predictions have no skill, the targets are the labels, and the price is so high that chance
    cannot pay it. Tables with many rows are searched by their labels, too, and a sample of the rows tells the price.
    Without time for held-out predictions there are none.
    Probabilities that another model has `told` are the targets whatever is held out, which then tells the price alone.
    """
    prepared = _prepare(problem, softness, n_threads, seconds, told)
    return prepared if told is None else prepared._replace(price=told.price * prepared.price)


def _prepare(
    problem: ClassificationProblem, softness: float, n_threads: int, seconds: float | None, told: Told | None
) -> Prepared:
    held_out = None
    rows = _rows(problem)
    n_classes = len(problem.schema.actions)
    needed = estimated_seconds(len(rows), problem.n_lines, n_classes)
    in_time = seconds is None or needed < TIME_SHARE * seconds
    if softness > 0.0 and in_time and len(rows) >= min(ROWS_OF_A_CLASS * n_classes, len(problem.classes)):
        held_out = _hold_out(problem, rows, n_threads)
    least = max(LEAST_PRICE * problem.score_range, LEAST_ROWS * problem.uncertainty**2 / (problem.score_range or 1.0))
    targets = None if told is None else told.targets(problem.classes)
    if targets is not None:
        problem = problem.guided_by(targets)
    if held_out is None:
        return Prepared(problem, max(UNKNOWN_PRICE * problem.uncertainty, least), None)
    judged = judge(held_out, problem.rewards)
    error = min(max(judged.error, 1.0 / problem.n_distinct), 0.5)
    standard_error = problem.uncertainty * float(np.sqrt(error * (1.0 - error)))
    if not judged.skilled:
        return Prepared(problem, UNSKILLED_PRICE * standard_error, judged)
    importances = problem.importances_of(held_out.importances)
    if targets is None and len(rows) == len(problem.classes) and problem.takes_targets:
        targets = soften(held_out.probabilities, held_out.classes, min(softness + error, most_soft(problem.n_distinct)))
    return Prepared(problem.guided_by(targets, importances), max(PRICE * standard_error, least), judged)


def _rows(problem: ClassificationProblem) -> Ints:
    """Return the rows to predict: all of them, or a sample where they are many."""
    n_rows = max(1, min(MAX_ROWS, MAX_ENTRIES // len(problem.schema.actions)))
    return sample_by_class(problem.classes, n_rows)[0]


def _hold_out(problem: ClassificationProblem, rows: Ints, n_threads: int) -> HeldOut | None:
    lines, is_number = problem.lines(rows)
    n_classes = len(problem.schema.actions)
    return hold_out(lines, is_number, problem.classes[rows], n_classes, problem.sample_weight[rows], n_threads)
