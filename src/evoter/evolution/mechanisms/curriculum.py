"""A curriculum over the grammar: simple conditions first, the other kinds once those have been tried."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from evoter.evolution.settings import Settings
from evoter.genome.grammar import cumulative
from evoter.kernels.conditions.codes import NE
from evoter.kernels.layout import Grammar


class Curriculum:
    """Stages of a grammar, each with one more kind of condition than the one before; the last is the whole grammar.

    At first, numbers are compared with constants by order alone, at the present step. Then = and != of numbers are
    allowed, then comparisons and sums of features, then powers, then lags. Kinds that the grammar lacks make no stage.
    """

    def __init__(self, grammar: Grammar, settings: Settings) -> None:
        self._interval = settings.unlock_interval
        self._patience = settings.unlock_stagnation
        graded = self._interval > 0 or self._patience > 0
        self.stages = tuple(_stages(grammar)) if graded else (grammar,)

    def advance(self, stage: int, generation: int, stagnant: int) -> int:
        """Return the stage after a generation, given how many brought no improvement."""
        if stage + 1 == len(self.stages):
            return stage
        scheduled = self._interval > 0 and generation > 0 and generation % self._interval == 0
        stuck = self._patience > 0 and stagnant >= self._patience
        return stage + 1 if scheduled or stuck else stage


def _stages(grammar: Grammar) -> Iterator[Grammar]:
    frequencies = np.diff(grammar.operator_cdf, prepend=0.0)
    by_order = np.where(np.arange(len(frequencies)) > NE, frequencies, 0.0)
    changed: list[dict[str, Any]] = []
    simple = grammar._replace(comparison_rate=0.0, sum_rate=0.0, max_power=1, max_lag=0)
    if by_order.any() and (by_order < frequencies).any():
        simple = simple._replace(operator_cdf=cumulative(by_order))
        changed.append({"operator_cdf": grammar.operator_cdf})
    if grammar.comparison_rate > 0.0 or grammar.sum_rate > 0.0:
        changed.append({"comparison_rate": grammar.comparison_rate, "sum_rate": grammar.sum_rate})
    if grammar.comparison_rate > 0.0 and grammar.max_power > 1:
        changed.append({"max_power": grammar.max_power})
    if grammar.max_lag > 0:
        changed.append({"max_lag": grammar.max_lag})
    yield simple
    for unlocked in changed:
        simple = simple._replace(**unlocked)
        yield simple
