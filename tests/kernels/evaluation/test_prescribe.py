"""What populations prescribe, and what it adds up to, as the interpreter says."""

from random import Random

import numpy as np
import pytest

from evoter.genome.arrays import bit_per_row, table_rows
from evoter.genome.codec import encode
from evoter.genome.deciding import claim_order
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.evaluation.prescribe import tally_outcomes, write_choices, write_sets
from evoter.kernels.layout import Floats, Words
from evoter.rules.interpreter import decide
from evoter.rules.model import Mode, RuleSet
from tasks import MIXED, as_rows, random_columns, random_ruleset

N_ROWS = 200


def masks_of(rulesets: list[RuleSet], columns: Floats) -> Words:
    population = encode(rulesets, MIXED)
    rows = table_rows(columns, MIXED)
    slots = np.arange(len(population.antecedents.facts))
    masks = np.zeros((len(slots), len(rows.valid)), np.uint64)
    fill_masks(0, len(slots), rows, population.antecedents, slots, slots, masks, np.zeros(len(slots), np.int64))
    return masks


def case(seed: int, mode: Mode) -> tuple[list[RuleSet], Floats, Words]:
    rng = Random(seed)
    rulesets = [random_ruleset(rng, MIXED, mode) for _ in range(12)]
    columns = random_columns(rng, MIXED, N_ROWS)
    return rulesets, columns, masks_of(rulesets, columns)


EVERYWHERE = np.array([bit_per_row(np.ones(N_ROWS, np.bool_))] * 3)


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX])
def test_outcomes_add_up_over_the_decisions(mode: Mode) -> None:
    for seed in range(10):
        rulesets, columns, masks = case(seed, mode)
        population = encode(rulesets, MIXED)
        outcomes = np.random.default_rng(seed).integers(-9, 9, (3, 256, 2)).astype(np.float64)
        decided = np.zeros((12, population.max_rules + 1), np.int64)
        totals = np.zeros((12, 2))
        order, places = claim_order(population, mode), np.arange(len(masks))
        tables = (EVERYWHERE[0], EVERYWHERE, np.arange(3), outcomes)
        tally_outcomes(0, 12, population, order, places, masks, *tables, decided, totals)
        codes = np.arange(population.max_rules)[None].repeat(12, axis=0)
        choices = np.empty((12, N_ROWS), np.int64)
        written = np.zeros_like(decided)
        inputs = (population, order, places, masks, EVERYWHERE, codes, np.full(12, -1))
        write_choices(0, 12, *inputs, choices, written)
        assert np.array_equal(written, decided)
        for i, ruleset in enumerate(rulesets):
            decisions = [decide(ruleset, row) for row in as_rows(columns, MIXED)]
            actions = [MIXED.actions.index(decision.action) for decision in decisions]
            assert totals[i].tolist() == outcomes[actions, np.arange(N_ROWS)].sum(axis=0).tolist()
            assert choices[i].tolist() == [(*decision.deciding, -1)[0] for decision in decisions]


def test_sets_hold_the_actions_of_all_active_rules() -> None:
    for seed in range(10):
        rulesets, columns, masks = case(seed, Mode.ALL)
        population = encode(rulesets, MIXED)
        sets, decided = np.empty((12, N_ROWS), np.int64), np.zeros((12, population.max_rules + 1), np.int64)
        bits = np.array([1, 2, 0])
        nothing = (np.zeros(N_ROWS, np.int64), np.zeros_like(EVERYWHERE[0]))
        tables = (np.arange(len(masks)), masks, EVERYWHERE, np.arange(3), bits, *nothing)
        write_sets(0, 12, population, *tables, sets, decided)
        for i, ruleset in enumerate(rulesets):
            expected = [
                sum(bits[MIXED.actions.index(action)] for action in set(decide(ruleset, row).actions))
                for row in as_rows(columns, MIXED)
            ]
            assert sets[i].tolist() == expected


def test_what_is_not_allowed_is_left_to_others() -> None:
    rulesets, _, masks = case(3, Mode.FIRST)
    population = encode(rulesets, MIXED)
    allowed = EVERYWHERE.copy()
    allowed[:2] = 0  # only the last action is left, and the default does it too
    outcomes = np.zeros((3, 256, 1))
    outcomes[:2] = 1.0
    totals, decided = np.zeros((12, 1)), np.zeros((12, population.max_rules + 1), np.int64)
    order = claim_order(population, Mode.FIRST)
    tables = (EVERYWHERE[0], allowed, np.full(3, 2), outcomes)
    tally_outcomes(0, 12, population, order, np.arange(len(masks)), masks, *tables, decided, totals)
    assert not totals.any()
    assert (decided.sum(axis=1) == N_ROWS).all()
