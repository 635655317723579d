"""Deciding one row: a kernel for each procedure of the decision modes, and the one place that chooses between them."""

import numpy as np

from evoter.kernels.compilation import inlined_kernel, kernel
from evoter.kernels.layout import ACTION, DEFAULT, IN_ORDER, N_RULES, POLL, SLOT, Floats, Ints, Population, Words


@inlined_kernel
def first_active(
    population: Population, i: int, order: Ints, mask_rows: Ints, masks: Words, allowed: Words, w: int, bit: np.uint64
) -> int:
    """Return the first rule of individual `i` in `order` that is active on a row; the number of rules where none is.

    `allowed` has a mask for every action that tells where rules may take it; without masks, they may everywhere.
    """
    for k in range(population.header[i, N_RULES]):
        r = order[i, k]
        if masks[mask_rows[population.rules[i, r, SLOT]], w] & bit != 0 and (
            len(allowed) == 0 or allowed[population.rules[i, r, ACTION], w] & bit != 0
        ):
            return r
    return population.header[i, N_RULES]


@kernel
def poll(
    population: Population, i: int, mask_rows: Ints, masks: Words, w: int, bit: np.uint64, totals: Floats, counts: Ints
) -> tuple[int, float]:
    """Return the first active rule for the action that wins a vote on a row, and the mean certainty of that action.

    Where no rule is active, it is the number of rules. Of equal means, the action wins whose first active rule comes
    earlier. `totals` and `counts` have room for a number per action.
    """
    n_rules = population.header[i, N_RULES]
    for action in range(len(totals)):
        totals[action] = 0.0
        counts[action] = 0
    for r in range(n_rules):
        if masks[mask_rows[population.rules[i, r, SLOT]], w] & bit != 0:
            totals[population.rules[i, r, ACTION]] += population.certainties[i, r]
            counts[population.rules[i, r, ACTION]] += 1
    winner = n_rules
    best = 0.0
    for r in range(n_rules):
        action = population.rules[i, r, ACTION]
        if counts[action] > 0 and masks[mask_rows[population.rules[i, r, SLOT]], w] & bit != 0:
            mean = totals[action] / counts[action]
            if mean > best:
                winner, best = r, mean
    return winner, best


@inlined_kernel
def decide_row(
    procedure: int,
    population: Population,
    i: int,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    allowed: Words,
    w: int,
    bit: np.uint64,
    totals: Floats,
    counts: Ints,
) -> tuple[int, int, float]:
    """Return the rule that decides a row (the number of rules for the default), the action and the certainty."""
    n_rules = population.header[i, N_RULES]
    certainty = 0.0
    if procedure == IN_ORDER:
        decider = first_active(population, i, order, mask_rows, masks, allowed, w, bit)
        if decider < n_rules:
            certainty = population.certainties[i, decider]
    elif procedure == POLL:
        decider, certainty = poll(population, i, mask_rows, masks, w, bit, totals, counts)
    else:
        raise ValueError("no kernel decides rows by this procedure")
    if decider == n_rules:
        return decider, population.header[i, DEFAULT], population.default_certainties[i]
    return decider, population.rules[i, decider, ACTION], certainty


@inlined_kernel
def shares_decision(procedure: int, population: Population, i: int, r: int, decider: int) -> bool:
    """Tell whether an active rule counts as deciding, too, where `decider` is the first one that does."""
    if procedure == IN_ORDER:
        return r == decider
    if procedure == POLL:
        return population.rules[i, r, ACTION] == population.rules[i, decider, ACTION]
    raise ValueError("no kernel decides rows by this procedure")
