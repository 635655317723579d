"""What pictures share: looks that can be told apart, and axes that keep what matters in view."""

import sys
from typing import Any

import numpy as np
import pytest

from evoter.analysis.displays.style import COLOURS, LINES, MARKERS, cut_far, mixed, plain, pyplot, whole_ticks

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")


def test_looks_differ_in_more_than_colour() -> None:
    assert len(set(COLOURS)) == len(set(MARKERS)) == len(set(LINES)) == 7


def test_names_are_no_mathematics() -> None:
    _, ax = matplotlib.pyplot.subplots()
    ax.set_title(plain("from $5 to $x^"))
    ax.figure.draw_without_rendering()
    assert ax.get_title() == r"from \$5 to \$x^"


def test_colours_fade_into_white() -> None:
    assert mixed("#000000", 0.25) == (0.75, 0.75, 0.75)
    assert mixed("#0072b2", 1.0) == (0.0, round(0x72 / 255, 6), round(0xB2 / 255, 6))


def test_counts_have_whole_ticks_and_own_ticks_stay() -> None:
    _, ax = matplotlib.pyplot.subplots()
    ax.plot([0, 1], [0, 1])
    ax.set_xticks([0.5])
    whole_ticks(ax.xaxis)
    whole_ticks(ax.yaxis)
    assert ax.get_xticks().tolist() == [0.5]
    assert all(tick == round(tick) for tick in ax.get_yticks())


def test_what_is_far_off_is_cut_and_said_unless_it_is_kept() -> None:
    points = np.array([[0.0, 0.1], [1.0, 0.9], [2.0, 0.95], [3.0, 0.92]])
    _, (cut, kept) = matplotlib.pyplot.subplots(1, 2)
    cut_far(cut, points, "black", maximise=True)
    assert cut.get_ylim()[0] > 0.8
    assert [text.get_text() for text in cut.texts] == ["0.1"]
    cut_far(kept, points, "black", maximise=True, kept=0)
    assert not kept.texts


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"A picture needs matplotlib: pip install 'evoter\[plots\]'"):
        pyplot("A picture")
