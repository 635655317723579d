"""Displays of accuracy against size are drawn side by side."""

from pathlib import Path

import pytest

from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.experiments.pictures.trade_off import draw

pytest.importorskip("matplotlib")


def test_each_display_has_its_title(tmp_path: Path) -> None:
    displays = {name: ComplexityDisplay({"EVOTER": Spot(5, 0.9), "tree": Spot(80, 0.8)}, log=True) for name in "abc"}
    assert draw(displays, "three", tmp_path / "deep" / "three.png")
    assert (tmp_path / "deep" / "three.png").stat().st_size > 10_000
    assert [display.ax_.get_title(loc="left") for display in displays.values()] == ["a", "b", "c"]
    assert not draw({}, "none", tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()
