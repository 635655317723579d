"""The hypotension benchmarks measure, split and choose as they say."""

import doctest
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from sklearn.metrics import balanced_accuracy_score

from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

from series_tasks import hypotension, hypotension_forecast
from series_tasks.hypotension_forecast import LastValue
from series_tasks.hypotension_measures import Scores, balanced_risks, score
from series_tasks.hypotension_models import Rules, Windowing, forest, tree
from series_tasks.hypotension_records import Record, rows, write

NAMES = [path.stem for path in (ROOT / "benchmarks" / "series_tasks").glob("hypotension*.py")]
SILENT = Console(quiet=True)


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"series_tasks.{name}")).failed == 0


def pressures(n: int = 24, minutes: int = 20) -> tuple[Panel, Any]:
    """Patients whose last minutes are low, and others."""
    rng = np.random.default_rng(0)
    series = rng.normal(90, 2, (n, 1, minutes))
    series[: n // 2, :, -5:] -= 30
    labels = np.repeat(["hypotension", "no hypotension"], n // 2)
    return read_panel(series, channels=["MAP"], units={"MAP": "mmHg"}), labels


def test_with_balanced_risks_the_error_is_what_balanced_accuracy_lacks() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["Low", "Normal", "High"], 300, p=[0.05, 0.5, 0.45])
    predicted = np.where(rng.random(300) < 0.7, truth, rng.choice(["Low", "Normal", "High"], 300))
    scores = score(truth, predicted, "Low", balanced_risks(truth))
    assert scores.risk_weighted_error == pytest.approx(1 - balanced_accuracy_score(truth, predicted))
    assert scores.accuracy == pytest.approx(np.mean(truth == predicted))


def test_trees_read_what_rules_read() -> None:
    panel, _ = pressures(2)
    windowing = Windowing(5, 2, statistics=("mean", "max"))
    table = windowing.table(panel)
    windows = windowing.transformer().fit_transform(panel)
    assert table.tolist() == [windows[i][:, -2:].ravel().tolist() for i in range(2)]


def test_windows_before_the_series_are_missing() -> None:
    short = read_panel([[1.0, 2.0, 3.0]])
    table = Windowing(2, 3, statistics=("mean",)).table(short)
    np.testing.assert_equal(table, [[np.nan, np.nan, 2.5]])


def test_all_models_find_what_is_there_to_be_found() -> None:
    panel, labels = pressures()
    windowing = Windowing(5, 2)
    models: list[Any] = [Rules(windowing, 0, generations=5), tree(windowing, 0), forest(windowing, 0)]
    for model in models:
        assert (model.fit(panel, labels).predict(panel) == labels).all()
    assert models[0].n_conditions == models[1].n_conditions == 1
    assert models[2].n_conditions == sum(each.get_n_leaves() - 1 for each in models[2].estimator.estimators_)


def test_the_naive_forecast_is_the_class_of_the_last_value() -> None:
    nan = np.nan
    panel = read_panel([[90.0, 55.0], [50.0, 85.0], [50.0, 85.1], [60.0, nan], [nan, nan]])
    model = LastValue().fit(panel, np.array(["High", "High", "Low"]))
    assert model.predict(panel).tolist() == ["Low", "Normal", "High", "Normal", "High"]


def test_windows_are_chosen_on_training_patients(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    panel, labels = pressures()
    monkeypatch.setattr(hypotension, "MINUTES", (5,))
    monkeypatch.setattr(hypotension, "N_WINDOWS", (1,))
    monkeypatch.setattr(hypotension, "SIZES", ((1, 1),))
    monkeypatch.setattr(hypotension, "FOLDS", {"n_splits": 2, "n_repeats": 1, "random_state": 0})
    train = hypotension.Patients(panel, labels)
    monkeypatch.setattr(hypotension, "load", lambda: (train, {"A": train}))
    records = hypotension.run(1, tmp_path, SILENT)
    assert [record.model for record in records] == [
        "EVOTER",
        "decision tree, same windows",
        "random forest, same windows",
        "decision tree, own windows",
        "random forest, own windows",
    ]
    assert records[0].scores == Scores(1.0, 1.0, 0.0, 0.0)
    document = json.loads((tmp_path / "hypotension-2009.json").read_text(encoding="utf-8"))
    assert document["facts"][0]["windows"] == "1 of 5 min"
    assert "mmHg" in (tmp_path / "hypotension-2009.md").read_text(encoding="utf-8")


def test_no_patient_is_on_both_sides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    level = rng.choice([50.0, 70.0, 95.0], 30)
    panel = read_panel(level[:, None] + rng.normal(0, 2, (30, 30)), channels=["MAP"], units={"MAP": "mmHg"})
    examples = hypotension_forecast.examples_of(panel)
    assert examples.panel.shape[2] == 12
    monkeypatch.setattr(hypotension_forecast, "load", lambda: examples)
    monkeypatch.setitem(hypotension_forecast.SEARCH, "generations", 2)
    records = hypotension_forecast.run(1, tmp_path, SILENT)
    assert {record.model for record in records} >= {"EVOTER", "decision tree", "random forest", "last value"}
    assert all(record.scores.accuracy > 0.8 for record in records)


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
