"""Ranks say on which side of every cut a value lies; operators and tries follow the grammar."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antecedents import random_rows
from domains import random_schema
from evoter.genome.arrays import table_rows
from evoter.genome.refinement import build_refinement, rank_values
from evoter.kernels.conditions.codes import GE, GT, LE, LT
from evoter.kernels.layout import FIRST_CUT, LAST_CUT, NO_RANK, WORD
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from refining import grammar_of
from tasks import random_columns


@examples(200)
@given(st.integers(0, 2**32))
def test_a_value_is_at_most_a_cut_where_its_rank_is_at_most_the_cuts(seed: int) -> None:
    """With every lag that the schema allows, for infinities too; missing values have no rank."""
    rng = Random(seed)
    schema = random_schema(rng)
    rows = random_rows(rng, schema, rng.choice([3, 64, 100]))
    grammar = grammar_of(schema, random_columns(rng, schema, 60))
    ranks = rank_values(rows, grammar)
    assert ranks.shape == rows.values.shape
    for feature, facts, start in zip(schema.features, grammar.features, rows.starts, strict=True):
        for lag in range(schema.max_lag + 1):
            first = start - lag * rows.lag_stride
            values = rows.values[first : first + len(rows.valid) * WORD]
            places = ranks[first : first + len(rows.valid) * WORD]
            missing = np.isnan(values)
            assert ((places == NO_RANK) == missing).all()
            if feature.kind is Kind.NUMERIC:
                for k, cut in enumerate(grammar.constants[facts[FIRST_CUT] : facts[LAST_CUT]]):
                    assert ((values <= cut) == ((places <= k) & ~missing)).all()


def test_a_category_is_its_own_rank_and_unlisted_ones_come_last() -> None:
    schema = Schema(
        [Feature("sort", Kind.CATEGORICAL, categories=("u", "v", "w")), Feature("wild", Kind.BOOLEAN)], ["go"]
    )
    columns = np.array([[0.0, 2.0, -1.0, np.nan, 1.0], [1.0, 0.0, np.nan, 1.0, 0.0]])
    ranks = rank_values(table_rows(columns, schema), grammar_of(schema, columns)).reshape(2, -1)
    assert ranks[:, :5].tolist() == [[0, 2, 3, NO_RANK, 1], [1, 0, NO_RANK, 1, 0]]
    assert (ranks[:, 5:] == NO_RANK).all()


@pytest.mark.parametrize(
    ("operators", "expected"),
    [
        ((0, 0, 0, 1, 1, 0), (LE, GT)),
        ((0, 0, 1, 0, 0, 1), (LT, GE)),
        ((1, 1, 1, 1, 1, 1), (LE, GT)),
        ((0, 0, 3, 1, 1, 2), (LT, GE)),
        ((1, 1, 0, 0, 0, 0), (-1, -1)),
    ],
)
def test_the_operators_are_the_commonest_of_the_grammar(
    operators: tuple[float, ...], expected: tuple[int, int]
) -> None:
    schema = Schema([Feature("x")], ["go"])
    columns = np.arange(3.0)[None]
    grammar = grammar_of(schema, columns, operators=operators)
    refinement = build_refinement(
        table_rows(columns, schema), grammar, np.zeros((WORD, 1)), price=0.0, temperature=0.0, n_moves=1, n_tries=1
    )
    assert (refinement.at_most, refinement.above) == expected


@pytest.mark.parametrize("max_lag", [0, 3])
def test_no_more_tries_than_twice_what_there_is_to_try(max_lag: int) -> None:
    schema = Schema([Feature("x"), Feature("y")], ["go"], max_lag)
    columns = np.arange(6.0).reshape(2, 3)
    for n_tries, expected in ((1, 1), (1_000, 4 * (max_lag + 1))):
        refinement = build_refinement(
            table_rows(columns, schema), grammar_of(schema, columns), np.zeros((WORD, 1)), price=0.5,
            temperature=0.25, n_moves=7, n_tries=n_tries,
        )  # fmt: skip
        assert (refinement.n_tries, refinement.n_moves) == (expected, 7)
        assert (refinement.price, refinement.temperature) == (0.5, 0.25)
