"""How long exact moves take where there is a deadline: found by making more and more of them for one child."""

import time
from typing import Final

import numpy as np

from evoter.evolution.executor import ExactMoves
from evoter.kernels.refinement.refine import refine

FIRST_TRIAL: Final = 3
"""How many moves are tried first; each further trial has four times as many."""

TRIAL_SHARE: Final = 0.01
"""The share of the time left beyond which a trial is the last one."""


def seconds_per_move(moves: ExactMoves, seconds_left: float) -> float:
    """Return about how many seconds each move of a child takes, on average over all of them.

    A move can take long where there are many rows, classes or features, and the longer, the more rules the child has
    by then: where four times as many moves took more than four times as long, so will those that were not tried.
    """
    n_moves = moves.refinement.n_moves
    preparing = _seconds_of(moves, 0)
    n, seconds, growth = FIRST_TRIAL, _seconds_of(moves, FIRST_TRIAL) - preparing, 1.0
    while 4 * n <= n_moves and seconds < TRIAL_SHARE * seconds_left:
        before = seconds
        n, seconds = 4 * n, _seconds_of(moves, 4 * n) - preparing
        growth = max(1.0, seconds / (4.0 * before)) if before > 0.0 else 1.0
    untried = max(0.0, float(np.log(n_moves / n) / np.log(4.0))) if n_moves > 0 else 0.0
    return float(preparing / max(n_moves, 1) + max(seconds, 0.0) / n * growth**untried)


def _seconds_of(moves: ExactMoves, n_moves: int) -> float:
    begin = time.perf_counter()
    refine(0, 1, *moves._replace(refinement=moves.refinement._replace(n_moves=n_moves)))
    return time.perf_counter() - begin
