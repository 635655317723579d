"""Tests of the questions a careful person asks about columns."""

import random

import polars as pl
import pytest

from evoter.cli.table_doubts import with_doubts
from evoter.cli.table_kinds import view_column
from evoter.cli.table_reading import Source

N = 200
RNG = random.Random(0)
LABELS = [RNG.choice(["yes", "no", "no"]) for _ in range(N)]


def doubt(values: list[object], name: str = "x", labels: list[str] = LABELS) -> str:
    column = pl.Series(name, values)
    view = view_column(column, Source("t", column.to_frame(), ""))
    return with_doubts([view], labels, "y")[0].doubt


@pytest.mark.parametrize(
    "values",
    [
        ["paid" if label == "yes" else "due" for label in LABELS],
        [{"yes": "a", "no": RNG.choice("bc")}[label] for label in LABELS],
        [label == "yes" for label in LABELS],
        [{"yes": 5.0, "no": 1.0}[label] + RNG.random() for label in LABELS],
        [None if label == "yes" else RNG.choice("bc") for label in LABELS],
        [{"yes": float("inf"), "no": 1.5}[label] for label in LABELS],
        [{"yes": 2e300, "no": 1e300}[label] for label in LABELS],
        [{"yes": 1.0 + 1e-12, "no": 1.0}[label] for label in LABELS],
    ],
)
def test_columns_that_decide_the_target_alone(values: list[object]) -> None:
    assert doubt(values) == "decides y alone: is it known beforehand? If not: --drop"


@pytest.mark.parametrize(
    "values",
    [
        [RNG.random() for _ in LABELS],
        [RNG.choice("abc") for _ in LABELS],
        [{"yes": 5.0, "no": 1.0}[label] + RNG.gauss(0, 2) for label in LABELS],
        [f"group {n // 2}" for n in range(N)],
    ],
)
def test_ordinary_columns_raise_no_doubt(values: list[object]) -> None:
    assert doubt(values) == ""


def test_few_rows_prove_nothing() -> None:
    assert doubt(["a", "b"] * 4, labels=["yes", "no"] * 4) == ""


def test_identifiers_that_repeat() -> None:
    numbers: list[object] = [RNG.randrange(10**6) for _ in range(N - 20)]
    assert doubt([*numbers, *numbers[:20]], "patient_nbr").startswith("looks like an identifier: --id")


def test_large_tables_are_sampled() -> None:
    labels = [RNG.choice(["yes", "no"]) for _ in range(20_000)]
    assert doubt([label == "yes" for label in labels], labels=labels) != ""
