"""The picture of evolution: means over runs, their bands, and the axes they are drawn in."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evoter.analysis.displays.evolution_display import EvolutionDisplay
from evoter.evolution.history import History, Record

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")


def history(scores: list[float], sizes: list[int], seconds_each: float = 1.0) -> History:
    pairs = zip(scores, sizes, strict=True)
    return History(
        Record(k, score, score / 2, size, 1, 100 * (k + 1), seconds_each * (k + 1))
        for k, (score, size) in enumerate(pairs)
    )


RUNS = [history([0.5, 0.7, 0.8], [1, 2, 4]), history([0.6, 0.7, 0.9], [1, 4, 4]), history([0.4, 0.7, 0.8], [1, 3, 4])]


def band(ax: Any) -> tuple[list[float], list[float]]:
    """The lower and upper end of the band in some axes, by its corners."""
    (collection,) = ax.collections
    corners = collection.get_paths()[0].vertices
    x = np.unique(corners[:, 0])
    ends = [corners[corners[:, 0] == place, 1] for place in x]
    return [float(end.min()) for end in ends], [float(end.max()) for end in ends]


def test_lines_are_means_and_bands_their_intervals() -> None:
    display = EvolutionDisplay.from_histories(RUNS)
    score, size = display.axes_["best"], display.axes_["n_conditions"]
    assert display.ax_ is score
    assert display.figure_ is score.figure
    (line,) = score.get_lines()
    np.testing.assert_allclose(line.get_xdata(), [0, 1, 2])
    np.testing.assert_allclose(line.get_ydata(), [0.5, 0.7, 2.5 / 3])
    values = np.array([run["n_conditions"] for run in RUNS])
    low, high = stats.t.interval(0.95, 2, loc=values.mean(axis=0), scale=np.maximum(stats.sem(values, axis=0), 1e-300))
    curve = display.curve("n_conditions")
    np.testing.assert_allclose(curve.low, low)
    np.testing.assert_allclose(curve.high, high)
    drawn_low, drawn_high = band(size)
    assert drawn_low[0] == pytest.approx(low[0])
    assert drawn_high[1] == pytest.approx(high[1])
    assert [size.get_ylabel(), size.get_xlabel()] == ["conditions of the best", "generation"]
    assert [text.get_text() for text in score.get_legend().get_texts()] == ["3 runs"]
    assert score.get_legend().get_title().get_text() == "mean and its 95% interval"


def test_a_run_that_ended_counts_on_with_what_it_ended_with() -> None:
    early = history([0.5, 0.6], [1, 1])
    curve = EvolutionDisplay({"": [early, RUNS[0]]}).curve("best")
    assert curve.x.tolist() == [0, 1, 2]
    np.testing.assert_allclose(curve.mean, [0.5, 0.65, 0.7])


def test_time_is_an_axis_on_which_records_hold_until_the_next() -> None:
    slow = history([0.5, 0.9], [1, 1], seconds_each=2.0)
    display = EvolutionDisplay.from_histories([slow, RUNS[0]], columns=["best"], x="seconds")
    curve = display.curve("best")
    assert curve.x.tolist() == [2, 3, 4], "before both have a record there is no mean"
    np.testing.assert_allclose(curve.mean, [0.6, 0.65, 0.85])
    assert display.ax_.get_xlabel() == "time (s)"
    assert display.ax_.get_lines()[0].get_drawstyle() == "steps-post"


def test_one_run_has_a_line_and_no_band() -> None:
    display = EvolutionDisplay.from_histories(RUNS[0])
    assert not display.ax_.collections
    assert display.ax_.get_legend() is None
    np.testing.assert_allclose(display.ax_.get_lines()[0].get_ydata(), [0.5, 0.7, 0.8])


def test_each_name_has_a_line_of_its_own_colour_and_style() -> None:
    display = EvolutionDisplay.from_histories({"default": RUNS[:2], "costs $": RUNS[2:]}, linewidth=3)
    first, second = display.ax_.get_lines()
    assert (first.get_linestyle(), second.get_linestyle()) == ("-", "--")
    assert first.get_color() != second.get_color()
    assert first.get_linewidth() == 3
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["default (2 runs)", r"costs \$ (1 run)"]
    assert len(display.ax_.collections) == 1, "a single run has no band"


def test_it_draws_into_given_axes() -> None:
    _, axes = matplotlib.pyplot.subplots(1, 2)
    two = EvolutionDisplay.from_histories(RUNS, ax=axes)
    assert [two.axes_["best"], two.axes_["n_conditions"]] == list(axes)
    _, ax = matplotlib.pyplot.subplots()
    one = EvolutionDisplay.from_histories(RUNS, columns=["mean"], ax=ax)
    assert one.ax_ is ax
    assert ax.get_ylabel() == "mean score of the population in training"
    figure, ax = matplotlib.pyplot.subplots()
    shared = EvolutionDisplay.from_histories(RUNS, ax=ax)
    assert not ax.axison
    assert figure.axes == [ax, *shared.axes_.values()]
    with pytest.raises(ValueError, match="2 columns need 2 axes, got 3"):
        EvolutionDisplay.from_histories(RUNS, ax=matplotlib.pyplot.subplots(1, 3)[1])
    loose = matplotlib.pyplot.figure().add_axes((0.1, 0.1, 0.8, 0.8))
    with pytest.raises(ValueError, match="pass 2 axes, one for each column"):
        EvolutionDisplay.from_histories(RUNS, ax=loose)


def test_estimators_have_a_history_and_a_measure() -> None:
    fitted = [SimpleNamespace(history_=run, metric="balanced_accuracy") for run in RUNS]
    display = EvolutionDisplay.from_estimators(fitted)
    assert display.ax_.get_ylabel() == "best balanced accuracy in training"
    assert display.curve("best").n_runs == 3
    assert EvolutionDisplay.from_estimator(fitted[0], score="reward").ax_.get_ylabel() == "best reward in training"
    assert (
        EvolutionDisplay.from_estimator(SimpleNamespace(history_=RUNS[0])).ax_.get_ylabel() == "best score in training"
    )
    assert EvolutionDisplay.from_estimators(fitted[0]).curve("best").n_runs == 1, "one model is enough"
    named = EvolutionDisplay.from_estimators({"one": fitted[0], "two": fitted[1:]})
    assert [len(runs) for runs in named.runs.values()] == [1, 2]
    with pytest.raises(ValueError, match="SimpleNamespace has no history: fit it first"):
        EvolutionDisplay.from_estimators(SimpleNamespace())
    with pytest.raises(ValueError, match="SimpleNamespace has no history: fit it first"):
        EvolutionDisplay.from_estimator(SimpleNamespace())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ["n_condition"]}, "no column 'n_condition'; did you mean 'n_conditions'"),
        ({"x": "best"}, "x must be 'generation', 'evaluations' or 'seconds', not 'best'"),
        ({"columns": ["hypervolume"]}, "no hypervolume: fit with several objectives"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EvolutionDisplay.from_histories(RUNS, **options)


@pytest.mark.parametrize("nothing", [[], {"default": []}])
def test_there_must_be_runs(nothing: Any) -> None:
    with pytest.raises(ValueError, match="there is no history to draw"):
        EvolutionDisplay.from_histories(nothing)
