"""Decisions: masks of antecedents combined into what each rule set decides, counted against the true classes."""

import numpy as np

from evoter.kernels.compilation import entry_kernel, kernel
from evoter.kernels.layout import (
    ACTION,
    ALL,
    DEFAULT,
    HARDMAX,
    N_RULES,
    SLOT,
    VOTE,
    WORD,
    Floats,
    Ints,
    Population,
    Words,
)
from evoter.kernels.masks import BLOCK, popcount

_ONE = np.uint64(1)


@entry_kernel
def order_rules(population: Population, mode: int, order: Ints) -> None:
    """Write the order in which each individual's rules claim rows: by certainty under hardmax, else as they stand.

    Insertion is stable, so of equally certain rules the earlier one comes first.
    """
    for i in range(len(population.header)):
        for r in range(population.header[i, N_RULES]):
            position = r
            if mode == HARDMAX:
                certainty = population.certainties[i, r]
                while position > 0 and population.certainties[i, order[i, position - 1]] < certainty:
                    order[i, position] = order[i, position - 1]
                    position -= 1
            order[i, position] = r


@entry_kernel
def add_applied(population: Population, places: Ints, counts: Ints, applied: Ints) -> None:
    """Add to each rule's count the number of rows on which its antecedent holds."""
    for i in range(len(population.header)):
        for r in range(population.header[i, N_RULES]):
            applied[i, r] += counts[places[population.rules[i, r, SLOT]]]


@kernel
def _sum_bits(word: np.uint64, weights: Floats) -> float:
    """Add up the weights of the rows whose bits are set, in the order of the rows."""
    total = 0.0
    while word != 0:
        lowest = word & (~word + _ONE)
        total += weights[popcount(lowest - _ONE)]
        word ^= lowest
    return total


@entry_kernel
def tally_first(
    first: int,
    last: int,
    population: Population,
    order: Ints,
    places: Ints,
    masks: Words,
    valid: Words,
    segments: Ints,
    weights: Floats,
    tally: Floats,
    decided: Ints,
) -> None:
    """Count for individuals `first` to `last` the rows of each class that each rule, and the default, decides.

    Rows are sorted by class, each class in whole words from `segments[c]` to `segments[c + 1]`: one popcount per
    word counts a class. `places` maps antecedent slots to rows of `masks`. With no `weights`, rows count 1 each.
    Counts are added to `tally` and `decided`, so that large data can come in chunks.
    """
    undecided = np.empty(BLOCK, np.uint64)
    weighted = len(weights) > 0
    default = tally.shape[1] - 1
    for c in range(len(segments) - 1):
        for start in range(segments[c], segments[c + 1], BLOCK):
            n = min(BLOCK, segments[c + 1] - start)
            for i in range(first, last):
                left = np.uint64(0)
                for w in range(n):
                    undecided[w] = valid[start + w]
                    left |= undecided[w]
                for k in range(population.header[i, N_RULES]):
                    if left == 0:
                        break
                    r = order[i, k]
                    mask = masks[places[population.rules[i, r, SLOT]]]
                    count = np.int64(0)
                    total = 0.0
                    left = np.uint64(0)
                    for w in range(n):
                        fired = mask[start + w] & undecided[w]
                        undecided[w] ^= fired
                        left |= undecided[w]
                        count += popcount(fired)
                        if weighted:
                            total += _sum_bits(fired, weights[(start + w) * WORD : (start + w + 1) * WORD])
                    decided[i, r] += count
                    tally[i, r, c] += total if weighted else float(count)
                if left != 0:
                    count = np.int64(0)
                    total = 0.0
                    for w in range(n):
                        count += popcount(undecided[w])
                        if weighted:
                            total += _sum_bits(undecided[w], weights[(start + w) * WORD : (start + w + 1) * WORD])
                    decided[i, default] += count
                    tally[i, default, c] += total if weighted else float(count)


@entry_kernel
def summarise(
    first: int,
    last: int,
    population: Population,
    mode: int,
    class_weights: Floats,
    applied: Ints,
    tally: Floats,
    decided: Ints,
    confusion: Floats,
    with_log_loss: bool,
    log_loss: Floats,
) -> None:
    """Add tallies per rule up to a weighted confusion matrix [action, class] and a log-loss per individual.

    A decision of certainty p gives its action the probability p and shares the rest among the other actions.
    In mode all every active rule decides, and the first of them counts as the prediction.
    """
    n_classes = tally.shape[2]
    default = tally.shape[1] - 1
    for i in range(first, last):
        for k in range(population.header[i, N_RULES] + 1):
            is_default = k == population.header[i, N_RULES]
            r = default if is_default else k
            action = population.header[i, DEFAULT] if is_default else population.rules[i, r, ACTION]
            certainty = population.default_certainties[i] if is_default else population.certainties[i, r]
            for c in range(n_classes):
                count = tally[i, r, c] * class_weights[c]
                if count > 0.0:
                    confusion[i, action, c] += count
                    if with_log_loss:
                        log_loss[i] -= count * np.log(_probability(certainty, action == c, n_classes))
            if mode == ALL and not is_default:
                decided[i, r] = applied[i, r]


@kernel
def _probability(certainty: float, right: bool, n_classes: int) -> float:
    """Return the probability that a decision gives to a class, kept away from 0 so that logarithms are finite."""
    probability = certainty if right else (1.0 - certainty) / max(n_classes - 1, 1)
    return max(probability, 1e-15)


@entry_kernel
def tally_vote(
    first: int,
    last: int,
    population: Population,
    places: Ints,
    masks: Words,
    valid: Words,
    segments: Ints,
    weights: Floats,
    class_weights: Floats,
    decided: Ints,
    confusion: Floats,
    log_loss: Floats,
) -> None:
    """Count what individuals `first` to `last` decide by vote, row by row; adds to the outputs of `summarise`."""
    default = decided.shape[1] - 1
    n_actions = confusion.shape[1]
    totals = np.empty(n_actions)
    counts = np.empty(n_actions, np.int64)
    for c in range(len(segments) - 1):
        for i in range(first, last):
            for w in range(segments[c], segments[c + 1]):
                for j in range(WORD):
                    bit = _ONE << np.uint64(j)
                    if valid[w] & bit == 0:
                        continue
                    weight = class_weights[c] * (weights[w * WORD + j] if len(weights) > 0 else 1.0)
                    action, certainty = poll(population, i, places, masks, w, bit, totals, counts)
                    if action < 0:
                        action = population.header[i, DEFAULT]
                        certainty = population.default_certainties[i]
                        decided[i, default] += 1
                    else:
                        for r in range(population.header[i, N_RULES]):
                            if (
                                population.rules[i, r, ACTION] == action
                                and masks[places[population.rules[i, r, SLOT]], w] & bit != 0
                            ):
                                decided[i, r] += 1
                    confusion[i, action, c] += weight
                    log_loss[i] -= weight * np.log(_probability(certainty, action == c, n_actions))


@kernel
def poll(
    population: Population, i: int, places: Ints, masks: Words, w: int, bit: np.uint64, totals: Floats, counts: Ints
) -> tuple[int, float]:
    """Return the winner of a vote on one row and its mean certainty; -1 where no rule is active.

    Of equal means the action wins whose first active rule comes earlier.
    """
    for action in range(len(totals)):
        totals[action] = 0.0
        counts[action] = 0
    for r in range(population.header[i, N_RULES]):
        if masks[places[population.rules[i, r, SLOT]], w] & bit != 0:
            totals[population.rules[i, r, ACTION]] += population.certainties[i, r]
            counts[population.rules[i, r, ACTION]] += 1
    winner = -1
    best = 0.0
    for r in range(population.header[i, N_RULES]):
        action = population.rules[i, r, ACTION]
        if counts[action] > 0 and masks[places[population.rules[i, r, SLOT]], w] & bit != 0:
            mean = totals[action] / counts[action]
            if mean > best:
                winner, best = action, mean
    return winner, best


@entry_kernel
def decide_rows(
    population: Population,
    i: int,
    mode: int,
    order: Ints,
    places: Ints,
    masks: Words,
    actions: Ints,
    certainties: Floats,
    deciders: Ints,
) -> None:
    """Write the action, certainty and deciding rule of individual `i` for every row.

    The decider is the rule's number, or the number of rules for the default; under vote it is the first
    active rule that voted for the winner.
    """
    n_rules = population.header[i, N_RULES]
    totals = np.empty(max(population.rules[i, :, ACTION].max(), population.header[i, DEFAULT]) + 1)
    counts = np.empty(len(totals), np.int64)
    for row in range(len(actions)):
        w = row // WORD
        bit = _ONE << np.uint64(row % WORD)
        decider = n_rules
        action = population.header[i, DEFAULT]
        certainty = population.default_certainties[i]
        if mode == VOTE:
            winner, mean = poll(population, i, places, masks, w, bit, totals, counts)
            if winner >= 0:
                action, certainty = winner, mean
        for k in range(n_rules):
            r = order[i, k]
            if masks[places[population.rules[i, r, SLOT]], w] & bit == 0:
                continue
            if mode != VOTE:
                action, certainty = population.rules[i, r, ACTION], population.certainties[i, r]
            elif population.rules[i, r, ACTION] != action:
                continue
            decider = r
            break
        actions[row] = action
        certainties[row] = certainty
        deciders[row] = decider
