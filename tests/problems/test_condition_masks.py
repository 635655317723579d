"""Masks from shared conditions are those of the antecedents, whatever was known, forgotten or interrupted before."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antecedents import (
    BORDERS,
    distinct_conditions,
    empty_masks,
    expected_masks,
    pool_of,
    random_pool,
    random_rows,
)
from domains import compare, random_schema
from evoter.evolution.engine import Evolution
from evoter.genome.arrays import table_rows
from evoter.kernels import threads
from evoter.kernels.evaluation.sharing import combine, fill_conditions
from evoter.kernels.layout import Antecedents, Ints, Rows
from evoter.kernels.threads import Threads
from evoter.problems.condition_masks import ConditionMasks
from evoter.rules.model import Condition, Term
from evoter.rules.schema import Feature, Schema
from laws import examples
from tasks import MIXED, SMALL, mixed_columns, mixed_problem

THREADS = Threads(1)
PLENTY = 2**20
SCHEMA = Schema([Feature("x"), Feature("y")], ["go"])
ABOVE = [compare("x", ">", float(k)) for k in range(8)]
LESS = compare("x", "<", Term("y"))


class Counting(Threads):
    """Counts the conditions whose masks are computed."""

    def __init__(self) -> None:
        super().__init__(1)
        self.computed = 0

    def run(self, kernel: object, n_items: int, work: float, *arguments: object) -> None:
        self.computed += n_items if kernel is fill_conditions else 0
        super().run(kernel, n_items, work, *arguments)  # type: ignore[arg-type]


class Interrupted(Threads):
    """Stops in the middle of one kernel, as Ctrl-C does."""

    def __init__(self, stopped: object) -> None:
        super().__init__(1)
        self.stopped = stopped

    def run(self, kernel: object, n_items: int, work: float, *arguments: object) -> None:
        if kernel is self.stopped:
            super().run(kernel, n_items // 2, work, *arguments)  # type: ignore[arg-type]
            raise KeyboardInterrupt
        super().run(kernel, n_items, work, *arguments)  # type: ignore[arg-type]


def numbered_rows() -> Rows:
    return table_rows(np.array([np.arange(100.0) % 9, np.full(100, 4.0)]), SCHEMA)


def with_room(rows: Rows, n_conditions: int) -> ConditionMasks:
    return ConditionMasks(rows, n_conditions * 8 * len(rows.valid))


def check_fill(
    known: ConditionMasks, rows: Rows, pool: Antecedents, slots: Ints | None = None, *, threads: Threads = THREADS
) -> bool:
    """Fill masks, compare them with those computed without sharing, and tell whether there was room."""
    slots = np.arange(len(pool.facts)) if slots is None else slots
    places = np.arange(len(slots))[::-1] * 2
    masks, applied = empty_masks(2 * len(slots), rows)
    # Longer than needed, as those of the cache are: what comes after the antecedents asked for is not read.
    spare = np.full(3, 10**9)
    if not known.fill(pool, threads, len(slots), np.append(slots, spare), np.append(places, spare), masks, applied):
        return False
    expected, expected_applied = expected_masks(rows, pool, slots, places, len(masks))
    assert np.array_equal(masks, expected)
    assert np.array_equal(applied, expected_applied)
    return True


def one_by_one(*conditions: Condition) -> Antecedents:
    return pool_of([[condition] for condition in conditions], SCHEMA)


@examples(300)
@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 5, 10_000]))
def test_masks_do_not_depend_on_what_was_known_before(seed: int, room: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    rows = random_rows(rng, schema, rng.choice([1, 17, 64, 130]))
    known = with_room(rows, room)
    pools = [random_pool(rng, schema, widest) for widest in (1, 6, 2, 3)]
    for _ in range(12):
        pool = rng.choice(pools)
        slots = np.array(rng.choices(range(len(pool.facts)), k=rng.randint(1, 2 * len(pool.facts))))
        there_is_room = len(distinct_conditions(pool, slots)) <= max(room, 1)
        assert check_fill(known, rows, pool, slots) == there_is_room


@pytest.mark.parametrize("n_rows", BORDERS)
def test_words_and_blocks_end_anywhere(n_rows: int) -> None:
    for seed in range(3):
        rng = Random(f"{seed} {n_rows}")
        schema = random_schema(rng)
        rows = random_rows(rng, schema, n_rows)
        known = with_room(rows, 30)
        for widest in (2, 4):
            assert check_fill(known, rows, random_pool(rng, schema, widest))


@pytest.mark.parametrize("n_rows", [300, 5_000])
def test_threads_share_the_work_and_change_nothing(n_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "WORTH_SHARING", 0.0)
    rows = table_rows(mixed_columns(np.random.default_rng(3), n_rows), MIXED)
    population = Evolution(mixed_problem(1), SMALL, seed=4).ask()
    for n_threads in (1, 3):
        pool = Threads(n_threads)
        known = ConditionMasks(rows, PLENTY)
        for part in np.array_split(population.used_slots, 3):
            assert check_fill(known, rows, population.antecedents, part, threads=pool)
        pool.close()


def test_a_condition_is_computed_once() -> None:
    rows, counting = numbered_rows(), Counting()
    known = ConditionMasks(rows, PLENTY)
    for antecedents, new in (
        ([ABOVE[:2], ABOVE[1:3], ABOVE[:1]], 3),
        ([ABOVE[:3], [ABOVE[2], ABOVE[0]]], 0),
        ([[*ABOVE[:4], LESS], [LESS]], 2),
        ([ABOVE[:1], [LESS, LESS]], 0),
    ):
        counting.computed = 0
        assert check_fill(known, rows, pool_of(antecedents, SCHEMA), threads=counting)
        assert counting.computed == new


def test_a_full_table_is_emptied_and_starts_anew() -> None:
    rows, counting = numbered_rows(), Counting()
    known = with_room(rows, 5)
    for conditions, new in ((ABOVE[:3], 3), (ABOVE[2:5], 2), (ABOVE[4:7], 3), (ABOVE[5:8], 1), (ABOVE[:1], 1)):
        counting.computed = 0
        assert check_fill(known, rows, one_by_one(*conditions), threads=counting)
        assert counting.computed == new


@pytest.mark.parametrize("room", [1, 2, 5])
def test_without_room_nothing_is_written_and_nothing_is_stale(room: int) -> None:
    rows = numbered_rows()
    known = with_room(rows, room)
    for _ in range(3):
        assert check_fill(known, rows, one_by_one(*ABOVE[:room]))
        pool = one_by_one(LESS, *ABOVE[1 : room + 1])
        masks, applied = empty_masks(room + 1, rows)
        assert not known.fill(pool, THREADS, room + 1, np.arange(room + 1), np.arange(room + 1), masks, applied)
        assert (masks == ~np.uint64(0)).all()
        assert (applied == -1).all()
        assert check_fill(known, rows, one_by_one(*ABOVE[-room:]))


@pytest.mark.parametrize("stopped", [fill_conditions, combine], ids=["fill_conditions", "combine"])
@pytest.mark.parametrize("before", [[], ABOVE[2:6], ABOVE[:6]], ids=["nothing", "some", "all"])
@pytest.mark.parametrize("room", [6, 8])
def test_an_interrupted_fill_leaves_nothing_stale(stopped: object, before: list[Condition], room: int) -> None:
    rows = numbered_rows()
    known = with_room(rows, room)
    if before:
        assert check_fill(known, rows, one_by_one(*before))
    pool = pool_of([[LESS], ABOVE[:2], [ABOVE[3], LESS, ABOVE[0]], [ABOVE[1]]], SCHEMA)
    with pytest.raises(KeyboardInterrupt):
        check_fill(known, rows, pool, threads=Interrupted(stopped))
    for after in (pool, one_by_one(*ABOVE[:6]), pool):
        assert check_fill(known, rows, after)


def test_antecedents_of_any_width_follow_each_other() -> None:
    rows = numbered_rows()
    known = ConditionMasks(rows, PLENTY)
    for width in (3, 1, 8, 2, 8, 1):
        for n in (1, 7, 2, 40):
            assert check_fill(known, rows, pool_of([ABOVE[:width], *[[ABOVE[width - 1], LESS][:width]] * n], SCHEMA))


def test_more_conditions_than_are_ever_kept_do_not_fit() -> None:
    rows = numbered_rows()
    known = ConditionMasks(rows, 2**40)
    for n, there_is_room in ((4_096, True), (4_097, False), (10, True)):
        assert check_fill(known, rows, one_by_one(*(compare("x", "<", k / 500) for k in range(n)))) == there_is_room


def test_no_antecedents_need_nothing() -> None:
    rows = numbered_rows()
    known, counting = ConditionMasks(rows, 0), Counting()
    assert check_fill(known, rows, one_by_one(LESS), np.empty(0, np.int64), threads=counting)
    assert counting.computed == 0


def test_generations_of_evolution_have_their_masks() -> None:
    rows = table_rows(mixed_columns(np.random.default_rng(2), 300), MIXED)
    room = 150
    known, counting = with_room(rows, room), Counting()
    evolution = Evolution(mixed_problem(1), SMALL, seed=9)
    for _ in range(15):
        population = evolution.ask()
        assert check_fill(known, rows, population.antecedents, population.used_slots, threads=counting)
        evolution.tell(population, evolution.problem.evaluate(population, THREADS, 0))
    assert counting.computed > room, "the table has been emptied on the way"
