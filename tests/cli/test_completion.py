"""Tests of what a shell suggests after Tab."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from commands import ENVIRONMENT, patients, process, write_rows
from evoter.cli.completion import column_names


def suggested(folder: Path, *words: str) -> list[str]:
    """Return what bash is told for the last of some words."""
    settings = {
        "_EVOTER_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("evoter", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = process(folder=folder, env=ENVIRONMENT | settings)
    assert done.stderr == ""
    return done.stdout.split()


def test_columns_of_the_table_that_is_named(tmp_path: Path) -> None:
    write_rows(tmp_path / "patients.csv", patients(5))
    assert suggested(tmp_path, "fit", "patients.csv", "--target", "r") == ["region", "risk"]
    assert suggested(tmp_path, "fit", "patients.csv", "--drop", "ag") == ["age"]
    assert suggested(tmp_path, "fit", "nowhere.csv", "--target", "r") == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["sim"], ["simplify"]),
        (["show", "x.json", "--as", "py"], ["python"]),
        (["datasets", "fetch", "iri"], ["iris"]),
        (["fit", "x.csv", "--metric", "bal"], ["balanced_accuracy"]),
    ],
)
def test_commands_formats_data_sets_and_measures(words: list[str], wanted: list[str], tmp_path: Path) -> None:
    assert suggested(tmp_path, *words) == wanted


def test_columns_of_every_kind_of_table(tmp_path: Path) -> None:
    frame = pl.DataFrame({"one": [1], "two words": [2]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.tsv", separator="\t")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(frame.write_csv().encode()))
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    for name in ("a.parquet", "a.tsv", "a.csv.gz"):
        assert column_names(tmp_path / name) == ["one", "two words"]
    assert column_names(tmp_path / "broken.parquet") == []
