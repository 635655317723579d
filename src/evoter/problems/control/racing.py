"""Races: policies play the same episodes, and those that are clearly behind after some of them stop early."""

from collections.abc import Callable, Sequence

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.problem import ControlProblem
from evoter.rules.model import RuleSet

ROUNDS = (0.1, 0.3, 1.0)
"""The shares of the episodes that have been played after each round."""

CLEARLY = 2.0
"""A mean difference of this many standard errors is significant."""


def never() -> bool:
    """Return False: there is no time limit."""
    return False


def race(
    problem: ControlProblem,
    rulesets: Sequence[RuleSet],
    seeds: Ints,
    bar: Floats | None = None,
    late: Callable[[], bool] = never,
) -> dict[RuleSet, Floats]:
    """Let rule sets play an episode for every seed, and return the returns of those that finished.

    The `bar` is the return to reach in every episode, either for all rule sets or with a row for each; without one,
    none stops early. Once `late` returns True, the race is abandoned.
    """
    bars = None if bar is None else np.broadcast_to(bar, (len(rulesets), len(seeds)))
    racing = np.arange(len(rulesets))
    returns = np.empty((len(rulesets), 0))
    for part in ROUNDS:
        first, last = returns.shape[1], max(1, round(part * len(seeds)))
        if last == first:
            continue
        if len(racing) == 0 or late():
            return {}
        played = problem.try_out([rulesets[int(i)] for i in racing], seeds[first:last]).returns
        returns = np.hstack([returns, played])
        if bars is not None and last < len(seeds):
            missed = bars[racing, :last] - returns
            going_on = missed.mean(axis=1) <= CLEARLY * missed.std(axis=1) / np.sqrt(last)
            racing, returns = racing[going_on], returns[going_on]
    return {rulesets[int(i)]: each for i, each in zip(racing, returns, strict=True)}
