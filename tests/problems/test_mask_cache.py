"""Masks are computed once, kept as long as they are asked for, and never take more than their budget."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.genome.arrays import table_rows
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.evaluation.sharing import combine
from evoter.kernels.layout import WORD, Floats, Population, Rows, Words
from evoter.kernels.threads import Threads
from evoter.problems.mask_cache import MaskCache
from tasks import MIXED, SMALL, mixed_columns, mixed_problem

N_ROWS = 300
N_WORDS = -(-N_ROWS // WORD)
THREADS = Threads(1)


def rows() -> Rows:
    columns: Floats = mixed_columns(np.random.default_rng(2), N_ROWS)
    return table_rows(columns, MIXED)


class Counting(Threads):
    """Counts the antecedents whose masks are computed."""

    def __init__(self) -> None:
        super().__init__(1)
        self.computed = 0

    def run(self, kernel: object, n_items: int, work: float, *arguments: object) -> None:
        self.computed += n_items if kernel in (combine, fill_masks) else 0
        super().run(kernel, n_items, work, *arguments)  # type: ignore[arg-type]


def masks_of(cache: MaskCache, population: Population, threads: Threads) -> tuple[Words, list[int]]:
    """The masks of all rules of all individuals, chunk after chunk put together, and how often they applied."""
    slots = population.used_slots
    parts: list[Words] = []
    applied = np.zeros(len(slots), np.int64)
    for masks in cache.chunks(population, threads):
        assert masks.first_word == sum(part.shape[1] for part in parts)
        parts.append(masks.words[masks.mask_rows[slots]].copy())
        applied += masks.applied[masks.mask_rows[slots]]
    return np.concatenate(parts, axis=1), applied.tolist()


@pytest.mark.parametrize("n_masks", [0.1, 1, 5, 30, 100, 300, 100_000])
def test_masks_do_not_depend_on_the_budget(n_masks: float) -> None:
    cache = MaskCache(rows(), int(n_masks * N_WORDS * 8))
    evolution = Evolution(mixed_problem(1), SMALL, seed=9)
    for _ in range(12):
        population = evolution.ask()
        fresh = MaskCache(rows())
        words, applied = masks_of(cache, population, THREADS)
        expected, expected_applied = masks_of(fresh, population, THREADS)
        assert np.array_equal(words, expected)
        assert applied == expected_applied
        assert applied == [int(sum(word.bit_count() for word in mask.tolist())) for mask in words]
        evolution.tell(population, evolution.problem.evaluate(population, THREADS, 0))


def test_a_mask_is_computed_once() -> None:
    cache, threads = MaskCache(rows()), Counting()
    evolution = Evolution(mixed_problem(1), SMALL.replace(population_size=10, n_elites=2), seed=9)
    for generation in range(5):
        population = evolution.ask()
        masks_of(cache, population, threads)
        before = threads.computed
        assert before > 0
        masks_of(cache, population, threads)
        assert threads.computed == before, "asked again, nothing is computed"
        if generation > 0:
            assert before < len(population.used_slots), "children share antecedents with their parents"
        threads.computed = 0
        evolution.tell(population, evolution.problem.evaluate(population, THREADS, 0))


def test_masks_stay_within_the_budget() -> None:
    for n_masks in (20, 60, 200, 1_000):
        budget = n_masks * N_WORDS * 8
        cache = MaskCache(rows(), budget)
        evolution = Evolution(mixed_problem(1), SMALL, seed=9)
        for _ in range(6):
            population = evolution.ask()
            for masks in cache.chunks(population, THREADS):
                whole = masks.words if masks.words.base is None else masks.words.base
                assert isinstance(whole, np.ndarray)
                assert whole.nbytes <= budget
            evolution.tell(population, evolution.problem.evaluate(population, THREADS, 0))


def test_another_pool_begins_anew() -> None:
    cache = MaskCache(rows())
    for seed in (1, 2, 1):
        population = Evolution(mixed_problem(1), SMALL, seed=seed).ask()
        expected = masks_of(MaskCache(rows()), population, THREADS)
        words, applied = masks_of(cache, population, THREADS)
        assert np.array_equal(words, expected[0])
        assert applied == expected[1]


def test_masks_whose_computation_was_interrupted_are_computed_again() -> None:
    class Interrupted(Threads):
        def run(self, *_: object) -> None:
            raise KeyboardInterrupt

    cache = MaskCache(rows())
    evolution = Evolution(mixed_problem(1), SMALL, seed=1)
    population = evolution.ask()
    masks_of(cache, population, THREADS)
    evolution.tell(population, evolution.problem.evaluate(population, THREADS, 0))
    population = evolution.ask()
    with pytest.raises(KeyboardInterrupt):
        masks_of(cache, population, Interrupted(1))
    words, applied = masks_of(cache, population, THREADS)
    expected, expected_applied = masks_of(MaskCache(rows()), population, THREADS)
    assert np.array_equal(words, expected)
    assert applied == expected_applied


def test_rule_sets_without_rules_need_no_masks() -> None:
    population = Evolution(mixed_problem(1), SMALL, seed=1).ask()
    population.header[:] = 0
    for budget in (0, 10**6):
        (masks,) = MaskCache(rows(), budget).chunks(population, THREADS)
        assert masks.words.shape[1] == N_WORDS
