"""The picture of accuracy against size: where models stand, their bars and names, and fronts among them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterClassifier
from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.analysis.intervals import proportion_interval
from fronts import front, ruleset

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")

RUNS = {"rules": [(4, 0.90), (6, 0.92), (5, 0.94)], "tree": [(9, 0.88)], "forest": [(20, 0.95), (24, 0.97)]}


def bars(display: ComplexityDisplay, number: int) -> list[np.ndarray[Any, Any]]:
    """The ends of the bars of a model: across, if there is one, then upwards."""
    return [collection.get_segments()[0] for collection in display.ax_.containers[number].lines[2]]


def test_points_are_means_and_bars_their_intervals() -> None:
    display = ComplexityDisplay.from_runs(RUNS)
    assert display.models["rules"].complexity == 5
    assert display.models["rules"].score == pytest.approx(0.92)
    assert display.models["tree"] == Spot(9, 0.88)
    across, up = bars(display, 0)
    pairs = np.array(RUNS["rules"])
    low, high = stats.t.interval(0.95, 2, loc=pairs.mean(axis=0), scale=stats.sem(pairs, axis=0))
    np.testing.assert_allclose(across[:, 0], [low[0], high[0]])
    np.testing.assert_allclose(up[:, 1], [low[1], high[1]])
    assert bars(display, 1) == [], "one run has no interval"
    assert display.ax_.get_xlabel() == "conditions, fewer is simpler"
    assert display.ax_.get_ylabel() == "accuracy, mean and its 95% interval"
    assert display.figure_ is display.ax_.figure


def test_names_stand_at_their_points_and_over_no_other_name() -> None:
    display = ComplexityDisplay.from_runs(RUNS, highlight=["rules"])
    assert {name: text.get_text() for name, text in display.names_.items()} == {name: name for name in RUNS}
    assert display.names_["tree"].xy == (9, 0.88)
    assert display.names_["rules"].get_fontweight() == "bold"
    display.figure_.draw_without_rendering()
    boxes = [text.get_window_extent() for text in display.names_.values()]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_marks_tell_models_apart_without_colour() -> None:
    display = ComplexityDisplay.from_runs(RUNS, highlight=["rules"], muted=["forest"])
    assert [container.lines[0].get_marker() for container in display.ax_.containers] == ["D", "o", "s"]


def test_a_star_stands_only_on_a_difference_beyond_noise() -> None:
    def marker(runs: Any, **looks: Any) -> str:
        display = ComplexityDisplay.from_runs(runs, highlight=["rules"], **looks)
        return str(display.ax_.containers[0].lines[0].get_marker())

    clear = [(5, 0.90), (5, 0.91), (5, 0.92)]
    assert marker({"rules": clear, "tree": [(9, 0.70), (9, 0.71), (9, 0.72)]}) == "*"
    assert marker({"rules": clear, "tree": [(9, 0.86), (9, 0.90), (9, 0.91)]}) == "D", "the intervals overlap"
    assert marker({"rules": clear, "tree": [(9, 0.70)]}) == "D", "nobody knows how far a single run is off"
    assert marker({"rules": clear}) == "D", "there is nothing to be better than"
    starred = ComplexityDisplay.from_runs({"rules": clear, "tree": [(9, 0.7), (9, 0.71)]}, highlight=["rules"])
    assert [text.get_text() for text in starred.ax_.get_legend().get_texts()] == [
        "above all others, 95% intervals apart"
    ]


def test_an_axis_that_begins_above_nothing_has_a_broken_foot() -> None:
    display = ComplexityDisplay.from_runs(RUNS)

    def marks() -> list[bool]:
        return [patch.get_visible() for patch in display.ax_.patches if patch.get_gid() == "truncated axis"]

    assert display.ax_.get_ylim()[0] > 0
    assert marks() == [True] * 3
    display.ax_.set_ylim(0, 1)
    assert marks() == [False] * 3
    display.ax_.set_ylim(0.5, 1)
    assert marks() == [True] * 3


def test_a_single_accuracy_has_the_interval_of_its_rows() -> None:
    table = np.arange(40.0)[:, None]
    labels = np.where(table[:, 0] > 20, "high", "low")
    model = DecisionTreeClassifier(max_depth=1).fit(table, labels)
    labels[:4] = "high"
    display = ComplexityDisplay.from_estimators(model, table, labels, rows="unseen")
    assert list(display.models) == ["DecisionTreeClassifier"], "one model needs no name"
    spot = display.models["DecisionTreeClassifier"]
    assert spot.score == pytest.approx(0.9)
    assert spot.interval == pytest.approx(proportion_interval(36, 40))
    (up,) = bars(display, 0)
    np.testing.assert_allclose(up[:, 1], proportion_interval(36, 40))
    assert display.ax_.get_ylabel() == "accuracy and its 95% interval\non 40 unseen rows"
    assert [tick for tick in display.ax_.get_xticks() if tick % 1] == [], "sizes are whole numbers"
    several = ComplexityDisplay.from_estimators([model, model], table, labels)
    assert several.models["DecisionTreeClassifier"].n_runs == 2
    assert several.models["DecisionTreeClassifier"].interval == pytest.approx(proportion_interval(36, 40))
    assert several.rows == "40 rows, training or unseen not stated"


def test_models_recognise_the_rows_that_they_were_trained_on() -> None:
    table = np.random.default_rng(0).uniform(size=(120, 2))
    labels = np.where(table[:, 0] > 0.5, "high", "low")
    model = EvoterClassifier(
        objectives=["accuracy", "complexity"], generations=4, population_size=30, random_state=0
    ).fit(table[:80], labels[:80])
    display = ComplexityDisplay.from_estimators({"rules": model}, table[80:], labels[80:])
    assert display.ax_.get_ylabel().endswith("on 40 unseen rows")
    assert display.lines_["front of rules"].get_drawstyle() == "steps-post"
    low, high = display.bands["front of rules"].T
    assert (low < display.fronts["front of rules"][:, 1]).all()
    assert (high <= 1).all()
    assert ComplexityDisplay.from_estimators(model, table[:80], labels[:80]).rows == "80 training rows"


def test_bars_are_never_cut_off_with_a_point_far_below() -> None:
    pairs = np.array([(0, 0.3), (1, 0.9), (2, 0.92), (3, 0.93)])
    bands = {"front": np.column_stack([pairs[:, 1] - 0.05, pairs[:, 1] + 0.04])}
    display = ComplexityDisplay({"tree": Spot(4, 0.92, counted=(0.8, 0.97))}, {"front": pairs}, bands=bands).plot()
    low, high = display.ax_.get_ylim()
    assert 0.7 < low < 0.8
    assert high > 0.97


@pytest.mark.parametrize(
    ("sizes", "log", "scale"), [((2, 40), None, "linear"), ((2, 80), None, "log"), ((2, 3), True, "log")]
)
def test_sizes_far_apart_are_drawn_by_their_logarithm(sizes: tuple[int, int], log: bool | None, scale: str) -> None:
    display = ComplexityDisplay.from_runs({"a": [(sizes[0], 0.5)], "b": [(sizes[1], 0.6)]}, log=log)
    assert display.ax_.get_xscale() == scale
    assert ("logarithmic" in display.ax_.get_xlabel()) == (scale == "log")


def test_nothing_has_a_place_on_a_logarithmic_axis() -> None:
    display = ComplexityDisplay.from_runs(
        {"default": [(0, 0.5)], "large": [(1000, 0.6)], "vague": [(1, 0.7), (9, 0.8)]}
    )
    assert display.ax_.containers[0].lines[0].get_xdata().tolist() == [0.5]
    ticks = dict(
        zip(display.ax_.get_xticks(), (text.get_text() for text in display.ax_.get_xticklabels()), strict=True)
    )
    assert ticks[0.5] == "0"
    assert ticks[1000] == "1,000"
    across, _ = bars(display, 2)
    assert across[0, 0] > 0, "an interval that reaches below nothing ends above it"


def test_a_front_is_a_line_through_its_candidates() -> None:
    chosen = front([0.6, 0.8, 0.9], [0, 2, 5]).choose(1)
    display = ComplexityDisplay.from_front(chosen, log=False)
    assert display.lines_["front"].get_xdata().tolist() == [0, 2, 5]
    assert display.lines_["front"].get_ydata().tolist() == [0.6, 0.8, 0.9]
    assert display.models == {"chosen": Spot(2, 0.8)}
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["front"]
    unmarked = ComplexityDisplay.from_front(front([0.6, 0.8], [0, 2]), name="breast cancer")
    assert not unmarked.names_
    assert list(unmarked.lines_) == ["breast cancer"]
    assert display.lines_["front"].get_drawstyle() == "steps-post", "between two sizes there is no rule set"
    assert ComplexityDisplay.from_front(chosen, score="complexity").ax_.get_ylabel() == "complexity\non training rows"


def test_estimators_are_counted_and_scored_with_all_candidates_of_their_fronts() -> None:
    def model(size: int, score: float, **more: Any) -> Any:
        return SimpleNamespace(ruleset_=ruleset(size), score=lambda X, y: score, **more)

    candidates = [model(1, 0.7), model(3, 0.75)]
    many = model(3, 0.75, front_=candidates, with_ruleset=candidates.__getitem__)
    display = ComplexityDisplay.from_estimators(
        {"one": model(4, 0.9), "runs": [model(2, 0.8), model(4, 0.9)], "many": many}, None, []
    )
    assert display.models["one"] == Spot(4, 0.9)
    assert display.models["runs"].n_runs == 2
    assert display.lines_["front of many"].get_xdata().tolist() == [1, 3]
    assert display.lines_["front of many"].get_ydata().tolist() == [0.7, 0.75]
    assert display.complexity == "conditions"
    odd = SimpleNamespace(score=lambda X, y: 0.5)
    mixed = ComplexityDisplay.from_estimators(
        {"odd": odd}, None, [], complexity_of=lambda model: 7, scorer=lambda *_: 0.25
    )
    assert mixed.models["odd"] == Spot(7, 0.25)
    assert mixed.complexity == "conditions, decision nodes or parameters"


def test_a_candidate_far_below_is_cut_off_and_a_model_never() -> None:
    pairs = [(0, 0.3), (1, 0.9), (2, 0.92), (3, 0.93)]
    cut = ComplexityDisplay.from_runs({"rules": [(2, 0.92)]}, fronts={"front": pairs})
    assert cut.ax_.get_ylim()[0] > 0.8
    shown = ComplexityDisplay.from_runs({str(k): [pair] for k, pair in enumerate(pairs)})
    assert shown.ax_.get_ylim()[0] < 0.3


def test_it_draws_into_given_axes() -> None:
    _, axes = matplotlib.pyplot.subplots(1, 2)
    display = ComplexityDisplay.from_runs(RUNS, ax=axes[1], score="accuracy on unseen rows ($)")
    assert display.ax_ is axes[1]
    assert display.ax_.get_ylabel().startswith(r"accuracy on unseen rows (\$)")


@pytest.mark.parametrize("pairs", [[], [1, 2], [(1, 2, 3)]])
def test_runs_are_pairs(pairs: Any) -> None:
    with pytest.raises(ValueError, match=r"'tree' needs pairs \(complexity, score\)"):
        ComplexityDisplay.from_runs({"tree": pairs})
