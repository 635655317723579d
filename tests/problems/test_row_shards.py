"""Rows in shards: however they are divided, what is counted on them adds up to the same bytes."""

import itertools
import pickle
from random import Random

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.sharding import SHARD_WORDS, Sharded, Tally, add_up
from evoter.execution.conformance import CASES
from evoter.genome.arrays import table_rows
from evoter.genome.codec import encode
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import WORD, Population, Rows, Words
from evoter.kernels.threads import Threads
from evoter.problems import row_shards
from evoter.problems.panel_rows import panel_rows
from evoter.problems.row_shards import RowShards, cut_rows
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema
from panels import random_panel
from tasks import MIXED, random_columns, random_ruleset

DIVIDED = ["classification", "weights and log-loss", "guardrails and groups", "series", "prescription", "regression"]


def bytes_of(tally: Tally) -> list[bytes]:
    return [array.tobytes() for array in (*tally.counts, *tally.sums)]


@pytest.mark.parametrize("case", DIVIDED)
def test_any_division_adds_up_to_the_same_bytes(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_shards, "SHARD_WORDS", SHARD_WORDS // 8)
    problem = CASES[case].make(ThreadExecutor())
    assert isinstance(problem, Sharded)
    shards = problem.shards
    assert isinstance(shards, RowShards)
    n = shards.n_shards
    assert n > 8
    population = Evolution(problem, CASES[case].settings, seed=3).ask()
    whole = shards.total(population, Threads(1))
    for bounds in ([0, 1, n], [0, 3, 4, n - 1, n], list(range(n + 1))):
        parts = [shards.take(first, last) for first, last in itertools.pairwise(bounds)]
        copies = pickle.loads(pickle.dumps(parts))  # noqa: S301 - as another process gets them
        assert bytes_of(add_up(part.count(population, Threads(2)) for part in copies)) == bytes_of(whole)


@pytest.mark.parametrize("case", ["weights and log-loss", "guardrails and groups", "regression"])
def test_memory_for_masks_changes_nothing(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_shards, "SHARD_WORDS", 32)
    problem = CASES[case].make(ThreadExecutor())
    assert isinstance(problem, Sharded)
    shards = problem.shards
    assert isinstance(shards, RowShards)
    population = Evolution(problem, CASES[case].settings, seed=4).ask()
    whole = shards.total(population, Threads(1))
    for budget in (1, 2**16):
        assert bytes_of(shards.with_budget(budget).total(population, Threads(1))) == bytes_of(whole)


def masks_of(rows: Rows, population: Population) -> Words:
    slots = np.arange(len(population.antecedents.facts))
    masks = np.zeros((len(slots), len(rows.valid)), np.uint64)
    fill_masks(0, len(slots), rows, population.antecedents, slots, slots, masks, np.zeros(len(slots), np.int64))
    return masks


def test_cut_rows_hold_what_they_held_among_all() -> None:
    """Tables, panels whose instances have their values to themselves, and panels whose instances share steps."""
    rng = Random(5)
    panel_schema = Schema([Feature("x", low=0, high=1), Feature("y", missing=True)], ["a", "b"], 3)
    panel = random_panel(rng, panel_schema, [rng.randint(1, 9) for _ in range(300)])
    series = random_panel(rng, panel_schema, [400])
    ends = np.arange(1, 401)
    moments = type(panel)(series.names, series.values, np.maximum(ends - 40, 0).tolist(), ends.tolist())
    layouts = [
        (MIXED, table_rows(random_columns(rng, MIXED, 300), MIXED)),
        (panel_schema, panel_rows(panel, panel_schema)),
        (panel_schema, panel_rows(moments, panel_schema)),
    ]
    assert [rows.lag_stride > 0 for _, rows in layouts] == [False, True, True]
    assert len(layouts[2][1].steps) == 448
    for schema, rows in layouts:
        population = encode([random_ruleset(rng, schema, Mode.FIRST) for _ in range(40)], schema)
        everywhere = masks_of(rows, population)
        for words in (slice(0, 2), slice(1, 4), slice(4, len(rows.valid))):
            part = cut_rows(rows, words, schema.max_lag)
            assert len(part.values) <= len(rows.values)
            assert np.array_equal(masks_of(part, population), everywhere[:, words])
    one = cut_rows(layouts[2][1], slice(2, 3), panel_schema.max_lag)
    assert len(one.values) == 2 * (WORD + panel_schema.max_lag), "only steps that its rows reach"
