"""Boundaries of both rules and of all models are drawn."""

from pathlib import Path

import pytest

from evoter.experiments.pictures.boundaries import draw

pytest.importorskip("matplotlib")


def test_eight_planes(tmp_path: Path) -> None:
    draw(tmp_path / "boundaries.png", n_examples=30)
    assert (tmp_path / "boundaries.png").stat().st_size > 20_000
