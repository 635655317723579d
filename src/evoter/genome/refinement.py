"""Builds what exact moves need: the ranks of all values among the cuts of their features, and rewards."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from evoter.genome.grammar import cumulative
from evoter.genome.sum_columns import choose_sums, no_sums
from evoter.kernels.conditions.codes import GE, GT, LE, LT
from evoter.kernels.layout import (
    FIRST_CUT,
    KIND,
    LAST_CUT,
    N_CATEGORIES,
    NO_RANK,
    NUMERIC,
    Floats,
    Grammar,
    Refinement,
    Rows,
)

IMPORTANT_SHARE: Final = 0.5
"""How often a move tries a feature because it is important; else all features are tried equally often."""


def build_refinement(
    rows: Rows,
    grammar: Grammar,
    rewards: Floats,
    *,
    price: float,
    temperature: float,
    n_moves: int,
    n_tries: int,
    importances: Floats | None = None,
    action_sizes: Floats | None = None,
) -> Refinement:
    """Rank the values of rows among the cuts of a grammar; `rewards[row, action]` add up to the score.

    The larger the importance of a feature, the more often moves try it; without `importances` all are tried alike.
    `action_sizes` says what each action counts towards complexity, by default nothing.
    """
    frequencies = np.diff(grammar.operator_cdf, prepend=0.0).round(9)  # so that equal ones stay equal
    at_most = LE if frequencies[LE] >= frequencies[LT] else LT
    above = GT if frequencies[GT] >= frequencies[GE] else GE
    ordered = frequencies[LT : GE + 1].any()
    n_columns = len(grammar.features) * (grammar.max_lag + 1)
    return Refinement(
        rows=rows,
        ranks=rank_values(rows, grammar),
        sums=choose_sums(rows, grammar, rewards) if ordered else no_sums(len(rewards)),
        rewards=np.ascontiguousarray(rewards),
        price=price,
        temperature=temperature,
        at_most=at_most if ordered else -1,
        above=above if ordered else -1,
        n_moves=n_moves,
        n_tries=min(n_tries, 2 * n_columns),
        feature_cdf=_feature_cdf(grammar, importances),
        action_sizes=np.zeros(rewards.shape[1]) if action_sizes is None else action_sizes,
    )


def _feature_cdf(grammar: Grammar, importances: Floats | None) -> Floats:
    frequencies = np.diff(grammar.feature_cdf, prepend=0.0)
    weighted = np.zeros(0) if importances is None else frequencies * importances
    if weighted.sum() <= 0.0:
        return grammar.feature_cdf
    return cumulative(frequencies * (1.0 - IMPORTANT_SHARE) + weighted * (IMPORTANT_SHARE / weighted.sum()))


def rank_values(rows: Rows, grammar: Grammar) -> NDArray[np.uint16]:
    """Return for each number how many cuts of its feature lie below it, and for each category its code.

    A category that the schema does not list gets the code after the last.
    """
    ranks = np.full(len(rows.values), NO_RANK, np.uint16)
    n_values = len(rows.values) // max(len(rows.starts), 1)
    for position, facts in enumerate(grammar.features):
        lines = slice(position * n_values, (position + 1) * n_values)
        values = rows.values[lines]
        present = ~np.isnan(values)
        cuts = grammar.constants[facts[FIRST_CUT] : facts[LAST_CUT]]
        known = values[present]
        if facts[KIND] == NUMERIC:
            ranks[lines][present] = np.searchsorted(cuts, known, side="left")
        else:
            ranks[lines][present] = np.where(known < 0, facts[N_CATEGORIES], known)
    return ranks
