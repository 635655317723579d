"""Which compiled code decides for a decision mode: the one place where modes of the rule language meet the kernels."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, assert_never

import numpy as np

from evoter.kernels.evaluation.decide import tally_in_order, tally_rows
from evoter.kernels.layout import ACTION, DEFAULT, IN_ORDER, POLL, WORD, Ints, Population
from evoter.rules.model import Mode
from evoter.rules.modes import Procedure, mode_of


class RowDecider(NamedTuple):
    """The code by which kernels know a procedure, and the kernel that counts decisions against true classes.

    `cost` is the work for a rule and a word of rows, in units of what it costs to take the whole word at once.
    """

    code: int
    tally: Callable[..., None]
    cost: int


def row_decider(mode: Mode) -> RowDecider:
    """Return what decides the action of a row in a mode; of several actions, it is the first."""
    procedure = mode_of(mode).procedure
    match procedure:
        case Procedure.IN_ORDER | Procedure.EVERY:
            return RowDecider(IN_ORDER, tally_in_order, 1)
        case Procedure.POLL:
            return RowDecider(POLL, tally_rows, WORD)
        case _:
            assert_never(procedure)


def claim_order(population: Population, mode: Mode) -> Ints:
    """Return the order in which each individual's rules take rows; of equal precedence, the earlier one is first."""
    key = mode_of(mode).precedence(
        population.rules[:, :, ACTION], population.certainties, population.header[:, DEFAULT, None]
    )
    if np.ndim(key) == 0:
        return _printed_order(population.size, population.max_rules)
    printed = np.arange(population.max_rules)
    used = printed < population.n_rules[:, None]
    return np.argsort(np.where(used, key, np.inf), axis=1, kind="stable")


@lru_cache(maxsize=4)
def _printed_order(size: int, max_rules: int) -> Ints:
    """Return the order in which rules are printed, for each individual; it is shared, and must not be changed."""
    return np.tile(np.arange(max_rules), (size, 1))
