"""Guardrails on data: which rows pinned rules decide, and where rules may take which action."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.genome.arrays import bit_per_row
from evoter.kernels.layout import ACTION, DEFAULT, SLOT, Floats, Ints, Population, Words
from evoter.problems.deciding import TableDecisions
from evoter.problems.mask_cache import Masks
from evoter.rules.guardrails.forbidden import opposite
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Rule, RuleSet

Decide = Callable[[RuleSet], TableDecisions]
"""Decides on all rows by a rule set."""


class PinnedDecisions(NamedTuple):
    """Which rows no pinned rule decides, and for the others the rule, its action and its certainty."""

    free: NDArray[np.bool_]
    rules: Ints
    actions: Ints
    certainties: Floats


def pinned_decisions(rails: Guardrails, decide: Decide) -> PinnedDecisions:
    """Return what pinned rules decide, in whatever mode, since they come before all others."""
    found = decide(RuleSet(rails.pinned, rails.schema.actions[0], rails.schema, mode=rails.mode))
    free = ~np.asarray(found.active.any(axis=1))
    return PinnedDecisions(free, found.deciders, found.actions, found.certainties)


def allowed_actions(rails: Guardrails, decide: Decide) -> NDArray[np.bool_]:
    """Tell for each action and row whether rules may take it there: whether it is known not to be forbidden."""
    actions = rails.schema.actions
    rows = decide(RuleSet([], actions[0], rails.schema)).actions
    allowed = np.ones((len(actions), len(rows)), np.bool_)
    for each in rails.forbidden:
        rules = [Rule([opposite(condition)], each.action) for condition in each.conditions]
        known = decide(RuleSet(rules, each.action, rails.schema)).active.any(axis=1)
        allowed[actions.index(each.action)] &= known
    return allowed


def broken_rows(rails: Guardrails, decide: Decide, taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell on which rows a forbidden action is among those taken [row, action]."""
    broken = np.zeros(len(taken), np.bool_)
    for each in rails.forbidden:
        holds = decide(RuleSet([Rule(each.conditions, each.action)], each.action, rails.schema)).active[:, 0]
        broken |= holds & taken[:, rails.schema.actions.index(each.action)]
    return broken


def allowed_defaults(rails: Guardrails) -> Ints:
    """Return for each action the one that is taken if it is the default."""
    actions = rails.schema.actions
    return np.array([actions.index(rails.default(action)) for action in actions])


def as_masks(rows: NDArray[np.bool_]) -> Words:
    """Pack the truth values of each line into words."""
    return np.array([bit_per_row(row) for row in rows])


def with_defaults(population: Population, defaults: Ints) -> Population:
    """Return a population with other defaults, `defaults[action]` instead of an action."""
    header = population.header.copy()
    header[:, DEFAULT] = defaults[header[:, DEFAULT]]
    return population._replace(header=header)


def keep_away(population: Population, masks: Masks, allowed: Words) -> tuple[Population, Masks]:
    """Return a population whose rules hold only where their actions are allowed, and the masks of its rules.

    `allowed` has a mask for each action, on all rows. An antecedent has one mask for each action that it leads to.
    """
    n_actions = len(allowed)
    used = np.arange(population.max_rules) < population.n_rules[:, None]
    keys = population.rules[:, :, SLOT] * n_actions + population.rules[:, :, ACTION]
    pairs, inverse = np.unique(keys[used], return_inverse=True)
    slots, actions = np.divmod(pairs, n_actions)
    rules = population.rules.copy()
    rules[used, SLOT] = inverse
    here = allowed[:, masks.first_word : masks.first_word + masks.words.shape[1]]
    words = masks.words[masks.mask_rows[slots]] & here[actions]
    return population._replace(rules=rules), masks._replace(mask_rows=np.arange(len(pairs)), words=words)
