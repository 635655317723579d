"""A reproduction goes on where it was stopped, to the same results, and goes on without what cannot be done."""

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from rich.console import Console

from evoter.experiments import reproduction
from evoter.experiments.declarations import Experiment, ExperimentError, catalogue
from evoter.experiments.pictures import can_draw
from evoter.experiments.reproduction import choose, format_time, reproduce
from evoter.experiments.runners import Outcome, Runner
from trials import small_iris


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Experiment]:
    """A catalogue of three short experiments on embedded data, without pictures, which take longer than the runs."""
    boundaries = replace(catalogue()["decision-boundaries"], settings={"n_examples": 60})
    uses = replace(catalogue()["accuracy-complexity"], uses=("iris",))
    made = MappingProxyType({each.name: each for each in (small_iris(), boundaries, uses)})
    monkeypatch.setattr(reproduction, "catalogue", lambda: made)
    monkeypatch.setattr(reproduction, "can_draw", lambda: False)
    return made


def silent() -> Console:
    return Console(file=io.StringIO(), width=200)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def stop_after(monkeypatch: pytest.MonkeyPatch, n_runs: int) -> None:
    """Let somebody press Ctrl-C in the run after so many."""
    perform, done = Runner.perform, []

    def performed(self: Runner, *given: Any) -> dict[str, Outcome]:
        done.append(given)
        if len(done) > n_runs:
            raise KeyboardInterrupt
        return perform(self, *given)

    monkeypatch.setattr(Runner, "perform", performed)


def test_an_interrupted_call_goes_on_to_the_same_results(
    small: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reproduce(folder=tmp_path / "whole", console=silent())
    whole = (tmp_path / "whole" / "results.json").read_bytes()
    with monkeypatch.context() as patched:
        stop_after(patched, 5)
        console = silent()
        cut = reproduce(folder=tmp_path / "cut", console=console)
    assert cut.interrupted
    assert "interrupted: finished runs are kept" in said(console)
    assert cut.results["iris"].n_runs == 5
    assert cut.page.is_file(), "the pages show what there is"
    console = silent()
    done = reproduce(folder=tmp_path / "cut", console=console)
    assert "5 runs have been done already" in said(console)
    assert not done.interrupted
    assert not done.failures
    assert (tmp_path / "cut" / "results.json").read_bytes() == whole
    kept = (tmp_path / "cut" / "records.jsonl").read_bytes()
    reproduce(folder=tmp_path / "cut", console=silent())
    assert (tmp_path / "cut" / "records.jsonl").read_bytes() == kept, "nothing is done twice"


def test_another_seed_is_another_reproduction(small: object, tmp_path: Path) -> None:
    first = reproduce(["iris"], folder=tmp_path / "a", console=silent(), seed=0)
    other = reproduce(["iris"], folder=tmp_path / "b", console=silent(), seed=10)
    assert first.results["iris"].to_dict() != other.results["iris"].to_dict()


def test_what_was_done_before_is_shown_as_well(small: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reproduce(["decision-boundaries"], folder=tmp_path, console=silent())
    monkeypatch.setattr(reproduction, "can_draw", can_draw)
    done = reproduce(["accuracy-complexity"], folder=tmp_path, console=silent())
    assert list(done.results) == ["iris", "decision-boundaries", "accuracy-complexity"]
    assert done.results["accuracy-complexity"].count("not run") == 14, (
        "the other three of the paper's data sets, and the preset paper of the first"
    )
    assert {path.parent.name for path in tmp_path.rglob("*.png")} == {"decision-boundaries", "accuracy-complexity"}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError("crx.data not found: put it into $EVOTER_DATA"), "put it into $EVOTER_DATA"),
        (ModuleNotFoundError("No module named 'pandas'", name="pandas"), "pip install 'evoter[data]'"),
    ],
)
def test_what_cannot_be_done_is_left_out_and_said(
    small: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    perform, tried = Runner.perform, []

    def fail(self: Runner, *given: Any) -> dict[str, Outcome]:
        if "classification" in self.module:
            tried.append(given)
            raise error
        return perform(self, *given)

    monkeypatch.setattr(Runner, "perform", fail)
    console = silent()
    done = reproduce(folder=tmp_path, console=console)
    assert len(tried) == 1, "the other runs need the same"
    assert message in said(console)
    assert message in (tmp_path / "iris" / "README.md").read_text(encoding="utf-8")
    assert done.results["decision-boundaries"].n_runs == 36
    assert done.failures


def test_a_run_that_fails_is_said_and_tried_again(
    small: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Runner, *given: Any) -> dict[str, Outcome]:
        raise ValueError("no classes")

    with monkeypatch.context() as patched:
        patched.setattr(Runner, "perform", fail)
        done = reproduce(["decision-boundaries"], folder=tmp_path, console=silent())
    assert len(done.failures) == 36
    assert done.failures[0] == "Decision boundaries, evoter, linear, seed 0: ValueError: no classes"
    assert not reproduce(["decision-boundaries"], folder=tmp_path, console=silent()).failures


def test_without_matplotlib_there_are_no_pictures(small: object, tmp_path: Path) -> None:
    console = silent()
    reproduce(["decision-boundaries"], folder=tmp_path, console=console)
    assert "pip install 'evoter[plots]'" in said(console)
    assert not list(tmp_path.rglob("*.png"))


def test_names_are_checked() -> None:
    with pytest.raises(ExperimentError, match="no experiment is called 'irsi'; did you mean 'iris'"):
        choose(["irsi"])
    with pytest.raises(ExperimentError, match="there are iris, breast-cancer"):
        choose(["xyz"])
    with pytest.raises(ExperimentError, match="effort must be one of"):
        reproduce(effort="all")  # type: ignore[arg-type]


def test_what_an_experiment_shows_is_done_first() -> None:
    assert [each.name for each in choose(["accuracy-complexity"])] == [
        *catalogue()["accuracy-complexity"].uses,
        "accuracy-complexity",
    ]
    assert [each.name for each in choose(["cart-pole", "iris", "iris"])] == ["iris", "cart-pole"]
    assert len(choose([])) == len(catalogue())


@pytest.mark.parametrize(("seconds", "text"), [(-3, "0 s"), (59.4, "59 s"), (3600, "1 h 0 min"), (7_900, "2 h 12 min")])
def test_times_are_said_as_people_say_them(seconds: float, text: str) -> None:
    assert format_time(seconds) == text
