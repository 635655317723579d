"""Constants come from the tables of the grammar, coefficients from their grid, and steps are short."""

from bisect import bisect_left

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.genome.cuts import cuts_and_levels
from evoter.genome.grammar import build_grammar
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import EQ, LE
from evoter.kernels.layout import Floats, Grammar
from evoter.kernels.random import seed_stream
from evoter.kernels.variation.constants import (
    WIDEST_STEP,
    nearest,
    perturbed_coefficient,
    perturbed_constant,
    random_coefficient,
    random_constant,
    random_step,
)
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples, n_cases

VALUES = np.array([1.0, 1.5, 1.5, 2.0, 7.0, 30.0])
SCHEMA = Schema([Feature("x"), Feature("c", Kind.CATEGORICAL, categories=tuple("uvw"))], ["go"])


def grammar(*, uniform: bool) -> Grammar:
    return build_grammar(
        SCHEMA,
        np.array([VALUES, np.arange(6.0) % 3]),
        operators=[1.0] * 6,
        max_power=1,
        comparison_rate=0.0,
        set_rate=0.0,
        missing_rate=0.0,
        uniform_constants=uniform,
        evolve_certainty=False,
    )


@allocating_kernel
def drawn(seed: int, grammar: Grammar, feature: int, operator: int) -> float:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    return random_constant(state, grammar, feature, operator)


@allocating_kernel
def moved(seed: int, grammar: Grammar, feature: int, operator: int, constant: float) -> float:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    return perturbed_constant(state, grammar, feature, operator, constant)


@allocating_kernel
def coefficients(seed: int, before: float, out: Floats) -> None:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    out[0] = random_coefficient(state)
    out[1] = perturbed_coefficient(state, before)


@allocating_kernel
def step(seed: int, n: float) -> int:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    return random_step(state, n)


@allocating_kernel
def place(table: Floats, value: float) -> int:
    return nearest(table, value)


def test_constants_are_cuts_for_order_and_levels_for_equality() -> None:
    cuts, levels = (table.tolist() for table in cuts_and_levels(VALUES))
    for uniform in (False, True):
        rules = grammar(uniform=uniform)
        seeds = range(n_cases(400))
        assert {drawn(seed, rules, 0, LE) for seed in seeds} == set(cuts)
        assert {drawn(seed, rules, 0, EQ) for seed in seeds} <= set(levels)
        assert {drawn(seed, rules, 1, EQ) for seed in seeds} == {0.0, 1.0, 2.0}
        for seed in seeds:
            assert moved(seed, rules, 0, LE, cuts[1]) in cuts
            assert moved(seed, rules, 1, EQ, 1.0) in (0.0, 2.0), "another category"


def test_coefficients_stay_on_their_grid() -> None:
    out = np.empty(2)
    for seed in range(n_cases(400)):
        coefficients(seed, 0.99, out)
        for number in out.tolist():
            assert 0.01 <= number <= 1.0
            assert number == round(number, 2)


@examples(300)
@given(st.integers(0, 2**32), st.integers(1, 1_000))
def test_steps_are_short_and_never_nothing(seed: int, n: int) -> None:
    assert 1 <= abs(step(seed, float(n))) <= 1 + max(1.0, WIDEST_STEP * n)


@examples(300)
@given(st.lists(st.integers(-50, 50), min_size=1, unique=True), st.floats(-60, 60))
def test_the_nearest_entry_of_a_table_is_found(numbers: list[int], value: float) -> None:
    table = sorted(map(float, numbers))
    found = table[place(np.array(table), value)]
    around = table[max(bisect_left(table, value) - 1, 0) :][:2]
    assert abs(found - value) == min(abs(each - value) for each in around)
