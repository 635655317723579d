"""Tests that columns which determine the target by themselves are found, and that chance is not mistaken for it."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

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


def leaky_table(right: float, seed: int = 0) -> tuple[Any, Any]:
    """Return columns of a real table that tell little about its classes, and one that gives most of them away."""
    table = load_breast_cancer(as_frame=True)
    rng = np.random.default_rng(seed)
    weak = table.data[["mean smoothness", "mean symmetry", "mean fractal dimension", "texture error", "symmetry error"]]
    is_right = rng.random(len(table.target)) < right
    return weak.assign(outcome_code=np.where(is_right, table.target, 1 - table.target)), table.target


def findings(X: Any, y: Any) -> dict[str, str]:
    """Return the warnings about the target, by column."""
    reports = describe_columns(X, y)
    return {
        each.column: each.finding
        for report in reports
        for each in report.warnings
        if each.concern is ColumnConcern.TARGET
    }


@pytest.mark.parametrize("seed", range(3))
def test_a_leak_of_97_per_cent_is_found_and_its_figures_are_stated(seed: int) -> None:
    X, y = leaky_table(0.97, seed)
    found = findings(X, y)
    assert set(found) == {"outcome_code"}
    finding = found["outcome_code"]
    right = (X["outcome_code"] == y).mean()
    assert finding.startswith(f"nearly determines the target by itself for {right:.1%} of the rows, all other columns")
    others = float(finding.removesuffix("%").rpartition(" ")[2])
    assert 60 < others < 85, finding


def test_a_copy_of_the_leak_does_not_hide_it() -> None:
    X, y = leaky_table(0.97)
    assert set(findings(X.assign(copy=X["outcome_code"] + 5), y)) == {"outcome_code", "copy"}


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_a_good_predictor_among_good_predictors_is_no_leak(load: Any) -> None:
    """Petal width alone is right about 96% of iris, but so are the other columns without it."""
    table = load(as_frame=True)
    assert findings(table.data, table.target) == {}


def test_a_weak_relation_is_no_leak() -> None:
    assert findings(*leaky_table(0.85)) == {}
