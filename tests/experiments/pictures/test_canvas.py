"""A figure is drawn into a file without a window."""

from pathlib import Path

import pytest

from evoter.experiments.pictures.canvas import new_figure

pytest.importorskip("matplotlib")


def test_a_figure_has_its_size(tmp_path: Path) -> None:
    figure = new_figure(4, 3)
    assert figure.get_size_inches().tolist() == [4, 3]
    figure.savefig(tmp_path / "empty.png")
    assert (tmp_path / "empty.png").stat().st_size > 0
