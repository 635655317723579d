"""The benchmark on series compares features with chance as it says, and its table holds every figure."""

import doctest
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from evoter import parse
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

from comparison.catalogue import Entry
from comparison.records import Record, Store
from comparison.running import Bench, Plan, run
from evoter.experiments.activity.signal_models import statistics
from evoter.experiments.activity.signals import COLUMNS, WARM_UP, load_signals
from series_tasks.activity import ENTRIES, find_entry
from series_tasks.activity_models import ON_RAW_VALUES, ON_STATISTICS
from series_tasks.activity_report import markdown, write_reports
from series_tasks.peers import PEERS

MODULES = sorted(path.stem for path in (ROOT / "benchmarks" / "series_tasks").glob("[!_]*.py"))
SMALL = [f"{signal}[{lag}]" for signal in "xy" for lag in range(4)]
RULES = "1. total_acc_x[3] <= 0.5*total_acc_x[9] -> a\n2. Default -> b"
WHERE = "where\n  total_acc_x: numeric [0..1], scaled\n  actions: a | b\n  lags: 0..127"


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module = importlib.import_module(f"series_tasks.{name}")
    assert doctest.testmod(module).failed == 0


# Models


def test_features_of_rules_are_signals_with_lags() -> None:
    model: Any = ON_RAW_VALUES[0].make(0)
    model.classifier.ruleset_ = parse(f"{RULES}\n{WHERE}")
    assert model.features_used() == ["total_acc_x[3]", "total_acc_x[9]"]
    assert model.complexity() == 1


@pytest.mark.parametrize("entry", [*ON_RAW_VALUES[1:], *ON_STATISTICS[1:]], ids=lambda entry: entry.name)
def test_baselines_name_the_columns_they_look_at(entry: Entry) -> None:
    task = load_signals(WARM_UP)
    model: Any = entry.make(0)
    model.fit(task.data, task.target)
    assert np.mean(model.predict(task.data) == task.target) > 0.5
    known = COLUMNS if entry in ON_RAW_VALUES else list(statistics(task.data))
    assert set(model.features_used()) <= set(known)
    assert 0 < len(model.features_used()) <= model.complexity()


@pytest.mark.parametrize("entry", [entry for entry in PEERS if entry.transparent], ids=lambda entry: entry.name)
@pytest.mark.filterwarnings("ignore")
def test_peers_are_counted(entry: Entry) -> None:
    if missing := entry.missing():
        pytest.skip(missing)
    task = load_signals(WARM_UP)
    model: Any = entry.make(0)
    model.fit(task.data, task.target)
    assert model.complexity() > 0
    assert set(model.predict(task.data)) <= set(task.target)


# Table


def record(model: str, seed: int, features: Sequence[str] = (), data: str = "raw-random", **more: Any) -> Record:
    known = {"protocol": "clean", "version": "1", "digest": "d", "n_train": 70, "n_test": 30, "complexity": 40}
    accuracy = {"test_accuracy": 0.8 + seed / 50}
    return Record(
        **{**known, **accuracy, "data": data, "model": model, "split": seed, "features": tuple(features), **more}
    )


def test_the_table_has_means_and_the_overlap() -> None:
    records = [record("evoter", 0, COLUMNS[:4], rules=RULES), record("evoter", 1, COLUMNS[2:4])]
    records += [record("tree", seed, COLUMNS[:10], complexity=495) for seed in range(2)]
    records += [record("minirocket", 0, data="series-random", failure="no result in 5 s")]
    text = markdown(records, ENTRIES, {"raw": COLUMNS})
    assert "| raw values | **EVOTER** | **0.000** | **0.810** | **0.014** | **40.0** | **3.0** | **1,152** |" in text
    assert "| raw values | decision tree | 0.000 | 0.810 | 0.014 | 495.0 | 10.0 | 1,152 |" in text
    assert "| whole series | MiniRocket \\* | no result in 5 s |" in text
    union, shared = "0.500 (0.001)", "0.750 (0.003)"
    assert f"| raw values | **EVOTER** | **3.0** | **1,152** | **{union}** | **{shared}** |" in text
    assert "subject" not in text


def test_one_run_has_no_deviation() -> None:
    text = markdown([record("bayes", 0)], ENTRIES, {"raw": COLUMNS})
    assert "| raw values | naive Bayes | 0.000 | 0.800 |  | 40.0 |" in text


def test_rules_are_written_so_that_they_can_be_read(tmp_path: Path) -> None:
    text = f"{RULES}\n{WHERE}"
    write_reports(tmp_path, "table\n", [record("evoter", 3, rules=text)])
    assert (tmp_path / "activity.md").read_text(encoding="utf-8") == "table\n"
    assert parse((tmp_path / "rules" / "raw-random-3.rules").read_text(encoding="utf-8")) == parse(text)


def test_features_are_measured_and_kept(tmp_path: Path) -> None:
    """What a run found is there again when the same command goes on."""
    (entry,) = (entry for entry in ON_STATISTICS if entry.name == "tree")
    bench = Bench({WARM_UP: "waves"}, load_signals, find_entry, WARM_UP)
    plan = Plan("clean", [WARM_UP], [entry], range(2), 60, bench)
    path = tmp_path / "records.jsonl"
    first = run([plan], Store(path), Console(quiet=True))
    assert all(found.features and not found.failure for found in first)
    kept = path.read_text(encoding="utf-8")
    assert run([plan], Store(path), Console(quiet=True)) == first
    assert path.read_text(encoding="utf-8") == kept
