"""Sums are chosen by what they explain beyond their features, with short numbers, and laid out as kernels decide them."""

from decimal import Decimal

import numpy as np
import pytest

from evoter.genome.arrays import bit_per_row, table_rows
from evoter.genome.grammar import build_grammar
from evoter.genome.sum_columns import choose_sums, moved_coefficient, no_sums, read_line, short_coefficients
from evoter.kernels.layout import NO_RANK, WORD, Floats, Grammar, Rows
from evoter.problems.panel_rows import panel_rows
from evoter.rules.schema import Feature, Schema
from evoter.tables.panel import infer_panel_schema
from evoter.tables.series import read_panel


def grammar_of(schema: Schema, columns: Floats, sum_rate: float = 0.5) -> Grammar:
    return build_grammar(
        schema, columns, operators=(0, 0, 0, 1, 1, 0), max_power=1, comparison_rate=0.0, sum_rate=sum_rate,
        set_rate=0.0, missing_rate=0.0, uniform_constants=False, evolve_certainty=False,
    )  # fmt: skip


def task(n: int = 300) -> tuple[Rows, Grammar, Floats, Floats]:
    """Classes that depend on the second feature less 0.02 times the fifth."""
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(6, n)) * 10.0 ** np.array([0, 0, 1, 2, 1.7, 3])[:, None]
    columns[0, ::7] = np.nan
    schema = Schema([Feature(f"x{k}", missing=k == 0) for k in range(6)], ["no", "yes"])
    rewards = np.zeros((-(-n // WORD) * WORD, 2))
    rewards[:n] = np.eye(2)[(columns[1] - 0.02 * columns[4] > 0.3).astype(int)]
    return table_rows(columns, schema), grammar_of(schema, columns), rewards, columns


def test_the_sum_that_matters_is_found_with_a_short_coefficient() -> None:
    rows, grammar, rewards, _ = task()
    sums = choose_sums(rows, grammar, rewards)
    tried = [k for t, k in zip(sums.terms, sums.coefficients, strict=True) if (t[0], t[2]) == (1, 4)]
    assert any(coefficient == pytest.approx(-0.02, rel=0.2) for coefficient in tried)
    for coefficient in sums.coefficients:
        assert len(Decimal(repr(abs(float(coefficient)))).normalize().as_tuple().digits) <= 2


def test_ranks_count_the_cuts_below_the_sum() -> None:
    rows, grammar, rewards, columns = task()
    sums = choose_sums(rows, grammar, rewards)
    assert len(sums.coefficients) > 0
    for s, (terms, coefficient) in enumerate(zip(sums.terms, sums.coefficients, strict=True)):
        cuts = sums.constants[sums.first_cuts[s] : sums.first_cuts[s + 1]]
        values = columns[terms[0]] + coefficient * columns[terms[2]]
        assert (np.diff(cuts) > 0).all()
        for row, value in enumerate(values):
            expected = NO_RANK if np.isnan(value) else (cuts < value).sum()
            assert sums.ranks[s, row] == expected
        assert (sums.ranks[s, len(values) :] == NO_RANK).all(), "padding"
        assert len(np.unique(sums.ranks[s, : len(values)][~np.isnan(values)])) == len(cuts) + 1, "each cut separates"


def test_the_choice_belongs_to_the_task() -> None:
    rows, grammar, rewards, _ = task()
    first, second = choose_sums(rows, grammar, rewards), choose_sums(rows, grammar, rewards)
    for one, other in zip(first, second, strict=True):
        assert np.asarray(one).tolist() == np.asarray(other).tolist()


@pytest.mark.parametrize("case", ["rate 0", "one feature", "no rewards", "one row", "constant"])
def test_there_may_be_no_sums(case: str) -> None:
    rows, grammar, rewards, columns = task()
    if case == "rate 0":
        grammar = grammar._replace(sum_rate=0.0)
    if case == "no rewards":
        rewards = np.zeros_like(rewards)
    if case == "one row":
        rows = rows._replace(valid=bit_per_row(np.arange(len(rewards)) < 1))
    if case in ("constant", "one feature"):
        columns = np.ones_like(columns) if case == "constant" else columns[1:2]
        schema = Schema([Feature(f"x{k}") for k in range(len(columns))], ["no", "yes"])
        rows, grammar = table_rows(columns, schema), grammar_of(schema, columns)
    sums = choose_sums(rows, grammar, rewards)
    for one, other in zip(sums, no_sums(len(rewards)), strict=True):
        assert np.asarray(one).tolist() == np.asarray(other).tolist()


def test_extreme_values_do_no_harm() -> None:
    rng = np.random.default_rng(2)
    columns = np.array([rng.normal(size=200) * 1e300, rng.normal(size=200) * 1e-300, rng.normal(size=200)])
    columns[0, :3] = [np.inf, -np.inf, np.nan]
    schema = Schema([Feature(name, missing=True) for name in "abc"], ["no", "yes"])
    rewards = np.zeros((256, 2))
    rewards[:200] = np.eye(2)[rng.integers(0, 2, 200)]
    sums = choose_sums(table_rows(columns, schema), grammar_of(schema, columns), rewards)
    assert np.isfinite(sums.constants).all()
    assert np.isfinite(sums.coefficients).all()


def test_lines_of_panels_are_the_values_at_a_lag() -> None:
    panel = read_panel([[[1.0, 2.0, 3.0]], [[4.0]], [[5.0, 6.0]]], channels=["x"])
    schema = infer_panel_schema(panel, actions=["go"], max_lag=2)
    rows = panel_rows(panel, schema)
    for lag, expected in enumerate([[3.0, 4.0, 6.0], [2.0, np.nan, 5.0], [1.0, np.nan, np.nan]]):
        assert np.array_equal(read_line(rows, 0, lag, np.arange(3)), expected, equal_nan=True)


def test_coefficients_move_along_the_numbers_of_two_digits() -> None:
    assert short_coefficients(np.array([0.0449, 96.0])).tolist() == [0.04, 100.0]
    coefficient = 0.97
    for expected in (0.98, 0.99, 1.0, 1.1):
        coefficient = moved_coefficient(coefficient, 1)
        assert coefficient == expected
    assert moved_coefficient(1.1, -4) == 0.97
    assert moved_coefficient(-5.0, 9) == -5.9
