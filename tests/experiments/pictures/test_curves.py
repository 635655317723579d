"""Curves are drawn by what their lines are called."""

from pathlib import Path

import pytest

from evoter.experiments.declarations import catalogue
from evoter.experiments.outcome import Outcome
from evoter.experiments.pictures.curves import draw, histories
from evoter.experiments.results import Result

pytest.importorskip("matplotlib")


def made(name: str, outcomes: dict[tuple[str, str], list[Outcome]]) -> Result:
    return Result(catalogue()[name], (), outcomes, 1, 1)


def test_lines_are_named_by_model_and_variant(tmp_path: Path) -> None:
    run = Outcome({}, {"discharge": (1.0, 2.0, 3.0)})
    both = made(
        "diabetes", {("rules", "all"): [run, run], ("network", "supported"): [run], ("one", "all"): [Outcome({})]}
    )
    assert list(histories(both, "discharge")) == [
        "rules, all 21 medications",
        "evolved network, the 10 with 500 stays or more",
    ]
    one = made("heart-failure", {("rules", "split"): [Outcome({}, {"death": (0.3, 0.2)})]})
    assert [*histories(one, "death")["rules"][0]["best"]] == [0.3, 0.2]
    assert draw(both, tmp_path / "curves.png")
    assert not draw(made("diabetes", {("one", "all"): [Outcome({})]}), tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()
