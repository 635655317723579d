"""The hypotension benchmarks measure, split and choose as they say."""

import doctest
import importlib
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from evoter.experiments.hypotension.patients import Patients
from pressures import pressures
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

from evoter.experiments.hypotension.alarm_scores import Scores
from series_tasks import hypotension
from series_tasks.hypotension_records import Record, rows, write

NAMES = [path.stem for path in (ROOT / "benchmarks" / "series_tasks").glob("hypotension*.py")]
SILENT = Console(quiet=True)


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"series_tasks.{name}")).failed == 0


def test_windows_are_chosen_on_training_patients(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    panel, labels = pressures()
    monkeypatch.setattr(hypotension, "MINUTES", (5,))
    monkeypatch.setattr(hypotension, "N_WINDOWS", (1,))
    monkeypatch.setattr(hypotension, "SIZES", ((1, 1),))
    monkeypatch.setattr(hypotension, "FOLDS", {"n_splits": 2, "n_repeats": 1, "random_state": 0})
    train = Patients(panel, labels)
    monkeypatch.setattr(hypotension, "load", lambda: (train, {"A": train}))
    records = hypotension.run(1, tmp_path, SILENT)
    assert [record.model for record in records] == [
        "EVOTER",
        "decision tree, same windows",
        "random forest, same windows",
        "decision tree, own windows",
        "random forest, own windows",
    ]
    assert records[0].scores.accuracy > 0.9
    document = json.loads((tmp_path / "hypotension-2009.json").read_text(encoding="utf-8"))
    assert document["facts"][0]["windows"] == "1 of 5 min"
    assert "mmHg" in (tmp_path / "hypotension-2009.md").read_text(encoding="utf-8")


def test_a_table_has_a_row_for_each_test_and_model(tmp_path: Path) -> None:
    scores = Scores(0.8, 1.0, 0.4, 0.2)
    records = [Record(test, "EVOTER", seed, scores, 2, 0.5, f"rules {seed}") for seed in range(3) for test in "AB"]
    assert [row[:4] for row in rows(records, ["accuracy"])] == [
        ["A", "EVOTER", "3", "0.800 ± 0.000"],
        ["B", "EVOTER", "3", "0.800 ± 0.000"],
    ]
    write(tmp_path, "name", records, ["accuracy"], {})
    text = (tmp_path / "name.md").read_text(encoding="utf-8")
    assert text.startswith("| test | model | runs | accuracy |\n| --- | --- | ---: | ---: |\n")
    assert text.count("rules ") == 3
