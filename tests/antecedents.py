"""Random antecedents that share conditions, rows for them with and without history, and their masks one by one."""

from collections.abc import Sequence
from random import Random

import numpy as np

from domains import random_condition
from evoter.genome.arrays import table_rows
from evoter.genome.codec import encode
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import N_CONDITIONS, WORD, Antecedents, Floats, Ints, Rows, Words
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.schema import Schema
from tasks import random_columns

BORDERS = [1, 63, 64, 65, 4_095, 4_096, 4_097, 8_193]
"""Numbers of rows around the ends of words and of blocks of words."""


def pool_of(antecedents: Sequence[Sequence[Condition]], schema: Schema) -> Antecedents:
    """A pool of the given antecedents, slot after slot."""
    rules = [Rule(conditions, schema.actions[0]) for conditions in antecedents]
    return encode([RuleSet(rules, schema.actions[0], schema)], schema).antecedents


def random_pool(rng: Random, schema: Schema, widest: int) -> Antecedents:
    """Antecedents of one to `widest` conditions, each of these lengths among them, drawn from a few conditions."""
    conditions = [random_condition(rng, schema) for _ in range(rng.randint(1, 12))]
    lengths = [*range(1, widest + 1), *(rng.randint(1, widest) for _ in range(rng.randint(0, 6)))]
    return pool_of([rng.choices(conditions, k=length) for length in lengths], schema)


def random_rows(rng: Random, schema: Schema, n_rows: int) -> Rows:
    """A table or, where the schema has lags, perhaps a series that begins anew every few steps, or rows that share it."""
    if schema.max_lag == 0 or rng.random() < 0.5:
        return table_rows(random_columns(rng, schema, n_rows), schema)
    rows = table_rows(random_columns(rng, schema, WORD + n_rows), schema)
    valid = rows.valid[1:]  # The first word of rows is what the others look back at.
    history = np.arange(len(valid) * WORD, dtype=np.int64) % 7
    rows = rows._replace(starts=rows.starts + WORD, lag_stride=1, valid=valid, history=history)
    if rng.random() < 0.5:
        return rows
    steps = np.array([rng.randrange(n_rows) for _ in history], np.int64)
    return rows._replace(history=history[steps], steps=steps)


def distinct_conditions(pool: Antecedents, slots: Ints) -> set[tuple[float, ...]]:
    """The conditions of some antecedents, each once."""
    return {
        (*pool.codes[slot, c].tolist(), *pool.numbers[slot, c].tolist())
        for slot in slots.tolist()
        for c in range(pool.facts[slot, N_CONDITIONS])
    }


def empty_masks(n_places: int, rows: Rows) -> tuple[Words, Ints]:
    """Room for masks and counts, filled with what no antecedent leaves behind."""
    return np.full((n_places, len(rows.valid)), ~np.uint64(0)), np.full(n_places, -1, np.int64)


def expected_masks(rows: Rows, pool: Antecedents, slots: Ints, places: Ints, n_places: int) -> tuple[Words, Ints]:
    """The masks and counts that are computed antecedent by antecedent, without sharing anything."""
    masks, applied = empty_masks(n_places, rows)
    fill_masks(0, len(slots), rows, pool, slots, places, masks, applied)
    assert applied[places].tolist() == [sum(word.bit_count() for word in mask.tolist()) for mask in masks[places]]
    return masks, applied


def degenerate_columns(values: Sequence[float], n_features: int) -> Floats:
    """A table in which every value meets every other, in all features."""
    grid = np.meshgrid(*[np.array(values)] * n_features)
    return np.array([axis.reshape(-1) for axis in grid])
