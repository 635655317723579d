"""Tests of `evoter datasets`: listed, described and fetched."""

from pathlib import Path

import polars as pl
import pytest

from commands import fails, run, run_json
from evoter.datasets import DATASETS


def test_all_are_listed_with_sizes_and_licences() -> None:
    listed = run_json("datasets")
    assert listed == run_json("datasets", "list")
    assert [each["name"] for each in listed[:3]] == ["iris", "breast_cancer", "wine"]
    assert {each["name"] for each in listed[3:]} == set(DATASETS)
    assert all(each["licence"] and each["source"] and each["citation"] for each in listed)
    output = run("datasets").stdout
    assert "credit_approval" in output
    assert "690" in output


def test_one_is_described() -> None:
    output = run("datasets", "show", "diabetes").stdout
    assert "101,766" in output
    assert "CC BY 4.0" in output
    assert run_json("datasets", "show", "iris")["classes"] == ["setosa", "versicolor", "virginica"]


@pytest.mark.parametrize(("name", "shape"), [("iris", (150, 5)), ("breast_cancer", (569, 31)), ("wine", (178, 14))])
def test_embedded_ones_are_written(name: str, shape: tuple[int, int], folder: Path) -> None:
    described = run_json("datasets", "fetch", name)
    frame = pl.read_csv(f"{name}.csv")
    assert frame.shape == shape == (described["rows"], described["columns"])
    known = {each["name"]: each for each in run_json("datasets")}[name]
    assert sorted(set(frame["target"])) == sorted(known["classes"])
    assert (known["rows"], known["features"]) == (shape[0], shape[1] - 1)


def test_published_ones_are_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up table with the columns and the class counts of the published one passes for it."""
    columns = (
        "age anaemia creatinine_phosphokinase diabetes ejection_fraction high_blood_pressure platelets serum_creatinine"
    )
    columns += " serum_sodium sex smoking time DEATH_EVENT"
    n_features = columns.count(" ")
    rows = [f"{'1,' * n_features}{int(row < 96)}" for row in range(299)]
    lines = [columns.replace(" ", ","), *rows]
    (folder / "heart_failure_clinical_records_dataset.csv").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("EVOTER_DATA", str(folder))
    result = run("datasets", "fetch", "heart_failure", "--output", "hearts.parquet")
    assert result.exit_code == 0, result.output
    assert pl.read_parquet("hearts.parquet").shape == (299, 13)


def test_wrong_use_gives_one_line(folder: Path) -> None:
    assert fails("datasets", "show", "irs") == ("there is no data set 'irs'", "did you mean 'iris'?")
    assert fails("datasets", "fetch", "hypotension_2009")[0] == "hypotension_2009 holds signals and is not a table"
