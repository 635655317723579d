"""Masks of antecedents on series equal the interpreter's reading of their history, and bits are counted rightly."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domains import compare, random_schema
from evoter.genome.arrays import bit_per_row
from evoter.genome.codec import encode
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.evaluation.masks import fill_masks, popcount
from evoter.kernels.layout import WORD, Floats, Rows
from evoter.rules.interpreter import is_active
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from tasks import as_rows, random_columns, random_ruleset


@allocating_kernel
def bits_of(word: np.uint64) -> np.int64:
    return popcount(word)


@examples(200)
@given(st.integers(0, 2**64 - 1))
def test_bits_are_counted(word: int) -> None:
    assert bits_of(np.uint64(word)) == word.bit_count()


def series_rows(series: list[Floats], schema: Schema) -> tuple[Rows, list[int]]:
    """Lay out several series one after the other, with room for the largest lag between them.

    Returns the rows and where each series begins.
    """
    gap = schema.max_lag
    starts, length = [], 0
    for columns in series:
        starts.append(length)
        length += columns.shape[1] + gap
    length = max(-(-length // WORD), 1) * WORD
    values = np.full((len(schema.features), gap + length), np.nan)
    valid = np.zeros(length, np.bool_)
    history = np.zeros(length, np.int64)
    for start, columns in zip(starts, series, strict=True):
        stop = start + columns.shape[1]
        values[:, gap + start : gap + stop] = columns
        valid[start:stop] = True
        history[start:stop] = np.arange(stop - start)
    bounds = [feature.bounds if feature.scaled else (0.0, 1.0) for feature in schema.features]
    rows = Rows(
        values=values.reshape(-1),
        starts=np.arange(len(schema.features)) * values.shape[1] + gap,
        lag_stride=1,
        steps=np.empty(0, np.int64),
        valid=bit_per_row(valid),
        history=history,
        lows=np.array([low for low, _ in bounds]),
        spans=np.array([high - low for low, high in bounds]),
        scaled=np.array([feature.scaled for feature in schema.features]),
    )
    return rows, starts


def without_gaps(rows: Rows, series: list[Floats]) -> Rows:
    """The same rows, read from the series where they stand."""
    values = np.concatenate([*series, np.zeros((len(rows.starts), 1))], axis=1)
    valid = np.unpackbits(rows.valid.view(np.uint8), bitorder="little").astype(np.int64)
    steps = np.where(valid == 1, np.cumsum(valid) - 1, 0)
    starts = np.arange(len(rows.starts)) * values.shape[1]
    return rows._replace(values=values.reshape(-1), starts=starts, steps=steps)


def check_series(ruleset: RuleSet, series: list[Floats]) -> None:
    rows, starts = series_rows(series, ruleset.schema)
    check_rows(ruleset, series, rows, starts)
    check_rows(ruleset, series, without_gaps(rows, series), starts)


def check_rows(ruleset: RuleSet, series: list[Floats], rows: Rows, starts: list[int]) -> None:
    n_rules = len(ruleset.rules)
    places = np.arange(n_rules)[::-1].copy()
    masks = np.full((n_rules, len(rows.valid)), ~np.uint64(0))
    applied = np.full(n_rules, -1)
    pool = encode([ruleset], ruleset.schema).antecedents
    fill_masks(0, n_rules, rows, pool, np.arange(n_rules), places, masks, applied)
    held = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little").astype(np.bool_)
    total = np.zeros(n_rules, np.int64)
    for start, columns in zip(starts, series, strict=True):
        steps = as_rows(columns, ruleset.schema)
        for now in range(len(steps)):
            expected = [is_active(rule, steps[: now + 1], ruleset.schema) for rule in ruleset.rules]
            assert held[places, start + now].tolist() == expected
            total += np.array(expected, dtype=np.bool_)
    assert held.sum(axis=1)[places].tolist() == total.tolist(), "rows between the series never hold"
    assert applied[places].tolist() == total.tolist()


@examples(400)
@given(st.integers(0, 2**32))
def test_lags_read_the_history_of_each_series(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    schema = Schema(schema.features, schema.actions, max_lag=rng.randint(0, 4))
    lengths = rng.choice([[1], [2, 3], [70], [5, 61, 8], [0, 4]])
    check_series(random_ruleset(rng, schema, Mode.FIRST), [random_columns(rng, schema, n) for n in lengths])


def test_lags_beyond_the_history_make_every_condition_false() -> None:
    features = [Feature("x", missing=True), Feature("y"), Feature("sort", Kind.CATEGORICAL, categories=("u", "v"))]
    schema = Schema(features, ["go"], max_lag=3)
    conditions = [
        Condition(Term("x", lag=3), Operator.IS_MISSING),
        Condition(Term("x", lag=3), Operator.IS_PRESENT),
        *(compare(Term("x", lag=3), operator, 0.0) for operator in ("=", "!=", "<", "<=", ">", ">=")),
        *(compare(Term("x"), operator, Term("y", lag=3)) for operator in ("=", "!=", "<", "<=", ">", ">=")),
        compare(Term("sort", lag=2), "!=", "u"),
    ]
    ruleset = RuleSet([Rule([condition], "go") for condition in conditions], "go", schema)
    values = np.array([[np.nan, 1.0, np.nan, 0.0, 2.0], [0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, -1.0, np.nan, 0.0]])
    for n_steps in range(6):
        check_series(ruleset, [values[:, :n_steps]])


def test_only_the_range_asked_for_is_computed() -> None:
    schema = Schema([Feature("x")], ["go"])
    ruleset = RuleSet([Rule([compare("x", ">", float(k))], "go") for k in range(4)], "go", schema)
    rows, _ = series_rows([np.arange(5.0)[None]], schema)
    masks = np.zeros((4, 1), np.uint64)
    applied = np.full(4, -1)
    places = np.array([3, 2, 1, 0])
    fill_masks(1, 3, rows, encode([ruleset], schema).antecedents, np.arange(4), places, masks, applied)
    assert applied.tolist() == [-1, 2, 3, -1]
    assert masks[:, 0].tolist() == [0, 0b11000, 0b11100, 0]
