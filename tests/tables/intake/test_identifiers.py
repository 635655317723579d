"""Tests that identifiers are recognised by name and behaviour, also where they repeat, and that others are not."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from evoter.tables import ColumnConcern, ColumnKind, ColumnWarning, describe_columns, infer_schema

RNG = np.random.default_rng(0)
N = 800


def kind_of(name: str, values: Any) -> tuple[ColumnKind, bool]:
    """Return the kind of a column, and whether there is a warning that it may be an identifier."""
    (report,) = describe_columns(pl.DataFrame({name: values}))
    return report.kind, ColumnConcern.IDENTIFIER in [each.concern for each in report.warnings]


VISITS = np.repeat(np.arange(100) * 7 + 1000, 8)
SHUFFLED = RNG.permutation(VISITS)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient_id", SHUFFLED),
        ("patient_id", VISITS),
        ("visitId", RNG.permutation(np.repeat(np.arange(400), 2))),
        ("subject", RNG.integers(1, 31, N)),
        ("customer number", [f"C{n:04}" for n in SHUFFLED]),
        ("patient", [f"P-{n}" for n in SHUFFLED]),
        ("sample no", [f"W{n}" for n in SHUFFLED]),
        ("probe nr", [f"W{n}" for n in SHUFFLED]),
        ("sequence", np.repeat(np.arange(1, 101), 8)),
        ("user_id", [f"{n % 60:x}f" for n in range(N)]),
    ],
)
def test_identifiers_that_repeat(name: str, values: Any) -> None:
    assert kind_of(name, values)[0] is ColumnKind.IDENTIFIER


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("shop_id", RNG.integers(1, 15, N)),
        ("product_id", RNG.integers(1, 25, 100 * N)),
        ("body mass index", RNG.integers(18, 45, N)),
        ("house number", RNG.integers(1, 90, N)),
        ("rooms", RNG.integers(1, 40, N)),
        ("age", np.sort(RNG.integers(18, 90, N))),
        ("year", np.repeat(np.arange(1980, 2020), 20)),
        ("patient age", RNG.integers(18, 90, N)),
        (
            "subject",
            RNG.choice(
                [f"{a} {b}" for a in ("higher", "lower") for b in ["maths", "physics", "art", "music", "law"]], N
            ),
        ),
        ("town", RNG.choice([f"town {n}" for n in range(60)], N)),
        ("member", RNG.integers(0, 2, N)),
        ("heart rate", RNG.integers(40, 180, N)),
    ],
)
def test_ordinary_columns(name: str, values: Any) -> None:
    assert kind_of(name, values) in [(ColumnKind.NUMERIC, False), (ColumnKind.CATEGORICAL, False)]


def test_the_code_of_something_is_not_taken_for_an_identifier_but_asked_about() -> None:
    (report,) = describe_columns(pl.DataFrame({"ward_id": RNG.integers(1, 30, 10 * N)}))
    assert report.kind is ColumnKind.NUMERIC
    assert report.note == "29 whole numbers; codes?"


def test_texts_that_hardly_repeat_are_warned_about() -> None:
    texts = [f"{n % 500} Main Street" for n in range(N)]
    assert kind_of("address", texts) == (ColumnKind.CATEGORICAL, True)


def test_blocks_of_rows_of_the_same_size_are_warned_about() -> None:
    """Levels of an experiment look like that as well, so such a column is not left out."""
    assert kind_of("dose", np.repeat(np.arange(0, 1000, 10), 8)) == (ColumnKind.NUMERIC, True)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_no_false_alarm_on_real_tables(load: Any) -> None:
    table = load(as_frame=True)
    for report in describe_columns(table.data, table.target):
        assert report.kind in (ColumnKind.NUMERIC, ColumnKind.CONSTANT), report
        assert report.warnings == ()


def test_python_is_warned_and_told_to_split_by_it() -> None:
    frame = pd.DataFrame({"patient_id": SHUFFLED, "size": RNG.random(N)})
    with pytest.warns(
        ColumnWarning, match=r"'patient_id' looks like an identifier: 100 values that repeat, 8 rows each"
    ):
        infer_schema(frame, actions=["yes", "no"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        infer_schema(frame, actions=["yes", "no"])
    (warning,) = caught
    assert "which belong on the same side of a split into training and test rows" in str(warning.message)
