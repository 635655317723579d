"""Drafts: one rule set unpacked, with a mask for every rule, so that single moves are cheap to evaluate."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.identity import copy_condition, sort_conditions
from evoter.kernels.conditions.trends import are_permitted
from evoter.kernels.evaluation.masks import BLOCK, and_condition, popcount
from evoter.kernels.layout import (
    ACTION,
    DEFAULT,
    FIRST_NEW,
    N_CONDITIONS,
    N_NEW,
    N_RULES,
    SIZE,
    SLOT,
    WORD,
    Floats,
    Grammar,
    Ints,
    Offspring,
    Population,
    Refinement,
    Rows,
    Words,
)

# Columns of a draft's rules.
LENGTH: Final = 0
DOES: Final = 1
COUNTED: Final = 2
"""What the conditions of a rule count towards complexity."""
N_DRAFT_FACTS: Final = 3

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


class Draft(NamedTuple):
    """A rule set under refinement, with one spare row for a rule, and scratch space.

    Its header (number of rules, default), per rule its length, action and size, its conditions and its mask; then a
    mask, a list of rows with the action that follows for each and what each gains, and room for two terms.
    """

    header: Ints
    rules: Ints
    codes: Ints
    numbers: Floats
    masks: Words
    mask: Words
    members: Ints
    fallbacks: Ints
    gains: Floats
    left: Floats
    right: Floats


@kernel
def row_of_lowest_bit(word: np.uint64, w: int) -> int:
    """Return the row of the lowest bit of word `w` of a mask."""
    return w * WORD + int(popcount((word & (~word + _ONE)) - _ONE))


@kernel
def load_draft(draft: Draft, population: Population, i: int, rows: Rows) -> None:
    """Unpack individual `i` of a population."""
    antecedents = population.antecedents
    n_rules = population.header[i, N_RULES]
    draft.header[N_RULES], draft.header[DEFAULT] = n_rules, population.header[i, DEFAULT]
    for k in range(n_rules):
        slot = population.rules[i, k, SLOT]
        n = antecedents.facts[slot, N_CONDITIONS]
        for c in range(n):
            copy_condition(
                antecedents.codes[slot, c], antecedents.numbers[slot, c], draft.codes[k, c], draft.numbers[k, c]
            )
        draft.rules[k, LENGTH], draft.rules[k, DOES] = n, population.rules[i, k, ACTION]
        draft.rules[k, COUNTED] = antecedents.facts[slot, SIZE]
        fill_mask(draft, rows, k, -1, draft.masks[k])


@kernel
def store_draft(draft: Draft, offspring: Offspring, i: int) -> None:
    """Write a draft as child `i`, every rule with an antecedent of its own."""
    first = i * offspring.rules.shape[1]
    n_rules = draft.header[N_RULES]
    offspring.header[i, N_RULES], offspring.header[i, DEFAULT] = n_rules, draft.header[DEFAULT]
    offspring.header[i, FIRST_NEW], offspring.header[i, N_NEW] = first, n_rules
    offspring.default_certainties[i] = 1.0
    for k in range(n_rules):
        n = draft.rules[k, LENGTH]
        sort_conditions(draft.codes[k], draft.numbers[k], n)
        for c in range(n):
            new = first + k
            copy_condition(
                draft.codes[k, c], draft.numbers[k, c], offspring.new_codes[new, c], offspring.new_numbers[new, c]
            )
        offspring.new_n_conditions[first + k] = n
        offspring.rules[i, k, SLOT], offspring.rules[i, k, ACTION] = -1 - (first + k), draft.rules[k, DOES]
        offspring.certainties[i, k] = 1.0


@kernel
def fill_mask(draft: Draft, rows: Rows, k: int, without: int, mask: Words) -> None:
    """Compute where the conditions of rule `k` hold, all but number `without`."""
    n_words = len(rows.valid)
    for start in range(0, n_words, BLOCK):
        stop = min(start + BLOCK, n_words)
        block = mask[start:stop]
        for w in range(start, stop):
            block[w - start] = rows.valid[w]
        for c in range(draft.rules[k, LENGTH]):
            if c != without:
                and_condition(
                    rows, draft.codes[k, c], draft.numbers[k, c], start * WORD, draft.left, draft.right, block
                )


@kernel
def move_rule(draft: Draft, origin: int, target: int) -> None:
    """Copy rule `origin` of a draft over rule `target`."""
    for c in range(draft.rules[origin, LENGTH]):
        copy_condition(
            draft.codes[origin, c], draft.numbers[origin, c], draft.codes[target, c], draft.numbers[target, c]
        )
    for fact in range(N_DRAFT_FACTS):
        draft.rules[target, fact] = draft.rules[origin, fact]
    for w in range(draft.masks.shape[1]):
        draft.masks[target, w] = draft.masks[origin, w]


@kernel
def collect(draft: Draft, mask: Words, before: int, after: int) -> int:
    """List the rows of `mask` that rules 0 to `before` - 1 leave, with the action that rules from `after` on take."""
    n = 0
    n_rules, default = draft.header[N_RULES], draft.header[DEFAULT]
    for w in range(len(mask)):
        undecided = mask[w]
        for k in range(before):
            undecided &= ~draft.masks[k, w]
        for k in range(after, n_rules + 1):
            if undecided == _ZERO:
                break
            hit = undecided & draft.masks[k, w] if k < n_rules else undecided
            action = draft.rules[k, DOES] if k < n_rules else default
            undecided &= ~hit
            while hit != _ZERO:
                draft.members[n] = row_of_lowest_bit(hit, w)
                draft.fallbacks[n] = action
                hit &= hit - _ONE
                n += 1
    return n


@kernel
def weigh(draft: Draft, refinement: Refinement, n: int, action: int) -> int:
    """Turn a list of rows into those that gain or lose by an action instead of what follows; return their number."""
    kept = 0
    for t in range(n):
        row = draft.members[t]
        gain = refinement.rewards[row, action] - refinement.rewards[row, draft.fallbacks[t]]
        if gain != 0.0:
            draft.members[kept] = row
            draft.gains[kept] = gain
            kept += 1
    return kept


@kernel
def _holds(mask: Words, row: int) -> bool:
    return bool((mask[row // WORD] >> np.uint64(row % WORD)) & _ONE != _ZERO)


@kernel
def gain_within(draft: Draft, mask: Words, n: int) -> float:
    """Add up the gains of those listed rows that are in a mask."""
    total = 0.0
    for t in range(n):
        if _holds(mask, draft.members[t]):
            total += draft.gains[t]
    return total


@kernel
def gain_of_rule(draft: Draft, refinement: Refinement, k: int, n: int) -> float:
    """Add up what the listed rows gain by rule `k` as it is, instead of what follows."""
    total = 0.0
    for t in range(n):
        row = draft.members[t]
        if _holds(draft.masks[k], row):
            total += refinement.rewards[row, draft.rules[k, DOES]] - refinement.rewards[row, draft.fallbacks[t]]
    return total


@kernel
def _may_do(draft: Draft, grammar: Grammar, k: int, action: int) -> bool:
    return are_permitted(grammar, action, draft.codes[k], draft.numbers[k], draft.rules[k, LENGTH])


@kernel
def settle_actions(draft: Draft, grammar: Grammar, refinement: Refinement, rewards: Floats) -> float:
    """Give every rule and the default the action that rewards most on the rows it decides; return the reward of all.

    Rules get only actions that their conditions are permitted for. The price of linear terms is taken off.
    """
    n_rules = draft.header[N_RULES]
    total = 0.0
    for w in range(len(draft.mask)):
        draft.mask[w] = refinement.rows.valid[w]
    for k in range(n_rules + 1):
        for a in range(len(rewards)):
            rewards[a] = -refinement.price * refinement.action_sizes[a]
        decided = 0
        for w in range(len(draft.mask)):
            hit = draft.mask[w] & draft.masks[k, w] if k < n_rules else draft.mask[w]
            draft.mask[w] &= ~hit
            while hit != _ZERO:
                row = row_of_lowest_bit(hit, w)
                for a in range(len(rewards)):
                    rewards[a] += refinement.rewards[row, a]
                hit &= hit - _ONE
                decided += 1
        action = draft.rules[k, DOES] if k < n_rules else draft.header[DEFAULT]
        for a in range(len(rewards)):
            if rewards[a] > rewards[action] and (k == n_rules or _may_do(draft, grammar, k, a)):
                action = a
        if k < n_rules:
            draft.rules[k, DOES] = action
        else:
            draft.header[DEFAULT] = action
        total += rewards[action]
    return total
