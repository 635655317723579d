"""Pictures are drawn where an experiment asks for one and there is something to draw."""

from dataclasses import replace
from pathlib import Path

import pytest

from evoter.experiments.declarations import catalogue
from evoter.experiments.drawing import can_draw, draw_pictures
from evoter.experiments.outcome import Outcome
from evoter.experiments.records import Record, runs_of
from evoter.experiments.results import Result, summarise, summarise_trade_off
from trials import small_iris

pytest.importorskip("matplotlib")


def made(name: str, outcome: Outcome) -> Result:
    experiment = replace(catalogue()[name], uses=())
    runs = runs_of(experiment, "quick", 0)
    return summarise(experiment, [Record(run, dict.fromkeys(run.models, outcome)) for run in runs], len(runs))


def test_every_kind_is_drawn(tmp_path: Path) -> None:
    iris = small_iris(1)
    records = [
        Record(run, {run.models[0]: Outcome({"accuracy": 0.9, "parameters": 4})}) for run in runs_of(iris, "quick", 0)
    ]
    results = {
        "iris": summarise(iris, records, 6),
        "blood-pressure": made("blood-pressure", Outcome({"true_positive_rate": 0.9, "false_positive_rate": 0.1})),
        "heart-failure": made("heart-failure", Outcome({"training": 0.1}, {"death": (0.3, 0.2)})),
        "decision-boundaries": made("decision-boundaries", Outcome({"wrong": 0.1})),
    }
    results["accuracy-complexity"] = summarise_trade_off(catalogue()["accuracy-complexity"], results)
    drawn = draw_pictures(tmp_path, results, 0)
    assert drawn == {
        "iris": [],
        "blood-pressure": ["alarms.png"],
        "heart-failure": ["curves.png"],
        "decision-boundaries": ["boundaries.png"],
        "accuracy-complexity": ["clean.png", "paper.png"],
    }
    for name, files in drawn.items():
        assert all((tmp_path / name / file).stat().st_size > 5_000 for file in files)


def test_a_variant_without_runs_has_no_picture(tmp_path: Path) -> None:
    """After an interruption, one protocol may have runs and the other none."""
    iris = small_iris(1)
    runs = [run for run in runs_of(iris, "quick", 0) if run.variant == "clean"]
    records = [Record(run, {run.models[0]: Outcome({"accuracy": 0.9, "parameters": 4})}) for run in runs]
    results = {"iris": summarise(iris, records, 6)}
    trade_off = summarise_trade_off(catalogue()["accuracy-complexity"], results)
    drawn = draw_pictures(tmp_path, {**results, "accuracy-complexity": trade_off}, 0)
    assert drawn["accuracy-complexity"] == ["clean.png"]
    assert [path.name for path in (tmp_path / "accuracy-complexity").iterdir()] == ["clean.png"]


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    assert can_draw()
    empty = {name: summarise(catalogue()[name], [], 3) for name in ("blood-pressure", "heart-failure")}
    assert draw_pictures(tmp_path, empty, 0) == {"blood-pressure": [], "heart-failure": []}
