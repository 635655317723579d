"""Refinement: children that improve a parent by exact moves, each the best change of one part of the rule set."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.conditions.identity import copy_condition
from evoter.kernels.conditions.meaning import n_counted
from evoter.kernels.conditions.trends import are_permitted
from evoter.kernels.evaluation.masks import BLOCK
from evoter.kernels.layout import (
    DEFAULT,
    FIRST_CUT,
    LAST_CUT,
    N_CATEGORIES,
    N_HEADER,
    N_RULES,
    WORD,
    Floats,
    Grammar,
    Ints,
    Offspring,
    Population,
    Refinement,
    Words,
)
from evoter.kernels.random import below, seed_stream, uniform
from evoter.kernels.refinement.draft import (
    COUNTED,
    DOES,
    LENGTH,
    N_DRAFT_FACTS,
    Draft,
    collect,
    fill_mask,
    gain_of_rule,
    gain_within,
    load_draft,
    move_rule,
    settle_actions,
    store_draft,
    weigh,
)
from evoter.kernels.refinement.sweep import N_FOUND, N_RATIOS, best_condition
from evoter.kernels.variation.breed import tournament
from evoter.kernels.variation.pruning import prune_conditions

INSERT: Final = 0
REPLACE: Final = 1
EXTEND: Final = 2
SHORTEN: Final = 3
DROP: Final = 4
SWAP: Final = 5

FRESH_RATE: Final = 0.3
"""How often a refined child starts without rules: what the population has in common may be a poor optimum."""

FRESH_MOVES: Final = 1_000
"""With fewer moves than this, no child starts without rules: it could not make up for them."""

NEW_ACTION_RATE: Final = 0.1
"""How often a rewritten rule may change its action."""


@kernel
def _draw_move(state: Words, n_rules: int, max_rules: int) -> int:
    """Draw a kind of move: replacing conditions is what improves most, so it is tried most."""
    u = uniform(state)
    if n_rules == 0 or (u < 0.15 and n_rules < max_rules):
        return INSERT
    if u < 0.55:
        return REPLACE
    if u < 0.7:
        return EXTEND
    if u < 0.8:
        return SHORTEN
    return DROP if u < 0.9 else SWAP


@kernel
def _accept(state: Words, change: float, temperature: float) -> bool:
    """Decide by Metropolis' rule: always for what is no worse, else with a probability that falls with the loss."""
    if change >= 0.0:
        return True
    return temperature > 0.0 and uniform(state) < np.exp(change / temperature)


@kernel
def _wanted_action(state: Words, draft: Draft, refinement: Refinement, n: int, wanted: Floats) -> int:
    """Draw an action in proportion to what the listed rows would gain if each took it instead of what follows."""
    for a in range(len(wanted)):
        wanted[a] = 0.0
    for t in range(n):
        row = draft.members[t]
        for a in range(len(wanted)):
            wanted[a] += max(refinement.rewards[row, a] - refinement.rewards[row, draft.fallbacks[t]], 0.0)
    left = uniform(state) * wanted.sum()
    for a in range(len(wanted)):
        left -= wanted[a]
        if left < 0.0:
            return a
    return below(state, len(wanted))


@kernel
def _remove_rule(draft: Draft, k: int) -> None:
    """Close the gap that rule `k` leaves."""
    n_rules = draft.header[N_RULES]
    for j in range(k, n_rules - 1):
        move_rule(draft, j + 1, j)
    draft.header[N_RULES] = n_rules - 1


@kernel
def _swap_rules(draft: Draft, j: int, k: int) -> None:
    """Exchange two rules by way of the spare row."""
    spare = len(draft.rules) - 1
    move_rule(draft, j, spare)
    move_rule(draft, k, j)
    move_rule(draft, spare, k)


@kernel
def _swap(
    state: Words, grammar: Grammar, refinement: Refinement, draft: Draft, value: float, temperature: float,
    sums: Floats, kept: Ints,
) -> float:  # fmt: skip
    """Exchange two rules and give all rules their best actions, or undo it; return the new value."""
    n_rules = draft.header[N_RULES]
    j, k = below(state, n_rules), below(state, n_rules)
    for r in range(n_rules):
        kept[r] = draft.rules[r, DOES]
    kept[n_rules] = draft.header[DEFAULT]
    _swap_rules(draft, j, k)
    changed = settle_actions(draft, grammar, refinement, sums)
    if _accept(state, changed - value, temperature):
        return changed
    _swap_rules(draft, j, k)
    for r in range(n_rules):
        draft.rules[r, DOES] = kept[r]
    draft.header[DEFAULT] = kept[n_rules]
    return value


@kernel
def _drop(state: Words, refinement: Refinement, draft: Draft, k: int, value: float, temperature: float) -> float:
    """Remove rule `k`, if that is accepted; return the new value."""
    lost = gain_of_rule(draft, refinement, k, collect(draft, draft.masks[k], k, k + 1))
    lost -= refinement.price * refinement.action_sizes[draft.rules[k, DOES]]
    if not _accept(state, refinement.price * draft.rules[k, COUNTED] - lost, temperature):
        return value
    _remove_rule(draft, k)
    return value - lost


@kernel
def _shorten(
    state: Words, refinement: Refinement, draft: Draft, k: int, position: int, value: float, temperature: float
) -> float:
    """Remove condition `position` of rule `k`, if that is accepted; return the new value."""
    n = collect(draft, draft.mask, k, k + 1)
    present = gain_of_rule(draft, refinement, k, n)
    n = weigh(draft, refinement, n, draft.rules[k, DOES])
    change = -present
    for t in range(n):
        change += draft.gains[t]
    counted = n_counted(draft.codes[k, position])
    if not _accept(state, change + refinement.price * counted, temperature):
        return value
    length = draft.rules[k, LENGTH]
    for c in range(position, length - 1):
        copy_condition(draft.codes[k, c + 1], draft.numbers[k, c + 1], draft.codes[k, c], draft.numbers[k, c])
    draft.rules[k, LENGTH] = length - 1
    draft.rules[k, COUNTED] -= counted
    for w in range(len(draft.mask)):
        draft.masks[k, w] = draft.mask[w]
    return value + change


@kernel
def _write(
    state: Words, grammar: Grammar, refinement: Refinement, draft: Draft, move: int, k: int, position: int,
    value: float, temperature: float, scratch: Floats, sums: Floats, trial: Ints,
) -> float:  # fmt: skip
    """Insert a rule at `k`, or write the best condition at `position` of rule `k`; return the new value."""
    spare = len(draft.rules) - 1
    n = collect(draft, draft.mask, k, k if move == INSERT else k + 1)
    length, counted, present = 0, 0, 0.0
    if move != INSERT:
        length, counted = draft.rules[k, LENGTH], draft.rules[k, COUNTED]
        present = gain_of_rule(draft, refinement, k, n)
        present -= refinement.price * refinement.action_sizes[draft.rules[k, DOES]]
    # The others first, so that pruning need look at the new one only.
    kept = 0
    for c in range(length):
        if c != position:
            copy_condition(draft.codes[k, c], draft.numbers[k, c], draft.codes[spare, kept], draft.numbers[spare, kept])
            kept += 1
    codes, numbers = draft.codes[spare], draft.numbers[spare]
    if move == INSERT or uniform(state) < NEW_ACTION_RATE:
        action = _wanted_action(state, draft, refinement, n, sums)
        if not are_permitted(grammar, action, codes, numbers, kept):
            action = draft.rules[k, DOES]
    else:
        action = draft.rules[k, DOES]
    n = weigh(draft, refinement, n, action)
    if n == 0 or not best_condition(
        state, grammar, refinement, action, draft.members, draft.gains, n, scratch[N_FOUND:], scratch[:N_FOUND],
        codes[kept], numbers[kept], trial,
    ):  # fmt: skip
        return value
    n_conditions = prune_conditions(grammar, codes, numbers, kept, kept + 1)
    if n_conditions < 1:
        return value
    draft.rules[spare, LENGTH], draft.rules[spare, DOES], draft.rules[spare, COUNTED] = n_conditions, action, 0
    for c in range(n_conditions):
        draft.rules[spare, COUNTED] += n_counted(codes[c])
    fill_mask(draft, refinement.rows, spare, -1, draft.masks[spare])
    change = gain_within(draft, draft.masks[spare], n) - present
    change -= refinement.price * refinement.action_sizes[action]
    if not _accept(state, change - refinement.price * (draft.rules[spare, COUNTED] - counted), temperature):
        return value
    if move == INSERT:
        for j in range(draft.header[N_RULES], k, -1):
            move_rule(draft, j - 1, j)
        draft.header[N_RULES] += 1
    move_rule(draft, spare, k)
    return value + change


@kernel
def _move(
    state: Words, grammar: Grammar, refinement: Refinement, draft: Draft, value: float, temperature: float,
    scratch: Floats, sums: Floats, kept: Ints, trial: Ints,
) -> float:  # fmt: skip
    """Try one move; return the new value."""
    n_rules = draft.header[N_RULES]
    move = _draw_move(state, n_rules, len(draft.rules) - 1)
    if move == SWAP:
        return _swap(state, grammar, refinement, draft, value, temperature, sums, kept)
    k = below(state, n_rules + 1 if move == INSERT else n_rules)
    length = 0 if move == INSERT else draft.rules[k, LENGTH]
    if move == DROP or (move == SHORTEN and length == 1):
        return _drop(state, refinement, draft, k, value, temperature)
    position = length
    if move == REPLACE or move == SHORTEN:
        position = below(state, length)
        fill_mask(draft, refinement.rows, k, position, draft.mask)
        if move == SHORTEN:
            return _shorten(state, refinement, draft, k, position, value, temperature)
    elif move == EXTEND:
        if length == draft.codes.shape[1]:
            return value
        for w in range(len(draft.mask)):
            draft.mask[w] = draft.masks[k, w]
    else:
        for w in range(len(draft.mask)):
            draft.mask[w] = refinement.rows.valid[w]
    return _write(
        state, grammar, refinement, draft, move, k, position, value, temperature, scratch, sums, trial
    )  # fmt: skip


@allocating_kernel
def refine(
    first: int,
    last: int,
    seed: int,
    generation: int,
    population: Population,
    ranks: Ints,
    tournament_size: int,
    grammar: Grammar,
    refinement: Refinement,
    offspring: Offspring,
    first_child: int,
    prices: Floats,
) -> None:
    """Make the refined children `first` to `last`, counted from `first_child`, each from its own stream.

    Child `i` pays `prices[i]` for a condition. Each has its own temperature, between 0 and that of the refinement: some
    only climb, others also accept losses.
    """
    max_rules, max_conditions = offspring.rules.shape[1], offspring.new_codes.shape[1]
    n_words = len(refinement.rows.valid)
    draft = Draft(
        np.zeros(N_HEADER, np.int64),
        np.zeros((max_rules + 1, N_DRAFT_FACTS), np.int64),
        np.zeros((max_rules + 1, max_conditions, N_CODES), np.int64),
        np.zeros((max_rules + 1, max_conditions, N_NUMBERS)),
        np.zeros((max_rules + 1, n_words), np.uint64),
        np.zeros(n_words, np.uint64),
        np.zeros(n_words * WORD, np.int64),
        np.zeros(n_words * WORD, np.int64),
        np.zeros(n_words * WORD),
        np.zeros(BLOCK * WORD),
        np.zeros(BLOCK * WORD),
    )
    n_bins = N_RATIOS + 1
    for facts in grammar.features:
        n_bins = max(n_bins, facts[LAST_CUT] - facts[FIRST_CUT] + 1, facts[N_CATEGORIES] + 1)
    for s in range(len(refinement.sums.coefficients)):
        n_bins = max(n_bins, refinement.sums.first_cuts[s + 1] - refinement.sums.first_cuts[s] + 1)
    scratch = np.zeros(N_FOUND + n_bins)
    sums = np.zeros(refinement.rewards.shape[1])
    kept = np.zeros(max_rules + 1, np.int64)
    trial = np.zeros(N_CODES, np.int64)
    state = np.empty(1, np.uint64)
    for i in range(first, last):
        child = first_child + i
        seed_stream(state, seed, generation, child)
        load_draft(draft, population, tournament(state, ranks, tournament_size), refinement.rows)
        if refinement.n_moves >= FRESH_MOVES and uniform(state) < FRESH_RATE:
            draft.header[N_RULES] = 0
        mine = Refinement(
            refinement.rows,
            refinement.ranks,
            refinement.sums,
            refinement.rewards,
            prices[i],
            refinement.temperature,
            refinement.at_most,
            refinement.above,
            refinement.n_moves,
            refinement.n_tries,
            refinement.feature_cdf,
            refinement.action_sizes,
        )
        value = settle_actions(draft, grammar, mine, sums)
        temperature = mine.temperature * uniform(state)
        for move in range(mine.n_moves):
            heat = temperature * (1.0 - (move + 1) / mine.n_moves)
            value = _move(state, grammar, mine, draft, value, heat, scratch, sums, kept, trial)
        store_draft(draft, offspring, child)
