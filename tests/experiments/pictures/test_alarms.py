"""Alarms are drawn where both rates are known."""

from pathlib import Path

import pytest

from evoter.experiments.declarations import catalogue
from evoter.experiments.pictures.alarms import draw
from evoter.experiments.results import Estimate, Figure, Result

pytest.importorskip("matplotlib")


def test_points_need_both_rates(tmp_path: Path) -> None:
    figures = [Figure("evoter", "2009", f"{kind}_positive_rate", Estimate(1, 0.9)) for kind in ("false", "true")]
    experiment = catalogue()["blood-pressure"]
    assert not draw(Result(experiment, tuple(figures[:1]), {}, 1, 1), tmp_path / "none.png")
    assert draw(Result(experiment, tuple(figures), {}, 1, 1), tmp_path / "alarms.png")
    assert (tmp_path / "alarms.png").stat().st_size > 5_000
