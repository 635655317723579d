"""`evoter fit` on a table in batches: rules, figures and files are about all rows, and say where they are not."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from commands import QUICK, fails, run, run_json
from evoter.cli.large import columns, fitting, opening
from evoter.cli.rule_files import load_rules
from stored import mixed_frame

COMMAND = ("fit", "t.parquet", "--target", "y", "-y", *QUICK, "--setting", "evaluation_rows=500")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(opening, "LARGE_ROWS", 1_000)
    monkeypatch.setattr(columns, "SAMPLE_ROWS", 700)
    monkeypatch.setattr(fitting, "CHUNK", 400)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(opening, "LARGE_BYTES", 0)
    pl.from_pandas(mixed_frame(2_001)).write_parquet("t.parquet")


def test_a_fit_says_what_it_looked_at() -> None:
    result = run(*COMMAND)
    assert result.exit_code == 0, result.output
    assert "t.parquet: 2,001 rows, 7 columns; it is read in batches, and its columns are kept in" in result.stderr
    assert "2,001 rows, 7 columns; kinds from 700 of these rows" in result.stdout
    assert "rules were evaluated on 500 of 1,501 training rows, drawn at random; the figures above are" in result.stdout
    assert "of 500 unseen rows" in result.stdout
    page = Path("t.rules.html").read_text("utf-8")
    assert "he kinds of columns were found on 700 of 2,001 rows, drawn at random" in page
    record = json.loads(Path("t.rules.fit.json").read_text("utf-8"))
    assert record["data"]["rows"] == 2_001
    assert record["data"]["sampled_rows"] == 700
    assert sum(record["classes"].values()) == 2_001
    assert record["figures"]["train"]["rows"] == record["split"]["train_rows"] == 1_501
    assert record["run"]["training_rows"] == 1_501
    assert record["run"]["evaluated_rows"] == 500
    loaded = load_rules("t.rules.json")
    assert loaded.record() is not None
    assert loaded.ruleset.counts is not None
    assert loaded.ruleset.counts.cases == 1_501
    assert record["figures"]["test"]["accuracy"] > 0.85


def test_the_same_command_gives_the_same_rules_and_reads_the_table_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_json(*COMMAND)
    monkeypatch.setattr("evoter.tables.stored.cache.build", None)  # nothing is built again
    again = run_json(*COMMAND, "--output", "again")
    assert first["rules"]["sha256"] == again["rules"]["sha256"]
    assert first["figures"] == again["figures"]


def test_metrics_of_the_confusion_are_those_of_all_rows() -> None:
    record = run_json(*COMMAND, "--metric", "balanced_accuracy")
    assert record["optimised"]["test"] == pytest.approx(record["figures"]["test"]["balanced_accuracy"])


@pytest.mark.parametrize(("given", "option"), [
    (("--protected", "wild"), "--protected"), (("--repeat", "2"), "--repeat"), (("--guardrail-price", "--forbid-feature", "wild"), "--guardrail-price"),
    (("--dates", "size=year"), "--dates"), (("--task", "numbers"), "--task numbers"),
])  # fmt: skip
def test_options_that_need_all_rows_are_refused(
    monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], option: str
) -> None:
    monkeypatch.setenv("EVOTER_MAX_CELLS", "100")
    message, hint = fails(*COMMAND, *given)
    assert (
        message == f"{option} needs the whole table in memory, and this one has 2,001 rows, which are read in batches"
    )
    assert hint == f"omit {option}, or fit on a part of the rows"


def test_what_needs_all_rows_is_done_at_once_where_the_table_fits() -> None:
    record = run_json("fit", "t.parquet", "--target", "size", "-y", *QUICK)
    assert record["task"] == "numbers"
    assert "sampled_rows" not in record["data"]


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evoter.tables.stored.column_writer.ColumnWriter._write", full)
    result = run(*COMMAND)
    assert result.exit_code == 2
    assert "the disk is full after 0 rows of the table were stored" in result.stderr
    assert "hint: make room, or choose another disk with EVOTER_CACHE" in result.stderr
    assert not Path("t.rules.json").exists()


def test_a_cache_that_cannot_be_written_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("occupied").write_text("a file")
    monkeypatch.setenv("EVOTER_CACHE", "occupied")
    message, hint = fails(*COMMAND, "--quiet")
    assert "Not a directory" in message
    assert hint == "name another folder for its columns with EVOTER_CACHE"


def test_without_test_rows() -> None:
    record = run_json(*COMMAND, "--test", "0")
    assert record["figures"]["test"] is None
    assert record["figures"]["train"]["rows"] == 2_001
