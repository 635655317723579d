"""Queries are rows that could exist: made of values that occur together, and hard to tell from real rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from boxes import correlated
from evoter.distillation.queries import Surroundings, draw_queries
from evoter.tables import encode, infer_schema


def surroundings(table: pd.DataFrame) -> Surroundings:
    schema = infer_schema(table, actions=["any"])
    return Surroundings(encode(table, schema), schema)


def told_apart(real: NDArray[np.float64], made: NDArray[np.float64]) -> float:
    """Return how well a forest that has not seen them tells rows apart: 0.5 is chance, 1 is always."""
    table, is_made = np.vstack([real, made]), np.repeat([0, 1], [len(real), len(made)])
    forest = RandomForestClassifier(60, random_state=0)
    said = cross_val_predict(forest, table, is_made, cv=4, method="predict_proba")[:, 1]
    return float(roc_auc_score(is_made, said))


def test_queries_stay_where_the_data_are() -> None:
    """A two-sample test: independent noise is told from unseen rows at once, queries hardly."""
    table = load_breast_cancer(as_frame=True).data.iloc[:, :10]
    train, unseen = table.iloc[:380], table.iloc[380:]
    rng = np.random.default_rng(0)
    queries = draw_queries(surroundings(train), len(unseen), rng).rows(train)
    noise = np.column_stack([rng.permutation(column)[: len(unseen)] for column in train.to_numpy().T])
    assert told_apart(unseen.to_numpy(), noise) > 0.97
    assert told_apart(unseen.to_numpy(), queries.to_numpy()) < 0.75


def test_queries_are_new_rows_of_values_that_occur() -> None:
    table = correlated()
    queries = draw_queries(surroundings(table), 300, np.random.default_rng(0)).rows(table)
    assert len(queries) == 300
    assert list(queries.columns) == list(table.columns)
    for name in table.columns:
        assert set(queries[name].dropna()) <= set(table[name].dropna()), name
    assert len(pd.concat([table, queries]).drop_duplicates()) == 540
    assert queries["weight"].isna().any(), "missing is a value like others"
    gap = (queries["size"] - queries["weight"]).abs().mean()
    assert gap < 2 * (table["size"] - table["weight"]).abs().mean(), "columns still depend on each other"


@pytest.mark.parametrize("kind", ["pandas", "polars", "numpy"])
def test_any_table_gives_queries_of_its_kind(kind: str) -> None:
    numbers = correlated()[["size", "age"]]
    table = {"pandas": numbers, "polars": pl.from_pandas(numbers), "numpy": numbers.to_numpy()}[kind]
    queries = draw_queries(surroundings(numbers), 20, np.random.default_rng(1)).rows(table)
    assert type(queries) is type(table)
    assert len(queries) == 20


def test_few_values_give_few_queries_and_one_column_none() -> None:
    grid = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0] * 5, "b": [0.0, 1.0, 0.0, 0.0] * 5})
    assert len(draw_queries(surroundings(grid), 100, np.random.default_rng(0))) <= 1, "only (1, 1) is left"
    assert len(draw_queries(surroundings(grid[["a"]]), 100, np.random.default_rng(0))) == 0
    assert len(draw_queries(surroundings(grid), 0, np.random.default_rng(0))) == 0


def test_a_seed_gives_the_same_queries() -> None:
    around = surroundings(correlated())
    first, second, other = (draw_queries(around, 50, np.random.default_rng(seed)).origins for seed in (3, 3, 4))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
