"""Tests that columns which determine the target by themselves are found, and that chance is not mistaken for it."""

import random
from collections.abc import Sequence

import pytest

from evoter.tables import ColumnConcern, describe_columns

N = 200
RNG = random.Random(0)
LABELS = [RNG.choice(["yes", "no", "no"]) for _ in range(N)]


def determines(values: Sequence[object], labels: Sequence[str] = LABELS) -> bool:
    """Tell whether a column is reported to determine the target."""
    (report,) = describe_columns([[value] for value in values], labels)
    return ColumnConcern.TARGET in [warning.concern for warning in report.warnings]


@pytest.mark.parametrize(
    "values",
    [
        ["paid" if label == "yes" else "due" for label in LABELS],
        [{"yes": "a", "no": RNG.choice("bc")}[label] for label in LABELS],
        [label == "yes" for label in LABELS],
        [{"yes": 5.0, "no": 1.0}[label] + RNG.random() for label in LABELS],
        [None if label == "yes" else RNG.choice("bc") for label in LABELS],
        [{"yes": 1e300, "no": -1e300}[label] * RNG.random() for label in LABELS],
        [float("inf") if label == "yes" else RNG.random() for label in LABELS],
        [{"yes": 1.0 + 1e-12, "no": 1.0}[label] for label in LABELS],
    ],
)
def test_columns_that_determine_the_target(values: list[object]) -> None:
    assert determines(values)


@pytest.mark.parametrize(
    "values",
    [
        [RNG.random() for _ in LABELS],
        [RNG.choice("abc") for _ in LABELS],
        [{"yes": 5.0, "no": 1.0}[label] + RNG.gauss(0, 2) for label in LABELS],
        [f"group {n // 2}" for n in range(N)],
    ],
)
def test_ordinary_columns_do_not(values: list[object]) -> None:
    assert not determines(values)


def test_few_rows_and_a_single_class_prove_nothing() -> None:
    assert not determines(["a", "b"] * 4, ["yes", "no"] * 4)
    assert not determines(["a", "b"] * 40, ["yes"] * 80)


def test_large_tables_are_sampled() -> None:
    labels = [RNG.choice(["yes", "no"]) for _ in range(20_000)]
    assert determines([label == "yes" for label in labels], labels)
