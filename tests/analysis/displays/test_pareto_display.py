"""The picture of a front: what is drawn where, and what is said when it cannot be drawn."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evoter.analysis.displays.pareto_display import ParetoDisplay
from evoter.evolution.fronts.front import Front, make_front
from evoter.evolution.problem import Objective
from fronts import OBJECTIVES, front, ruleset

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")
FRONT = front([0.6, 0.8, 0.9], [0, 2, 5]).choose(1)


def three_objectives() -> Front:
    objectives = (*OBJECTIVES, Objective("cost in $", maximise=False))
    return make_front([ruleset(n) for n in (1, 2, 3)], [[0.9, 1, 5], [0.8, 2, 1], [0.95, 3, 7]], objectives)


def test_the_first_objective_stands_upright_and_the_second_lies() -> None:
    display = ParetoDisplay.from_front(FRONT)
    assert (display.x, display.y) == ("complexity", "accuracy")
    assert display.line_.get_xdata().tolist() == [0, 2, 5]
    assert display.line_.get_ydata().tolist() == [0.6, 0.8, 0.9]
    assert display.ax_.get_xlabel() == "complexity (less is better)"
    assert display.ax_.get_ylabel() == "accuracy (more is better)"
    assert display.figure_ is display.ax_.figure


def test_any_objective_and_any_size_can_be_an_axis() -> None:
    turned = ParetoDisplay.from_front(FRONT, x="accuracy", y="rules")
    assert turned.points().tolist() == [[0.9, 5], [0.8, 2], [0.6, 0]]
    assert turned.outline().tolist() == [[0.6, 0], [0.8, 2], [0.9, 5]]
    assert turned.ax_.get_ylabel() == "rules (less is better)"
    alone = make_front([ruleset(2)], [[0.9]], OBJECTIVES[:1])
    assert ParetoDisplay.from_front(alone).x == "conditions"
    with pytest.raises(ValueError, match="no objective 'complexty'; did you mean 'complexity'"):
        ParetoDisplay.from_front(FRONT, x="complexty")


def test_the_chosen_candidate_is_marked_and_named() -> None:
    labels = [text.get_text() for text in ParetoDisplay.from_front(FRONT).ax_.get_legend().get_texts()]
    assert labels == ["front, scored in training", "chosen: accuracy 0.8, complexity 2"]
    unmarked = ParetoDisplay.from_front(Front(FRONT.candidates, FRONT.objectives)).ax_
    assert [text.get_text() for text in unmarked.get_legend().get_texts()] == ["front, scored in training"]


def test_the_line_goes_through_what_can_be_had_between_candidates() -> None:
    assert ParetoDisplay.from_front(FRONT).line_.get_drawstyle() == "steps-post"
    assert ParetoDisplay.from_front(FRONT, x="accuracy", y="complexity").line_.get_drawstyle() == "steps-pre"


def test_candidates_that_win_by_a_third_objective_are_shown_beside_the_line(tmp_path: Path) -> None:
    display = ParetoDisplay.from_front(three_objectives())
    assert display.outline().tolist() == [[1, 0.9], [3, 0.95]]
    rest, _ = display.ax_.get_lines()
    assert rest.get_xdata().tolist() == [3, 1, 2]
    ParetoDisplay.from_front(three_objectives(), x="cost in $").figure_.savefig(tmp_path / "front.png")


def test_it_draws_into_given_axes_with_given_looks() -> None:
    _, axes = matplotlib.pyplot.subplots(1, 2)
    axes[0].set_xscale("log")
    display = ParetoDisplay.from_front(FRONT, ax=axes[0], color="black", marker="s", label="mine")
    assert display.ax_ is axes[0]
    assert (display.line_.get_color(), display.line_.get_marker(), display.line_.get_label()) == ("black", "s", "mine")
    assert display.plot(ax=axes[1]).ax_ is axes[1]


def test_estimators_have_a_front_or_not() -> None:
    assert ParetoDisplay.from_estimator(SimpleNamespace(front_=FRONT)).front is FRONT
    with pytest.raises(ValueError, match="SimpleNamespace has no front: fit it with several objectives"):
        ParetoDisplay.from_estimator(SimpleNamespace())


def test_scores_that_are_no_numbers_are_left_out_of_the_line() -> None:
    made = make_front([ruleset(1), ruleset(2)], [[0.5, 1], [0.7, np.inf]], OBJECTIVES)
    assert ParetoDisplay.from_front(made).outline().tolist() == [[1, 0.5]]


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"ParetoDisplay needs matplotlib: pip install 'evoter\[plots\]'"):
        ParetoDisplay.from_front(FRONT)


@pytest.mark.parametrize("maximise", [True, False])
def test_a_single_candidate_far_off_stands_at_the_edge(maximise: bool) -> None:
    sign = 1.0 if maximise else -1.0
    objectives = (Objective("score", maximise=maximise), OBJECTIVES[1])
    scores = [[sign * 0.5, 0], [sign * 0.86, 1], [sign * 0.88, 2], [sign * 0.89, 3]]
    drawn = ParetoDisplay.from_front(make_front([ruleset(n) for n in range(4)], scores, objectives).choose(0))
    low, high = drawn.ax_.get_ylim()
    assert not low <= sign * 0.5 <= high
    assert all(low < sign * value < high for value in (0.86, 0.88, 0.89))
    assert [text.get_text() for text in drawn.ax_.texts] == [f"{sign * 0.5:.4g}"]
    chosen = ParetoDisplay.from_front(drawn.front.choose(3))
    low, high = chosen.ax_.get_ylim()
    assert low < sign * 0.5 < high, "what is chosen is always shown"
