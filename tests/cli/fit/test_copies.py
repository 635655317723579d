"""Tests that rows which occur twice are counted, across the split too, and told about everywhere."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from commands import QUICK, run
from evoter.cli.fit.column_roles import Choices, plan_columns
from evoter.cli.fit.copies import find_copies
from evoter.cli.fit.split import split_rows
from evoter.cli.tables.files import Source


def real_table(load: Any) -> pl.DataFrame:
    table = load(as_frame=True)
    return pl.from_pandas(table.data).with_columns(pl.Series("class", [f"c{each}" for each in table.target]))


def test_copies_are_told_about_everywhere(folder: Path) -> None:
    table = real_table(load_wine)
    pl.concat([table, table[:60]]).write_csv("wine.csv")
    result = run("fit", "wine.csv", "-t", "class", *QUICK)
    assert result.exit_code == 0, result.output
    assert "warning: 60 of 238 rows repeat an earlier row exactly; " in result.stderr
    assert "test rows are copies of training rows, which makes the test too easy: remove copies" in result.stderr
    assert "of the test rows that are no copies of training rows" in result.stdout
    record = json.loads((folder / "wine.rules.fit.json").read_text("utf-8"))
    assert record["duplicates"]["rows"] == 60
    assert 10 < record["duplicates"]["test_rows_in_training"] <= 60
    assert 0.0 < record["duplicates"]["accuracy_on_other_test_rows"] <= 1.0
    warning = record["warnings"][0]
    assert warning.startswith("60 of 238 rows repeat an earlier row exactly; ")
    assert "60 of 238 rows repeat an earlier row exactly; " in (folder / "wine.rules.html").read_text("utf-8")


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_no_false_alarm_on_real_tables(load: Any) -> None:
    plan = plan_columns(Source("t", real_table(load), ""), Choices("class"))
    assert find_copies(plan, split_rows(plan.labels, None, 0.25, 0)).warning == ""


def test_rows_of_few_values_are_equal_by_chance() -> None:
    # "count" is what polars calls the column of counts.
    cells = {"count": ["x", "y"] * 200, "b": ["u", "v", "w", "u"] * 100, "class": ["p", "q", "p", "q"] * 100}
    plan = plan_columns(Source("t", pl.DataFrame(cells), ""), Choices("class"))
    copies = find_copies(plan, split_rows(plan.labels, None, 0.25, 0))
    assert copies.n_repeated > 390
    assert copies.by_chance
    assert copies.warning == ""


def test_a_split_by_identifiers_keeps_copies_together() -> None:
    table = real_table(load_wine).with_row_index("sample_id")
    plan = plan_columns(Source("t", pl.concat([table, table]), ""), Choices("class"))
    assert plan.identifier == "sample_id"
    copies = find_copies(plan, split_rows(plan.labels, plan.identifiers, 0.25, 0))
    assert copies.n_repeated == len(table)
    assert not copies.in_training.any()
    assert "copies of training rows" not in copies.warning
