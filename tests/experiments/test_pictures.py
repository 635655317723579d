"""Pictures are drawn where an experiment asks for one and there is something to draw."""

from dataclasses import replace
from pathlib import Path

import pytest

from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.experiments.declarations import catalogue
from evoter.experiments.pictures import (
    can_draw,
    draw_alarms,
    draw_boundaries,
    draw_curves,
    draw_pictures,
    draw_trade_off,
    histories,
    new_figure,
)
from evoter.experiments.records import Record, runs_of
from evoter.experiments.results import Estimate, Figure, Result, summarise, summarise_trade_off
from evoter.experiments.runners import Outcome
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
        "decision-boundaries": ["boundaries.png", "tree-linear.png", "tree-cubic.png"],
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


def test_points_need_both_rates(tmp_path: Path) -> None:
    figures = [Figure("evoter", "2009", f"{kind}_positive_rate", Estimate(1, 0.9)) for kind in ("false", "true")]
    experiment = catalogue()["blood-pressure"]
    assert not draw_alarms(Result(experiment, tuple(figures[:1]), {}, 1, 1), tmp_path / "none.png")
    assert draw_alarms(Result(experiment, tuple(figures), {}, 1, 1), tmp_path / "alarms.png")
    assert (tmp_path / "alarms.png").stat().st_size > 5_000


def test_eight_planes(tmp_path: Path) -> None:
    draw_boundaries(tmp_path / "boundaries.png", n_examples=30)
    assert (tmp_path / "boundaries.png").stat().st_size > 20_000


def test_a_figure_has_its_size(tmp_path: Path) -> None:
    figure = new_figure(4, 3)
    assert figure.get_size_inches().tolist() == [4, 3]
    figure.savefig(tmp_path / "empty.png")
    assert (tmp_path / "empty.png").stat().st_size > 0


def with_outcomes(name: str, outcomes: dict[tuple[str, str], list[Outcome]]) -> Result:
    return Result(catalogue()[name], (), outcomes, 1, 1)


def test_lines_are_named_by_model_and_plots_by_variant(tmp_path: Path) -> None:
    run = Outcome({}, {"discharge": (1.0, 2.0, 3.0)})
    both = with_outcomes(
        "diabetes", {("rules", "all"): [run, run], ("network", "supported"): [run], ("one", "all"): [Outcome({})]}
    )
    assert {name: len(runs) for name, runs in histories(both, "discharge", "all").items()} == {"rules": 2}
    assert list(histories(both, "discharge", "supported")) == ["evolved network"]
    assert not histories(both, "readmission", "all")
    one = with_outcomes("heart-failure", {("rules", "split"): [Outcome({}, {"death": (0.3, 0.2)})]})
    assert [*histories(one, "death", "split")["rules"][0]["best"]] == [0.3, 0.2]
    assert draw_curves(both, tmp_path / "curves.png")
    assert not draw_curves(with_outcomes("diabetes", {("one", "all"): [Outcome({})]}), tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()


def test_each_display_has_its_title(tmp_path: Path) -> None:
    displays = {name: ComplexityDisplay({"EVOTER": Spot(5, 0.9), "tree": Spot(80, 0.8)}, log=True) for name in "abc"}
    assert draw_trade_off(displays, "three", tmp_path / "deep" / "three.png")
    assert (tmp_path / "deep" / "three.png").stat().st_size > 10_000
    assert [display.ax_.get_title(loc="left") for display in displays.values()] == ["a", "b", "c"]
    assert not draw_trade_off({}, "none", tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()
