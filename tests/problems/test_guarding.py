"""Guardrails on data: what pinned rules decide and where actions are allowed, by the interpreter."""

from functools import partial
from random import Random

import numpy as np
import pytest

from evoter.genome.arrays import table_rows
from evoter.genome.codec import decode, encode
from evoter.kernels.layout import DEFAULT, SLOT, Population
from evoter.kernels.threads import Threads
from evoter.problems.deciding import decide_columns
from evoter.problems.guarding import (
    allowed_actions,
    allowed_defaults,
    as_masks,
    broken_rows,
    keep_away,
    pinned_decisions,
    with_defaults,
)
from evoter.problems.mask_cache import MaskCache
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.interpreter import holds, is_active
from evoter.rules.model import Condition, Mode
from evoter.rules.schema import Feature, Schema
from guarding import random_rails
from tasks import MIXED, as_rows, random_columns, random_ruleset


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX])
def test_pinned_rules_decide_where_they_hold(mode: Mode) -> None:
    for seed in range(20):
        rng = Random(seed)
        rails = random_rails(rng, MIXED, mode)
        columns = random_columns(rng, MIXED, 30)
        found = pinned_decisions(rails, partial(decide_columns, columns=columns))
        for number, row in enumerate(as_rows(columns, MIXED)):
            active = [k for k, rule in enumerate(rails.pinned) if is_active(rule, [row], MIXED)]
            assert found.free[number] == (not active)
            if active:
                assert found.rules[number] == active[0]
                assert MIXED.actions[found.actions[number]] == rails.pinned[active[0]].action


def test_an_action_is_allowed_where_it_is_known_not_to_be_forbidden() -> None:
    schema = Schema([Feature("age", missing=True)], ["opioid", "rest"])
    rails = read_guardrails(schema, forbidden="age < 18 -> never opioid")
    decide = partial(decide_columns, columns=np.array([[10.0, 30.0, np.nan]]))
    assert allowed_actions(rails, decide).tolist() == [[False, True, False], [True, True, True]]
    everything = np.ones((3, 2), np.bool_)
    assert broken_rows(rails, decide, everything).tolist() == [True, False, False]
    assert allowed_defaults(rails).tolist() == [1, 1]


def test_rules_are_kept_away_from_where_their_action_is_forbidden() -> None:
    for seed in range(10):
        rng = Random(seed)
        columns = random_columns(rng, MIXED, 70)
        population = encode([random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(4)], MIXED)
        allowed = np.array([[rng.random() < 0.5 for _ in range(70)] for _ in MIXED.actions])
        cache = MaskCache(table_rows(columns, MIXED))
        (masks,) = cache.chunks(population, Threads(1))
        kept, own = keep_away(population, masks, as_masks(allowed))
        rows = as_rows(columns, MIXED)
        for i, ruleset in enumerate(map(partial(rules_of, population), range(4))):
            for r, (conditions, action) in enumerate(ruleset):
                bits = np.unpackbits(own.words[own.mask_rows[kept.rules[i, r, SLOT]]].view(np.uint8), bitorder="little")
                expected = [
                    all(holds(condition, [row], MIXED) for condition in conditions) and allowed[action, number]
                    for number, row in enumerate(rows)
                ]
                assert bits[:70].tolist() == expected


def rules_of(population: Population, i: int) -> list[tuple[tuple[Condition, ...], int]]:
    """The conditions and the action of each rule of an individual."""
    ruleset = decode(population, i, MIXED)
    return [(rule.conditions, MIXED.actions.index(rule.action)) for rule in ruleset.rules]


def test_defaults_are_replaced() -> None:
    population = encode([random_ruleset(Random(0), MIXED, Mode.FIRST)], MIXED)
    changed = with_defaults(population, np.array([2, 2, 2]))
    assert changed.header[0, DEFAULT] == 2
