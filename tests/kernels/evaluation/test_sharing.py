"""Conditions are found again, computed once, and put together to the very masks that antecedents have by themselves."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antecedents import (
    BORDERS,
    degenerate_columns,
    distinct_conditions,
    empty_masks,
    expected_masks,
    pool_of,
    random_pool,
    random_rows,
)
from domains import COMPARISONS, compare, random_schema
from evoter.genome.arrays import table_rows
from evoter.kernels.conditions.codes import LEFT, N_CODES, N_NUMBERS
from evoter.kernels.evaluation.masks import BLOCK
from evoter.kernels.evaluation.sharing import combine, fill_conditions, find_conditions
from evoter.kernels.layout import N_CONDITIONS, Antecedents, Floats, Ints, Rows, Words
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Schema
from laws import examples
from tasks import DEGENERATE

SCHEMA = Schema([Feature("x"), Feature("y")], ["go"])


class Known:
    """The conditions found so far, by place."""

    def __init__(self, capacity: int) -> None:
        self.n_known = 0
        self.codes: Ints = np.full((capacity, N_CODES), -7, np.int64)
        self.numbers: Floats = np.full((capacity, N_NUMBERS), np.nan)
        self.table: Ints = np.full(1 << (2 * capacity).bit_length(), -1, np.int64)

    def find(self, pool: Antecedents, slots: Ints) -> Ints:
        """The places of all conditions of some antecedents, -1 where an antecedent has no more."""
        parts = np.full((len(slots), pool.codes.shape[1]), -1, np.int64)
        known = (self.codes, self.numbers, self.table)
        self.n_known = find_conditions(pool, slots, len(slots), self.n_known, *known, parts)
        return parts


def masks_of_all(rows: Rows, known: Known) -> Words:
    words = np.full((known.n_known, len(rows.valid)), ~np.uint64(0))
    order = np.argsort(known.codes[: known.n_known, LEFT], kind="stable")
    fill_conditions(0, known.n_known, order, rows, known.codes, known.numbers, words)
    return words


def check_shared(rows: Rows, pool: Antecedents) -> None:
    """Compare masks put together from conditions with those of antecedents on their own, bit by bit."""
    n = len(pool.facts)
    slots, places = np.arange(n), np.arange(n)[::-1] * 2
    known = Known(len(distinct_conditions(pool, slots)))
    parts = known.find(pool, slots)
    masks, applied = empty_masks(2 * n, rows)
    combine(0, n, pool, slots, parts, masks_of_all(rows, known), places, masks, applied)
    expected, expected_applied = expected_masks(rows, pool, slots, places, 2 * n)
    assert np.array_equal(masks, expected)
    assert np.array_equal(applied, expected_applied)


@examples(400)
@given(st.integers(0, 2**32), st.integers(1, 7))
def test_shared_conditions_make_the_masks_of_antecedents(seed: int, widest: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    check_shared(random_rows(rng, schema, rng.choice([0, 1, 17, 64, 130])), random_pool(rng, schema, widest))


@pytest.mark.parametrize("n_rows", BORDERS)
def test_words_and_blocks_end_anywhere(n_rows: int) -> None:
    assert BLOCK * 64 == 4_096, "the borders are those of the blocks"
    for seed in range(6):
        rng = Random(f"{seed} {n_rows}")
        schema = random_schema(rng)
        check_shared(random_rows(rng, schema, n_rows), random_pool(rng, schema, 4))


def test_every_form_of_comparison_reads_degenerate_values_alike() -> None:
    features = [
        Feature("raw", missing=True),
        Feature("scaled", low=-2, high=3, scaled=True, missing=True),
        Feature("wide", low=-1.7e308, high=1.7e308, scaled=True),
        Feature("point", low=2, high=2, scaled=True),
    ]
    schema = Schema(features, ["go"])
    rows = table_rows(degenerate_columns([*DEGENERATE, 2.0, -1.7e308], len(features)), schema)
    assert len(rows.valid) > 2 * BLOCK
    names = [feature.name for feature in features]
    coefficients = [(1.0, 1.0), (0.3, -0.7), (0.0, 1e300), (-1e-300, 2.0)]
    terms = [
        compare(Term(a, p, power), operator, Term(b, q, 1))
        for a, b, operator, power, (p, q) in product(names, names, COMPARISONS, (1, 2, 3), coefficients)
    ]
    constants = [
        compare(Term(a, 0.5, power), operator, constant)
        for a, operator, power, constant in product(names, COMPARISONS, (1, 3), (0.0, 2.0, 1e308))
    ]
    presence = [
        Condition(Term(name), test) for name in names[:2] for test in (Operator.IS_MISSING, Operator.IS_PRESENT)
    ]
    check_shared(rows, pool_of([[condition] for condition in [*terms, *constants, *presence]], schema))


@examples(200)
@given(st.integers(0, 2**32))
def test_equal_conditions_share_one_place(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    first, second = random_pool(rng, schema, 3), random_pool(rng, schema, 5)
    slots, others = np.arange(len(first.facts)), np.arange(len(second.facts))
    distinct = distinct_conditions(first, slots)
    known = Known(40)
    parts = known.find(first, slots)
    assert known.n_known == len(distinct)
    assert set(parts[parts >= 0].tolist()) == set(range(known.n_known)), "places are given one after the other"
    known.find(second, others)
    assert known.n_known == len(distinct | distinct_conditions(second, others))
    before = known.n_known
    assert np.array_equal(known.find(first, slots), parts), "a condition keeps its place"
    assert known.n_known == before
    for pool in (first, second):
        for slot, places in enumerate(known.find(pool, np.arange(len(pool.facts)))):
            n = pool.facts[slot, N_CONDITIONS]
            assert np.array_equal(known.codes[places[:n]], pool.codes[slot, :n])
            assert np.array_equal(known.numbers[places[:n]], pool.numbers[slot, :n])
            assert (places[n:] == -1).all()


@pytest.mark.parametrize("coefficient", [k / 16 for k in range(1, 13)])
def test_conditions_that_differ_in_one_part_only_have_places_of_their_own(coefficient: float) -> None:
    schema = Schema(SCHEMA.features, SCHEMA.actions, max_lag=1)
    one, *others = [
        compare(Term("x", coefficient), "<", Term("y")),
        compare(Term("y", coefficient), "<", Term("y")),
        compare(Term("x", coefficient), "<=", Term("y")),
        compare(Term("x", -coefficient), "<", Term("y")),
        compare(Term("x", coefficient, power=2), "<", Term("y")),
        compare(Term("x", coefficient, lag=1), "<", Term("y")),
        compare(Term("x", coefficient), "<", Term("x")),
        compare(Term("x", coefficient), "<", Term("y", 0.5)),
        compare(Term("x", coefficient), "<", Term("y", power=2)),
        compare(Term("x", coefficient), "<", Term("y", lag=1)),
        compare(Term("x", coefficient), "<", 1.0),
    ]
    for other in others:
        known = Known(2)
        known.table = np.full(2, -1, np.int64)  # So small that every other pair meets.
        assert known.find(pool_of([[one, other], [other, one]], schema), np.arange(2)).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e15, 1e300])
def test_constants_of_any_size_are_told_apart(scale: float) -> None:
    constants = [sign * scale * (1.0 + k / 64) for k in range(50) for sign in (1.0, -1.0)]
    pool = pool_of([[compare("x", "<", constant)] for constant in constants], SCHEMA)
    known = Known(len(constants))
    for _ in range(2):
        assert known.find(pool, np.arange(len(constants)))[:, 0].tolist() == list(range(len(constants)))


def test_zero_has_one_place_whatever_its_sign() -> None:
    pool = pool_of([[compare("x", "<", zero)] for zero in (0.0, -0.0)], SCHEMA)
    assert Known(1).find(pool, np.arange(2)).tolist() == [[0], [0]]


@examples(100)
@given(st.integers(0, 2**32))
def test_conditions_without_room_are_reported(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    pool = random_pool(rng, schema, 4)
    slots = np.arange(len(pool.facts))
    n_distinct = len(distinct_conditions(pool, slots))
    for capacity in range(1, n_distinct + 2):
        known = Known(capacity)
        known.find(pool, slots)
        assert known.n_known == (-1 if capacity < n_distinct else n_distinct)


def test_only_the_conditions_asked_for_are_computed() -> None:
    rows = table_rows(np.array([np.arange(6.0), np.full(6, 3.0)]), SCHEMA)
    conditions = [compare("x", ">", 2.0), compare("x", "<", Term("y")), compare("y", ">", 0.0), compare("x", "=", 4.0)]
    known = Known(4)
    known.find(pool_of([conditions], SCHEMA), np.arange(1))
    words = np.full((4, 1), 99, np.uint64)
    fill_conditions(1, 3, np.array([2, 3, 1, 0]), rows, known.codes, known.numbers, words)
    assert words[:, 0].tolist() == [99, 0b000111, 99, 0b010000]


def test_only_the_antecedents_asked_for_are_put_together() -> None:
    rows = table_rows(np.array([np.arange(6.0), np.full(6, 3.0)]), SCHEMA)
    low, high, less = compare("x", ">", 0.0), compare("x", "<", 5.0), compare("x", "<=", Term("y"))
    pool = pool_of([[low], [high, low], [low, high, less], [less]], SCHEMA)
    known = Known(3)
    slots = np.array([3, 2, 1, 0])
    parts = known.find(pool, slots)
    masks = np.full((5, 1), 99, np.uint64)
    applied = np.full(5, -1)
    combine(1, 3, pool, slots, parts, masks_of_all(rows, known), np.array([0, 4, 1, 2]), masks, applied)
    assert masks[:, 0].tolist() == [99, 0b011110, 99, 99, 0b001110]
    assert applied.tolist() == [-1, 4, -1, -1, 3]
