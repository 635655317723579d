"""The pool: equal antecedents share a slot, slots are used again without mix-ups, and cached masks stay true."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.genome.arrays import compact, table_rows
from evoter.genome.codec import encode
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.layout import N_CONDITIONS, SERIAL, Population
from evoter.kernels.pool import claim_mask_rows
from evoter.kernels.threads import Threads
from evoter.problems.mask_cache import MASK_BUDGET, MaskCache
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema
from tasks import MIXED, SMALL, as_rows, decoded, mixed_columns, mixed_problem

TINY = SMALL.replace(population_size=16, n_elites=3, max_rules=4)


def contents(population: Population) -> dict[int, bytes]:
    """What each slot in use holds."""
    pool = population.antecedents
    held = {}
    for slot in np.unique(population.used_slots).tolist():
        n = pool.facts[slot, N_CONDITIONS]
        held[slot] = pool.codes[slot, :n].tobytes() + pool.numbers[slot, :n].tobytes()
    return held


def test_two_hundred_generations_keep_their_antecedents_apart() -> None:
    problem = mixed_problem(1)
    evolution = Evolution(problem, TINY, seed=3)
    serials: dict[int, bytes] = {}
    slots_seen: set[int] = set()
    for generation in range(200):
        before = contents(evolution.population)
        children = evolution.ask()
        assert contents(evolution.population) == before, "children do not write over living antecedents"
        held = contents(children)
        assert len(set(held.values())) == len(held), "equal antecedents share a slot"
        for slot, conditions in held.items():
            serial = int(children.antecedents.facts[slot, SERIAL])
            assert serials.setdefault(serial, conditions) == conditions, "a serial is never used twice"
        slots_seen |= held.keys()
        evaluation = problem.evaluate(children, evolution.threads)
        fresh = mixed_problem(1).evaluate(compact(children), evolution.threads)
        assert all((x == y).all() for x, y in zip(evaluation, fresh, strict=True)), "the cache is as good as new"
        if generation % 20 == 0:
            rows = as_rows(problem.columns, MIXED)
            for i, ruleset in enumerate(decoded(evolution, children)):
                verdict = decide_table(ruleset, rows)
                n = len(ruleset.rules)
                assert tuple(evaluation.times_applied[i, :n]) == verdict.times_applied
                assert tuple(evaluation.times_decided[i, :n]) == verdict.times_decided
        evolution.tell(children, evaluation)
    assert len(serials) > 4 * len(slots_seen), "slots have been used again many times"


@pytest.mark.parametrize("budget", [100, 1_000, 3_000, MASK_BUDGET])
def test_cached_masks_equal_freshly_computed_ones(budget: int) -> None:
    """Whether all fit, only some, or only few rows at a time."""
    rows = table_rows(mixed_columns(np.random.default_rng(1), 150), MIXED)
    cache = MaskCache(rows, budget)
    evolution = Evolution(mixed_problem(1), TINY, seed=4)
    for _ in range(40):
        evolution.step()
        population = evolution.population
        slots = np.unique(population.used_slots)
        expected = np.zeros((len(slots), len(rows.valid)), np.uint64)
        counts = np.zeros(len(slots), np.int64)
        fill_masks(0, len(slots), rows, population.antecedents, slots, np.arange(len(slots)), expected, counts)
        total = np.zeros(len(slots), np.int64)
        for masks in cache.chunks(population, Threads(1)):
            last = masks.first_word + masks.words.shape[1]
            assert (masks.words[masks.mask_rows[slots]] == expected[:, masks.first_word : last]).all()
            total += masks.applied[masks.mask_rows[slots]]
        assert (total == counts).all()


def claim(population: Population, n_places: int) -> tuple[int, list[int]]:
    n_slots = len(population.antecedents.facts)
    places = np.full(n_slots, -1)
    scratch = np.empty((2, n_slots), np.int64)
    serials, last_used = np.zeros((2, n_places), np.int64)
    n_new = claim_mask_rows(population, places, serials, last_used, 4, scratch[0], scratch[1])
    return n_new, places.tolist()


def test_each_antecedent_gets_one_place_while_there_is_room() -> None:
    schema = Schema([Feature("x")], ["go"])
    rules = [Rule([Condition(Term("x"), ">", k)], "go") for k in range(3)]
    population = encode([RuleSet(rules, "go", schema), RuleSet([], "go", schema)], schema)
    population.rules[1] = population.rules[0]
    population.header[1] = population.header[0]
    assert claim(population, 5) == (3, [0, 1, 2])
    assert claim(population, 3) == (3, [0, 1, 2])
    assert claim(population, 2)[0] == -1


def test_rules_that_repeat_are_dropped() -> None:
    schema = MIXED
    rule = Rule([Condition(Term("a"), ">", 0.5), Condition(Term("wild"), "=", True)], "yes")
    other = Rule([Condition(Term("a"), ">", 0.5)], "yes")
    warm_start = [RuleSet([rule, other, rule, other, other], "no", schema)]
    evolution = Evolution(mixed_problem(1), SMALL, warm_start=warm_start)
    population = evolution.ask()
    assert decoded(evolution, population)[0].rules == (rule, other)
    assert population.complexity[0] == 3
