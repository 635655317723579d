"""The picture of a decision about a series: what is drawn where, and what is said about it."""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import EvoterTimeSeriesClassifier, RuleSet, WindowStatistics, explain, parse
from evoter.analysis.displays.series_display import FAILED, HELD, SeriesDisplay, spread
from evoter.analysis.displays.series_marks import Windows

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")

MINUTES = (1.0, "min")
PRESSURE = np.array([90.0, 88.0, 86.0, 84.0, 82.0, 70.0, 68.0, 66.0, 64.0, 62.0])
PULSE = np.array([70.0, 71.0, 72.0, 73.0, 90.0, 95.0, 99.0, 98.0, np.nan, 97.0])


@cache
def fitted(*, windowed: bool) -> EvoterTimeSeriesClassifier:
    """A classifier of pressure and pulse; its rules do not matter."""
    X = np.stack([PRESSURE, PULSE])[None] + np.arange(8.0)[:, None, None]
    model = EvoterTimeSeriesClassifier(
        channels=("MAP", "pulse"),
        units={"MAP": "mmHg"},
        windows=WindowStatistics(window=2, statistics=("mean", "std")) if windowed else None,
        population_size=20,
        generations=1,
        random_state=0,
    )
    return model.fit(X, np.repeat(["yes", "no"], 4))


def draw(rules: str, *, windowed: bool = False, **settings: Any) -> SeriesDisplay:
    """The picture of a decision by given rules on the series above."""
    model = fitted(windowed=windowed)
    names = model.schema_.names
    declared = "\n".join(
        f"  {name}: numeric{' [0..200] mmHg' if 'MAP' in name else ''}, may be missing" for name in names
    )
    model.ruleset_ = parse(f"{rules}\nDefault -> no\nwhere\n{declared}\n  actions: yes | no\n  lags: 0..9")
    return SeriesDisplay.from_estimator(model, np.stack([PRESSURE, PULSE])[None], **settings)


def marked(ax: Any, what: str) -> list[tuple[list[float], list[float], str]]:
    """The lines in axes that mark something: where they are, and their colour."""
    lines = [line for line in ax.lines if line.get_gid() == what]
    return [(list(line.get_xdata()), list(line.get_ydata()), _colour(line)) for line in lines]


def _colour(line: Any) -> str:
    return str(line.get_markeredgecolor() if line.get_marker() == "o" else line.get_color())


def texts(display: SeriesDisplay) -> list[str]:
    """All that is written above the plots."""
    return [text.get_text().strip() for text in display.figure_.texts]


def test_the_series_runs_up_to_the_decision() -> None:
    display = draw("MAP[3] <= 80 mmHg -> yes", time_step=MINUTES, history=6)
    line = display.axes_["MAP"].lines[0]
    assert line.get_xdata().tolist() == [-5, -4, -3, -2, -1, 0]
    assert line.get_ydata().tolist() == PRESSURE[-6:].tolist()
    assert display.axes_["MAP"].get_xlabel() == "min before the decision"
    assert display.axes_["MAP"].get_ylabel() == "MAP (mmHg)"
    assert display.axes_["MAP"].xaxis.get_major_formatter()(-3.0, 0) == "3"


def test_lagged_points_and_thresholds_are_marked() -> None:
    display = draw("MAP[3] <= 80 mmHg AND MAP > 60 mmHg -> yes", time_step=(0.5, "h"))
    assert list(display.axes_) == ["MAP"]
    ax = display.axes_["MAP"]
    assert marked(ax, "value A") == [([-1.5], [68.0], HELD)]
    assert marked(ax, "value B") == [([0], [62.0], HELD)]
    assert [ys for _, ys, _ in marked(ax, "threshold A")] == [[80, 80]]
    assert [round(ys[0], 6) for _, ys, _ in marked(ax, "threshold B")] == [60]
    labels = [text.get_text() for text in ax.texts]
    assert labels == ["B: > 60 mmHg", "A: ≤ 80 mmHg", "A", "B"]


def test_the_decision_is_the_title_and_the_rule_is_said_in_words() -> None:
    display = draw("MAP[3] <= 80 mmHg AND pulse[3] > 90 -> yes", time_step=MINUTES)
    assert display.figure_.get_suptitle() == "Decision: yes"
    written = texts(display)
    assert "Rule 1 for yes decided, because" in written
    assert "A ✓  MAP 3 min before: 68 mmHg, at most 80 mmHg" in written
    assert "B ✓  pulse 3 min before: 99, above 90" in written


def test_each_channel_has_a_plot_of_its_own_over_the_same_time() -> None:
    display = draw("pulse[3] > 90 AND MAP[3] <= 80 mmHg -> yes")
    assert list(display.axes_) == ["MAP", "pulse"]
    assert display.axes_["MAP"].get_shared_x_axes().joined(*display.axes_.values())
    assert marked(display.axes_["pulse"], "value A") == [([-3], [99.0], HELD)]
    assert marked(display.axes_["pulse"], "value B") == []
    assert display.axes_["pulse"].get_xlabel() == "steps before the decision"


def test_where_no_rule_held_the_conditions_that_failed_are_shown() -> None:
    display = draw("MAP <= 50 mmHg AND pulse > 1 -> yes\nMAP[2] > 70 mmHg -> yes")
    assert display.figure_.get_suptitle() == "Decision: no"
    written = texts(display)
    assert written[1:4] == [
        "No rule held, so the default decided.",
        "Rule 1 for yes did not hold, because",
        "A ✗  MAP now: 62 mmHg, not at most 50 mmHg",
    ]
    assert list(display.axes_) == ["MAP"]
    assert [mark[2] for mark in marked(display.axes_["MAP"], "value A")] == [FAILED]
    assert [mark[1] for mark in marked(display.axes_["MAP"], "value B")] == [[66.0]]


def test_of_many_rules_that_failed_the_nearest_to_holding_are_shown() -> None:
    far = "MAP <= 1 mmHg AND MAP[1] <= 1 mmHg AND pulse > 999 -> yes"
    near = "MAP[2] > 70 mmHg AND pulse > 1 -> yes"
    display = draw("\n".join([far, *[near] * 7, far]))
    written = texts(display)
    assert [text for text in written if text.startswith("Rule")] == [
        f"Rule {number} for yes did not hold, because" for number in range(2, 9)
    ]
    assert "2 more rules did not hold." in written


def test_any_rule_can_be_shown_with_all_its_conditions() -> None:
    rules = "MAP <= 50 mmHg AND pulse > 1 -> yes\nMAP < 70 mmHg -> yes"
    display = draw(rules, rule=1)
    assert marked(display.axes_["MAP"], "value A")[0][2] == FAILED
    assert marked(display.axes_["pulse"], "value B")[0][2] == HELD
    assert display.figure_.get_suptitle() == "Decision: yes"
    with pytest.raises(ValueError, match="there is no rule 3: rules are numbered from 1 to 2"):
        draw(rules, rule=3)


def test_without_rules_all_channels_are_drawn() -> None:
    display = draw("")
    assert list(display.axes_) == ["MAP", "pulse"]
    assert "There are no rules: the default decides." in texts(display)


def test_two_points_that_are_compared_are_marked_and_joined() -> None:
    display = draw("MAP[1] < 0.9*pulse[3] -> yes", time_step=MINUTES)
    assert marked(display.axes_["MAP"], "value A") == [([-1], [64.0], HELD)]
    assert marked(display.axes_["pulse"], "value A") == [([-3], [99.0], HELD)]
    (line,) = [artist for artist in display.figure_.artists if artist.get_gid() == "comparison A"]
    assert (line.xy1, line.xy2) == ((-1, 64.0), (-3, 99.0))
    assert (line.axesA, line.axesB) == (display.axes_["MAP"], display.axes_["pulse"])
    assert "threshold A" not in [each.get_gid() for ax in display.axes_.values() for each in ax.lines]


def test_windows_are_shaded_with_their_statistic_as_a_bar() -> None:
    display = draw("MAP.mean[1] <= 80 mmHg -> yes", windowed=True, time_step=MINUTES)
    ax = display.axes_["MAP"]
    assert marked(ax, "value A") == [([-4, -2], [67.0, 67.0], HELD)]
    spans = [patch.get_extents().transformed(ax.transData.inverted()) for patch in ax.patches]
    assert [(round(span.x0, 6), round(span.x1, 6)) for span in spans] == [(-4, -2)]
    assert [ys for _, ys, _ in marked(ax, "threshold A")] == [[80, 80]]


def test_statistics_in_other_units_have_plots_of_their_own() -> None:
    display = draw("MAP.std[1] <= 2 mmHg -> yes", windowed=True, time_step=MINUTES)
    assert list(display.axes_) == ["MAP", "standard deviation of MAP"]
    assert marked(display.axes_["MAP"], "value A") == []
    assert len(display.axes_["MAP"].patches) == 1  # where it looked is shaded in the series too
    own = display.axes_["standard deviation of MAP"]
    assert marked(own, "value A") == [([-4, -2], [1.0, 1.0], HELD)]
    segments = own.collections[0].get_segments()
    assert [segment[:, 1].tolist() for segment in segments][-2:] == [[1, 1], [1, 1]]
    assert own.get_ylabel().replace("\n", " ") == "standard deviation of MAP (mmHg)"


def test_compared_windows_are_joined_at_their_middles() -> None:
    display = draw("MAP.mean < MAP.mean[3] -> yes", windowed=True, time_step=MINUTES)
    (line,) = [artist for artist in display.figure_.artists if artist.get_gid() == "comparison A"]
    assert (line.xy1, line.xy2) == ((-1, 63.0), (-7, 85.0))


def test_overlapping_windows_are_drawn_as_a_line() -> None:
    model = fitted(windowed=True)
    rules = parse("MAP.std <= 2 -> yes; Default -> no")
    windows = WindowStatistics(window=3, step=1, statistics=("std",)).fit(model.read(PRESSURE[None, None].repeat(2, 1)))
    assert windows.stride == 1
    values = windows.transform(model.read(np.stack([PRESSURE, PULSE])[None]))
    display = SeriesDisplay(
        explain(rules, [{"MAP.std": value} for value in values[0][0]]),
        {"MAP": PRESSURE},
        windows=Windows(3, 1, {"MAP.std": ("MAP", "std")}),
        statistics={"MAP.std": values[0][0]},
    ).plot()
    line = display.axes_["standard deviation of MAP"].lines[0]
    assert line.get_xdata().tolist() == [-7, -6, -5, -4, -3, -2, -1, 0]
    assert line.get_ydata().tolist() == values[0][0].tolist()


def test_missing_values_and_too_little_history_are_said() -> None:
    display = draw("pulse[1] > 90 -> yes\npulse[9] > 100 AND pulse[1] <= 5 -> yes")
    assert "A ✗  pulse 1 step before: no value" in texts(display)
    assert [text.get_text() for text in display.axes_["pulse"].texts].count("no value") == 2
    short = SeriesDisplay(
        explain(parse("MAP[5] <= 80 -> yes; Default -> no"), [{"MAP": 70.0}]), {"MAP": np.array([70.0])}
    ).plot()
    assert "A ✗  MAP 5 steps before: too little history" in texts(short)
    assert marked(short.axes_["MAP"], "value A") == []


def test_a_threshold_of_a_power_is_drawn_in_the_units_of_the_channel() -> None:
    display = draw("0.01*MAP^2 <= 64 -> yes")
    assert [round(ys[0], 6) for _, ys, _ in marked(display.axes_["MAP"], "threshold A")] == [-80, 80]
    assert display.axes_["MAP"].texts[0].get_text() == "A: -80 mmHg and 80 mmHg"


def test_names_with_dollars_are_written_as_they_are(tmp_path: Path) -> None:
    rules: RuleSet = parse('"cost $a$" > 1 -> "$b$"; Default -> no')
    display = SeriesDisplay(explain(rules, {"cost $a$": 2.0}), {"cost $a$": np.array([2.0])}).plot()
    display.figure_.savefig(tmp_path / "series.png")
    assert display.figure_.get_suptitle() == r"Decision: \$b\$"


def test_it_draws_into_a_given_figure_or_part_of_one() -> None:
    figure = matplotlib.pyplot.figure()
    left, _ = figure.subfigures(1, 2)
    display = draw("MAP[3] <= 80 mmHg -> yes", figure=left)
    assert display.figure_ is left
    assert left.axes == list(display.axes_.values())


def test_it_says_whether_the_series_was_trained_on() -> None:
    assert "1 training series" in texts(draw("MAP[3] <= 80 mmHg -> yes"))
    assert "1 unseen series" in texts(draw("MAP[3] <= 80 mmHg -> yes", rows="unseen"))
    other = SeriesDisplay.from_estimator(fitted(windowed=False), np.stack([PRESSURE, PULSE])[None] + 0.5)
    assert "1 unseen series" in texts(other)


def test_one_instance_at_a_time() -> None:
    X = np.stack([PRESSURE, PULSE])[None]
    with pytest.raises(ValueError, match="a display shows one instance, but X holds 2"):
        SeriesDisplay.from_estimator(fitted(windowed=False), np.concatenate([X, X]))


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"SeriesDisplay needs matplotlib: pip install 'evoter\[plots\]'"):
        draw("MAP[3] <= 80 mmHg -> yes")


@given(places=st.lists(st.floats(0, 1), max_size=8).map(sorted), gap=st.floats(0.01, 0.3))
def test_labels_are_moved_apart_and_keep_their_order(places: list[float], gap: float) -> None:
    moved = spread(places, gap)
    assert len(moved) == len(places)
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(moved))
    if all(after - before > gap for before, after in pairwise(places)):
        assert moved == pytest.approx(places)
