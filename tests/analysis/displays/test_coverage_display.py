"""The map of coverage: what each rule does on each row, in which order the rows stand, and what is written beside."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import EvoterClassifier, EvoterTimeSeriesClassifier, WindowStatistics
from evoter.analysis.displays.coverage_display import CoverageDisplay, State
from evoter.analysis.intervals import proportion_interval
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from laws import examples

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")

RULES = parse("x > 6 -> high; x > 3 -> middle; x > 1 AND y > 0 -> middle; Default -> low")
TABLE = pd.DataFrame({"x": [8.0, 4.0, 2.0, 0.0, 7.0, 5.0], "y": [0.0, 1.0, 1.0, 1.0, 1.0, 0.0]})
LABELS = ["high", "middle", "low", "low", "middle", "middle"]
S, H, D, E = State.SILENT, State.HOLDS, State.DECIDES, State.ERRS


def spans(bars: Any) -> list[tuple[float, float]]:
    """Where the bars of a rule begin and end."""
    return [(float(path.vertices[:, 0].min()), float(path.vertices[:, 0].max())) for path in bars.get_paths()]


def test_states_say_who_holds_who_decides_and_who_is_wrong() -> None:
    display = CoverageDisplay.from_ruleset(RULES, TABLE, LABELS)
    assert display.states().tolist() == [[D, S, S, S, E, S], [H, D, S, S, H, D], [S, H, E, S, H, S], [S, S, S, D, S, S]]
    without = CoverageDisplay.from_ruleset(RULES, TABLE)
    assert without.states().tolist() == [[D, S, S, S, D, S], [H, D, S, S, H, D], [S, H, D, S, H, S], [S, S, S, D, S, S]]


def test_rows_stand_by_deciding_rule_then_right_before_wrong_then_by_other_rules() -> None:
    display = CoverageDisplay.from_ruleset(RULES, TABLE, LABELS)
    assert display.order().tolist() == [0, 4, 1, 5, 2, 3]


def test_bars_are_drawn_where_the_states_are() -> None:
    display = CoverageDisplay.from_ruleset(RULES, TABLE, LABELS)
    assert spans(display.bars_[1, D]) == [(0, 1)]
    assert spans(display.bars_[1, E]) == [(1, 2)]
    assert spans(display.bars_[2, H]) == [(0, 2)]
    assert spans(display.bars_[2, D]) == [(2, 4)]
    assert spans(display.bars_[3, H]) == [(1, 3)]
    assert spans(display.bars_[4, D]) == [(5, 6)]
    assert (4, H) not in display.bars_
    assert display.ax_.get_xlim() == (0, 6)


def test_rules_counts_and_classes_are_written_beside() -> None:
    display = CoverageDisplay.from_ruleset(RULES, TABLE, LABELS)
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [
        "1. x > 6 -> high",
        "2. x > 3 -> middle",
        "3. x > 1 AND y > 0 -> middle",
        "4. Default -> low",
    ]
    holds, decides, right, interval = np.array([text.get_text() for text in display.ax_.texts]).reshape(4, 5).tolist()
    assert holds == ["holds", "2", "4", "3", "1"]
    assert decides == ["decides", "2", "2", "1", "1"]
    assert right == ["right", "50%", "100%", "0%", "100%"]
    ends = [proportion_interval(*counts) for counts in ((1, 2), (2, 2), (0, 1), (1, 1))]
    assert interval == ["95% interval", *(f"{100 * low:.0f}–{100 * high:.0f}%" for low, high in ends)]
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [
        "holds, another decides",
        "decides, rightly",
        "decides, wrongly",
    ]
    legends = display.ax_.findobj(matplotlib.legend.Legend)
    assert {text.get_text() for legend in legends for text in legend.get_texts()} >= {"high", "middle", "low"}


def test_without_classes_nothing_is_right_or_wrong() -> None:
    display = CoverageDisplay.from_ruleset(RULES, TABLE)
    assert {text.get_text() for text in display.ax_.texts} & {"holds", "decides", "right"} == {"holds", "decides"}
    assert {state for _, state in display.bars_} == {H, D}
    assert display.ax_.get_xlabel() == "6 rows, training or unseen not stated; sorted by the rule that decides them"


def test_in_mode_vote_all_rules_for_the_winner_decide() -> None:
    display = CoverageDisplay.from_ruleset(RULES.replace(mode=Mode.VOTE), TABLE.iloc[[1]], ["middle"])
    assert display.states().ravel().tolist() == [S, D, D, S]


@examples(25)
@given(st.lists(st.tuples(st.floats(-1, 9), st.floats(-1, 1), st.sampled_from(["low", "middle", "high"])), min_size=1))
def test_the_map_agrees_with_the_statistics(rows: list[tuple[float, float, str]]) -> None:
    table = np.array([row[:2] for row in rows])
    display = CoverageDisplay.from_ruleset(RULES, table, [row[2] for row in rows])
    states = display.states()
    for rule, row in zip(display.statistics.rules, states, strict=True):
        assert np.count_nonzero(row) == rule.held
        assert np.count_nonzero(row >= State.DECIDES) == rule.decided
        assert np.count_nonzero(row == State.DECIDES) == rule.correct
    assert sorted(display.order().tolist()) == list(range(len(rows)))
    drawn = {key: sum(end - begin for begin, end in spans(bars)) for key, bars in display.bars_.items()}
    expected = {(k + 1, s): np.count_nonzero(states[k] == s) for k in range(4) for s in (H, D, E)}
    assert drawn == {key: count for key, count in expected.items() if count}
    matplotlib.pyplot.close("all")


def test_long_rules_are_broken_where_conditions_end() -> None:
    names = [f"a rather long name of a feature {k}" for k in "abcdef"]
    rule = " AND ".join(f'"{name}" > 1' for name in names)
    display = CoverageDisplay.from_ruleset(parse(f"{rule} -> yes; Default -> no"), [dict.fromkeys(names, 2.0)], ["yes"])
    first, second, third, last = display.ax_.get_yticklabels()[0].get_text().split("\n")
    assert first == "1. a rather long name of a feature a > 1"
    assert second.strip() == "AND a rather long name of a feature b > 1"
    assert third.strip() == "…"
    assert last.strip().endswith("-> yes")


def test_estimators_read_arrays_and_frames_as_they_predict() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(120, 3)), columns=["a", "b", "c"])
    labels = np.where(table.c > 0.5, 1, 0)
    model = EvoterClassifier(generations=5, population_size=40, random_state=0).fit(table, labels)
    frame, array = (
        CoverageDisplay.from_estimator(model, table, labels),
        CoverageDisplay.from_estimator(model, table.to_numpy(), labels),
    )
    assert (frame.states() == array.states()).all()
    assert frame.statistics.accuracy == model.score(table, labels)
    assert frame.rows == array.rows == "120 training rows"
    unseen = CoverageDisplay.from_estimator(model, table + 0.5, labels)
    assert unseen.ax_.get_xlabel() == "120 unseen rows; sorted by the rule that decides them and by class"
    assert CoverageDisplay.from_estimator(model, table, labels, rows="unseen").rows == "120 unseen rows"
    read_only = CoverageDisplay.from_estimator(model, table[[*model.ruleset_.features_used]], labels)
    assert read_only.rows == "120 rows, training or unseen not stated", "whole rows are needed to recognise them"
    with pytest.raises(ValueError, match="rows must be 'auto', 'training' or 'unseen', not 'test'"):
        CoverageDisplay.from_estimator(model, table, labels, rows="test")
    with pytest.raises(ValueError, match="SimpleNamespace has no rules: fit an EVOTER classifier"):
        CoverageDisplay.from_estimator(SimpleNamespace(), table)


@pytest.mark.parametrize("windows", [None, WindowStatistics(4, ("mean", "max"))])
def test_rules_about_series_are_drawn_by_instance(windows: WindowStatistics | None) -> None:
    X = np.random.default_rng(0).normal(size=(80, 1, 12))
    y = np.where(X[:, 0, -3:].mean(axis=1) > 0, "up", "down")
    model = EvoterTimeSeriesClassifier(windows=windows, generations=5, population_size=40, random_state=0).fit(X, y)
    display = CoverageDisplay.from_estimator(model, X, y)
    assert display.statistics.accuracy == model.score(X, y)
    assert (display.statistics.decided_by == model.deciding_rules(X)).all()
    assert display.rows == "80 training series"
    assert CoverageDisplay.from_estimator(model, X[:20] + 1.0, y[:20]).rows == "20 unseen series"


def test_it_draws_into_given_axes() -> None:
    _, axes = matplotlib.pyplot.subplots(1, 2)
    display = CoverageDisplay.from_ruleset(RULES, TABLE, LABELS, ax=axes[0])
    assert display.ax_ is axes[0]
    assert display.figure_ is axes[0].figure
