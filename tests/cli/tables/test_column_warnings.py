"""Tests of the questions a careful person asks about columns."""

import random

import polars as pl
import pytest

from evoter.cli.tables.column_kinds import view_column
from evoter.cli.tables.column_warnings import about_classes, misspelt, with_doubts
from evoter.cli.tables.files import Source

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
        [{"yes": 1e300, "no": -1e300}[label] * RNG.random() for label in LABELS],
        [float("inf") if label == "yes" else RNG.random() for label in LABELS],
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


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ({"kein Ausfall": 2892, "Ausfall": 93, "KEIN AUSFALL": 12, "kein Ausfal": 1}, ["KEIN AUSFALL", "kein Ausfal"]),
        ({"default": 95, "defualt": 1}, ["defualt"]),
        ({"no  risk": 50, "no risk": 60}, ["no  risk"]),
        ({"<30": 11357, ">30": 35545, "NO": 54864}, []),
        ({"grade 11": 1, "grade 1": 500}, []),
        ({"stage II": 500, "stage III": 2, "grade A": 400, "grade B": 1}, []),
        ({"typical": 500, "atypical": 2, "normal": 400, "abnormal": 3}, []),
        ({"malignant": 50, "nonmalignant": 40}, []),
        ({"+": 300, "-": 2}, []),
    ],
)
def test_names_that_may_be_misspelt(counts: dict[str, int], found: list[str]) -> None:
    assert sorted(misspelt(counts)) == sorted(found)


def test_misspelt_classes_and_categories_are_asked_about() -> None:
    assert about_classes({"good": 90, "Good": 3}, "y") == (
        "'y': is 'Good' meant to be 'good'? Rules tell them apart: correct the table"
    )
    assert about_classes({"good": 90, "bad": 3}, "y") == ""
    towns: list[object] = [RNG.choice(["Bonn", "Köln"]) for _ in LABELS]
    towns[7] = "köln"
    assert doubt(towns) == "is 'köln' meant to be 'Köln'? Then correct the table"
