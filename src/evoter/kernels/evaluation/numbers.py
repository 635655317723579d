"""Numbers: what the rules of a population would predict at best on the rows they decide, from sums over these rows."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.evaluation.masks import popcount
from evoter.kernels.layout import ACTION, DEFAULT, N_RULES, SLOT, WORD, Floats, Ints, Population, Words

# Columns of the sums over the rows that a rule decides: of the weight w, of w*y, w*x, w*x*x and w*x*y.
WEIGHT: Final = 0
OF_Y: Final = 1
OF_X: Final = 2
OF_XX: Final = 3
OF_XY: Final = 4
N_SUMS: Final = 5

_ONE = np.uint64(1)


@kernel
def _lowest_row(word: np.uint64) -> int:
    return int(popcount((word & (~word + _ONE)) - _ONE))


@kernel
def _take(population: Population, i: int, k: int, mask_rows: Ints, masks: Words, undecided: Words, taken: Words) -> int:
    """Take the rows that rule `k`, or at last the default, decides away from the undecided ones; return how many."""
    count = np.int64(0)
    is_rule = k < population.header[i, N_RULES]
    mask = masks[mask_rows[population.rules[i, k, SLOT]]] if is_rule else undecided
    for w in range(len(undecided)):
        taken[w] = undecided[w] & mask[w]
        undecided[w] ^= taken[w]
        count += popcount(taken[w])
    return int(count)


@allocating_kernel
def add_sums(
    first: int,
    last: int,
    population: Population,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    numbers: Floats,
    weights: Floats,
    terms: Floats,
    term_of: Ints,
    decided: Ints,
    sums: Floats,
) -> None:
    """Add up, for each rule and last the default, what its best number follows from, on some words of rows.

    `numbers` and `weights` are those of the rows; `terms[t, row]` are the features that linear terms may have, and
    `term_of[action]` is the one of an action, or -1. The first rule that holds decides.
    """
    undecided = np.empty(len(valid), np.uint64)
    taken = np.empty(len(valid), np.uint64)
    default = sums.shape[1] - 1
    for i in range(first, last):
        n_rules = population.header[i, N_RULES]
        for w in range(len(valid)):
            undecided[w] = valid[w]
        for k in range(n_rules + 1):
            count = _take(population, i, k, mask_rows, masks, undecided, taken)
            place = k if k < n_rules else default
            action = population.rules[i, k, ACTION] if k < n_rules else population.header[i, DEFAULT]
            term = term_of[action]
            weight, of_y, of_x, of_xx, of_xy = 0.0, 0.0, 0.0, 0.0, 0.0
            for w in range(len(valid)):
                hit = taken[w]
                while hit != 0:
                    row = w * WORD + _lowest_row(hit)
                    hit &= hit - _ONE
                    weight += weights[row]
                    of_y += weights[row] * numbers[row]
                    if term >= 0:
                        product = weights[row] * terms[term, row]
                        of_x += product
                        of_xx += product * terms[term, row]
                        of_xy += product * numbers[row]
            decided[i, place] += count
            sums[i, place, WEIGHT] += weight
            sums[i, place, OF_Y] += of_y
            sums[i, place, OF_X] += of_x
            sums[i, place, OF_XX] += of_xx
            sums[i, place, OF_XY] += of_xy


@allocating_kernel
def pinball_losses(
    first: int,
    last: int,
    population: Population,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    numbers: Floats,
    weights: Floats,
    quantile: float,
    decided: Ints,
    losses: Floats,
) -> None:
    """Write the pinball loss of each individual if every rule predicts that quantile of the rows it decides.

    The rows are in ascending order of their numbers, so that the rows of a rule are too.
    """
    undecided = np.empty(len(valid), np.uint64)
    taken = np.empty(len(valid), np.uint64)
    default = decided.shape[1] - 1
    for i in range(first, last):
        n_rules = population.header[i, N_RULES]
        losses[i] = 0.0
        for w in range(len(valid)):
            undecided[w] = valid[w]
        for k in range(n_rules + 1):
            count = _take(population, i, k, mask_rows, masks, undecided, taken)
            weight, of_y = 0.0, 0.0
            for w in range(len(valid)):
                hit = taken[w]
                while hit != 0:
                    row = w * WORD + _lowest_row(hit)
                    hit &= hit - _ONE
                    weight += weights[row]
                    of_y += weights[row] * numbers[row]
            decided[i, k if k < n_rules else default] += count
            if count == 0:
                continue
            # Up to the quantile: the loss is (1 - q) times how far rows lie below it, and q times how far above.
            below, of_y_below, number = 0.0, 0.0, 0.0
            w = 0
            while w < len(valid) and below < quantile * weight:
                hit = taken[w]
                while hit != 0 and below < quantile * weight:
                    row = w * WORD + _lowest_row(hit)
                    hit &= hit - _ONE
                    below += weights[row]
                    of_y_below += weights[row] * numbers[row]
                    number = numbers[row]
                w += 1
            above, of_y_above = weight - below, of_y - of_y_below
            losses[i] += (1.0 - quantile) * (number * below - of_y_below) + quantile * (of_y_above - number * above)
