"""Deciding row by row and word by word is the same, and a code that no kernel knows is an error."""

from random import Random

import numpy as np
import pytest

from evoter.genome.arrays import table_rows
from evoter.genome.codec import encode
from evoter.genome.deciding import claim_order, row_decider
from evoter.kernels.evaluation.behaviour import decide_planes
from evoter.kernels.evaluation.decide import decide_rows, tally_in_order, tally_rows
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import IN_ORDER, POLL, Floats, Ints, Population, Words
from evoter.rules.model import Mode
from tasks import MIXED, mixed_columns, random_ruleset

N_ROWS = 192
UNKNOWN = 99


def population_and_masks(mode: Mode) -> tuple[Population, Words, Words]:
    rng = Random(str(mode))
    population = encode([random_ruleset(rng, MIXED, mode) for _ in range(20)], MIXED)
    rows = table_rows(mixed_columns(np.random.default_rng(0), N_ROWS), MIXED)
    slots = np.arange(len(population.antecedents.facts))
    masks = np.zeros((len(slots), len(rows.valid)), np.uint64)
    fill_masks(0, len(slots), rows, population.antecedents, slots, slots, masks, np.zeros(len(slots), np.int64))
    return population, masks, rows.valid


def tallied(tally: object, population: Population, code: int, order: Ints, *tables: object) -> tuple[Ints, Floats]:
    assert callable(tally)
    decided = np.zeros((population.size, population.max_rules + 1), np.int64)
    confusion, log_loss = np.zeros((population.size, 3, 3)), np.zeros(population.size)
    segments, weights = np.array([0, 1, 2, 3]), np.empty(0)
    outputs = (segments, weights, np.ones(3), False, decided, confusion, log_loss)
    tally(0, population.size, population, code, order, *tables, *outputs)
    return decided, confusion


@pytest.mark.parametrize("mode", [mode for mode in Mode if row_decider(mode).code == IN_ORDER])
def test_whole_words_are_decided_as_single_rows_are(mode: Mode) -> None:
    population, masks, valid = population_and_masks(mode)
    tables = (claim_order(population, mode), np.arange(len(masks)), masks, valid)
    by_word = tallied(tally_in_order, population, IN_ORDER, *tables)
    by_row = tallied(tally_rows, population, IN_ORDER, *tables)
    assert by_word[0].sum() == by_word[1].sum() == population.size * N_ROWS
    assert np.array_equal(by_word[0], by_row[0])
    assert np.array_equal(by_word[1], by_row[1])


@pytest.mark.parametrize("mode", Mode)
def test_a_code_that_no_kernel_knows_is_an_error(mode: Mode) -> None:
    population, masks, valid = population_and_masks(mode)
    order, places = claim_order(population, mode), np.arange(len(masks))
    for tally, code in ((tally_in_order, UNKNOWN), (tally_in_order, POLL), (tally_rows, UNKNOWN)):
        with pytest.raises(ValueError, match=r"procedure|whole words"):
            tallied(tally, population, code, order, places, masks, valid)
    outputs = (np.empty(N_ROWS, np.int64), np.empty(N_ROWS), np.empty(N_ROWS, np.int64))
    with pytest.raises(ValueError, match="procedure"):
        decide_rows(population, 0, UNKNOWN, order, places, masks, 3, *outputs)
    planes = np.zeros((population.size, 2, len(valid)), np.uint64)
    with pytest.raises(ValueError, match="procedure"):
        decide_planes(0, population.size, population, UNKNOWN, order, places, masks, valid, 3, planes)
