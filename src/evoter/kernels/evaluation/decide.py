"""Decisions: masks of antecedents combined into what each rule set decides, counted against the true classes."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, entry_kernel, kernel
from evoter.kernels.evaluation.masks import popcount
from evoter.kernels.evaluation.modes import decide_row, shares_decision
from evoter.kernels.layout import (
    ACTION,
    DEFAULT,
    IN_ORDER,
    N_RULES,
    SLOT,
    WORD,
    Floats,
    Ints,
    Population,
    Words,
)

_ONE = np.uint64(1)

TALLY_BLOCK = 128
"""Words counted at a time: many, so that the loop pays; few, so that the masks of a population stay in the cache."""


@entry_kernel
def add_applied(population: Population, mask_rows: Ints, counts: Ints, applied: Ints) -> None:
    """Add to each rule's count the number of rows on which its antecedent holds."""
    for i in range(len(population.header)):
        for r in range(population.header[i, N_RULES]):
            applied[i, r] += counts[mask_rows[population.rules[i, r, SLOT]]]


@kernel
def _sum_bits(word: np.uint64, weights: Floats) -> float:
    """Add up the weights of the rows whose bits are set, in the order of the rows."""
    total = 0.0
    while word != 0:
        lowest = word & (~word + _ONE)
        total += weights[popcount(lowest - _ONE)]
        word ^= lowest
    return total


@kernel
def _record(
    confusion: Floats,
    log_loss: Floats,
    i: int,
    c: int,
    action: int,
    certainty: float,
    weight: float,
    with_log_loss: bool,
) -> None:
    """Add rows of class `c` that individual `i` gave to `action` to its counts.

    A decision of certainty p gives its action the probability p and shares the rest among the others; probabilities are
    kept away from 0 so that logarithms are finite.
    """
    confusion[i, action, c] += weight
    if with_log_loss:
        probability = certainty if action == c else (1.0 - certainty) / max(confusion.shape[2] - 1, 1)
        log_loss[i] -= weight * np.log(max(probability, 1e-15))


@kernel
def _weigh(mask: Words, undecided: Words, weights: Floats) -> float:
    """Add up the weights of the undecided rows of a mask, in the order of the rows."""
    total = 0.0
    for w in range(len(mask)):
        total += _sum_bits(mask[w] & undecided[w], weights[w * WORD : (w + 1) * WORD])
    return total


@kernel
def _take(mask: Words, undecided: Words) -> int:
    """Take the rows of a mask away from the undecided ones; return how many there were."""
    count = np.int64(0)
    for w in range(len(mask)):
        taken = mask[w] & undecided[w]
        undecided[w] ^= taken
        count += popcount(taken)
    return int(count)


@kernel
def _tally(
    first: int,
    last: int,
    population: Population,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    segments: Ints,
    weights: Floats,
    class_weights: Floats,
    with_log_loss: bool,
    decided: Ints,
    confusion: Floats,
    log_loss: Floats,
    buffer: Words,
) -> None:
    """Do the work of `tally_in_order`, without the reference counting of a kernel that allocates."""
    weighted = len(weights) > 0
    default = decided.shape[1] - 1
    for c in range(len(segments) - 1):
        for start in range(segments[c], segments[c + 1], TALLY_BLOCK):
            stop = min(start + TALLY_BLOCK, segments[c + 1])
            everyone = valid[start:stop]
            undecided = buffer[: stop - start]
            n_rows = np.int64(0)
            for word in everyone:
                n_rows += popcount(word)
            for i in range(first, last):
                for w in range(len(undecided)):
                    undecided[w] = everyone[w]
                n_left = n_rows
                for k in range(population.header[i, N_RULES]):
                    if n_left == 0:
                        break
                    r = order[i, k]
                    mask = masks[mask_rows[population.rules[i, r, SLOT]], start:stop]
                    total = _weigh(mask, undecided, weights[start * WORD : stop * WORD]) if weighted else 0.0
                    count = _take(mask, undecided)
                    n_left -= count
                    if count > 0:
                        decided[i, r] += count
                        weight = class_weights[c] * (total if weighted else float(count))
                        action, certainty = population.rules[i, r, ACTION], population.certainties[i, r]
                        _record(confusion, log_loss, i, c, action, certainty, weight, with_log_loss)
                if n_left != 0:
                    total = _weigh(everyone, undecided, weights[start * WORD : stop * WORD]) if weighted else 0.0
                    decided[i, default] += n_left
                    weight = class_weights[c] * (total if weighted else float(n_left))
                    action, certainty = population.header[i, DEFAULT], population.default_certainties[i]
                    _record(confusion, log_loss, i, c, action, certainty, weight, with_log_loss)


@allocating_kernel
def tally_in_order(
    first: int,
    last: int,
    population: Population,
    procedure: int,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    segments: Ints,
    weights: Floats,
    class_weights: Floats,
    with_log_loss: bool,
    decided: Ints,
    confusion: Floats,
    log_loss: Floats,
) -> None:
    """Count for individuals `first` to `last` what their rules, each on the rows that no earlier one took, decide.

    Whole words are decided at once, which only procedure IN_ORDER allows. Rules take rows in `order`.

    Rows are sorted by class, each class in whole words from `segments[c]` to `segments[c + 1]`: one popcount per
    word counts a class. `mask_rows` maps antecedent slots to rows of `masks`. Without `weights`, rows count 1 each.
    Adds to `decided` [rule, the default last], `confusion` [action, class] and `log_loss`, so that large
    data can come in chunks.
    """
    if procedure != IN_ORDER:
        raise ValueError("only rules that are tried in order can take whole words of rows")
    buffer = np.empty(TALLY_BLOCK, np.uint64)
    _tally(
        first,
        last,
        population,
        order,
        mask_rows,
        masks,
        valid,
        segments,
        weights,
        class_weights,
        with_log_loss,
        decided,
        confusion,
        log_loss,
        buffer,
    )


@allocating_kernel
def tally_rows(
    first: int,
    last: int,
    population: Population,
    procedure: int,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    valid: Words,
    segments: Ints,
    weights: Floats,
    class_weights: Floats,
    with_log_loss: bool,
    decided: Ints,
    confusion: Floats,
    log_loss: Floats,
) -> None:
    """Count what individuals `first` to `last` decide by any procedure, row by row, as `tally_in_order` does."""
    default = decided.shape[1] - 1
    n_actions = confusion.shape[1]
    totals = np.empty(n_actions)
    counts = np.empty(n_actions, np.int64)
    everywhere = np.empty((0, 0), np.uint64)
    for c in range(len(segments) - 1):
        for i in range(first, last):
            n_rules = population.header[i, N_RULES]
            for w in range(segments[c], segments[c + 1]):
                for j in range(WORD):
                    bit = _ONE << np.uint64(j)
                    if valid[w] & bit == 0:
                        continue
                    decider, action, certainty = decide_row(
                        procedure, population, i, order, mask_rows, masks, everywhere, w, bit, totals, counts
                    )
                    if decider == n_rules:
                        decided[i, default] += 1
                    else:
                        for r in range(n_rules):
                            if masks[mask_rows[population.rules[i, r, SLOT]], w] & bit != 0 and shares_decision(
                                procedure, population, i, r, decider
                            ):
                                decided[i, r] += 1
                    weight = class_weights[c] * (weights[w * WORD + j] if len(weights) > 0 else 1.0)
                    _record(confusion, log_loss, i, c, action, certainty, weight, with_log_loss)


@allocating_kernel
def decide_rows(
    population: Population,
    i: int,
    procedure: int,
    order: Ints,
    mask_rows: Ints,
    masks: Words,
    n_actions: int,
    actions: Ints,
    certainties: Floats,
    deciders: Ints,
) -> None:
    """Write the action, certainty and deciding rule of individual `i` for every row.

    The decider is the rule's number, or the number of rules for the default; under vote it is the first
    active rule that voted for the winner.
    """
    totals = np.empty(n_actions)
    counts = np.empty(n_actions, np.int64)
    everywhere = np.empty((0, 0), np.uint64)
    for row in range(len(actions)):
        w = row // WORD
        bit = _ONE << np.uint64(row % WORD)
        deciders[row], actions[row], certainties[row] = decide_row(
            procedure, population, i, order, mask_rows, masks, everywhere, w, bit, totals, counts
        )
