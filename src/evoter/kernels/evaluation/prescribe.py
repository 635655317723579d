"""Prescriptions: what whole populations prescribe on every row, and what that is predicted to bring about."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.evaluation.decide import TALLY_BLOCK
from evoter.kernels.evaluation.masks import popcount
from evoter.kernels.evaluation.modes import first_active
from evoter.kernels.layout import ACTION, DEFAULT, N_RULES, SLOT, WORD, Floats, Ints, Population, Words

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel
def _add_outcomes(word: np.uint64, first_row: int, outcomes: Floats, totals: Floats) -> int:
    """Add up the outcomes [row, objective] of the rows whose bits are set; return how many there are."""
    count = 0
    while word != _ZERO:
        row = first_row + int(popcount((word & (~word + _ONE)) - _ONE))
        for m in range(len(totals)):
            totals[m] += outcomes[row, m]
        word &= word - _ONE
        count += 1
    return count


@kernel
def _tally(
    i: int,
    start: int,
    population: Population,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    allowed: Words,
    defaults: Ints,
    outcomes: Floats,
    undecided: Words,
    decided: Ints,
    totals: Floats,
) -> None:
    """Add what individual `i` brings about on the undecided rows of a block that begins at word `start`."""
    n_rules = population.header[i, N_RULES]
    for k in range(n_rules + 1):
        r = order[i, k] if k < n_rules else decided.shape[1] - 1
        action = population.rules[i, r, ACTION] if k < n_rules else defaults[population.header[i, DEFAULT]]
        place = mask_rows[population.rules[i, r, SLOT]] if k < n_rules else 0
        left = _ZERO
        for w in range(len(undecided)):
            taken = undecided[w]
            if k < n_rules:
                taken &= masks[place, start + w] & allowed[action, start + w]
            if taken != _ZERO:
                undecided[w] ^= taken
                decided[i, r] += _add_outcomes(taken, (start + w) * WORD, outcomes[action], totals[i])
            left |= undecided[w]
        if left == _ZERO:
            return


@allocating_kernel
def tally_outcomes(
    first: int,
    last: int,
    population: Population,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    allowed: Words,
    defaults: Ints,
    outcomes: Floats,
    decided: Ints,
    totals: Floats,
) -> None:
    """Add up for individuals `first` to `last` the outcomes of what each of their rules prescribes.

    Rules take rows in `order`, each those that no earlier one took and where its action is allowed, `allowed[action]`
    being a mask. `defaults` says what is done where an action is the default. Adds to `decided` [rule, the default
    last] and to `totals` [objective], from `outcomes` [action, row, objective].
    """
    buffer = np.empty(TALLY_BLOCK, np.uint64)
    for start in range(0, len(valid), TALLY_BLOCK):
        stop = min(start + TALLY_BLOCK, len(valid))
        undecided = buffer[: stop - start]
        for i in range(first, last):
            for w in range(len(undecided)):
                undecided[w] = valid[start + w]
            _tally(
                i, start, population, order, mask_rows, masks, allowed, defaults, outcomes, undecided, decided, totals
            )  # fmt: skip


@allocating_kernel
def write_choices(
    first: int,
    last: int,
    population: Population,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    allowed: Words,
    codes: Ints,
    default_codes: Ints,
    choices: Ints,
    decided: Ints,
) -> None:
    """Write for individuals `first` to `last` the code of the rule that decides each row, or that of the default.

    `codes[i, r]` is the code of a rule, `choices[i, row]` what is written, for as many rows as there is room.
    """
    default = decided.shape[1] - 1
    for i in range(first, last):
        for row in range(choices.shape[1]):
            w, bit = row // WORD, _ONE << np.uint64(row % WORD)
            decider = first_active(population, i, order, mask_rows, masks, allowed, w, bit)
            if decider < population.header[i, N_RULES]:
                choices[i, row] = codes[i, decider]
                decided[i, decider] += 1
            else:
                choices[i, row] = default_codes[i]
                decided[i, default] += 1


@allocating_kernel
def write_sets(
    first: int,
    last: int,
    population: Population,
    mask_rows: Ints,
    masks: Words,
    allowed: Words,
    defaults: Ints,
    bits: Ints,
    given: Ints,
    is_given: Words,
    sets: Ints,
    decided: Ints,
) -> None:
    """Write for individuals `first` to `last` all actions that active rules prescribe on each row, as a set of bits.

    `bits[action]` is the bit of an action, 0 for doing nothing. `given[row]` is prescribed in any case; where it is, as
    the mask `is_given` says, a rule was active and the default does not count.
    """
    default = decided.shape[1] - 1
    for i in range(first, last):
        for row in range(sets.shape[1]):
            w, bit = row // WORD, _ONE << np.uint64(row % WORD)
            chosen = given[row]
            active = is_given[w] & bit != _ZERO
            for r in range(population.header[i, N_RULES]):
                action = population.rules[i, r, ACTION]
                if masks[mask_rows[population.rules[i, r, SLOT]], w] & allowed[action, w] & bit != _ZERO:
                    chosen |= bits[action]
                    active = True
                    decided[i, r] += 1
            if not active:
                chosen |= bits[defaults[population.header[i, DEFAULT]]]
                decided[i, default] += 1
            sets[i, row] = chosen
