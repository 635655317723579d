"""SeriesDisplay: a picture of one decision about a series, with what the deciding rule looked at marked in it."""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.row_origin import rows_text, training_share
from evoter.analysis.displays.series_marks import Look, Windows, look_of, value_text, words, zones
from evoter.analysis.displays.style import QUIET, plain, pyplot
from evoter.analysis.formatting import counted
from evoter.rules.explain import ConditionOutcome, Explanation, RuleOutcome
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition
from evoter.rules.printing.pieces import OPERATOR_SIGNS, TimeStep, number_text
from evoter.rules.schema import Feature

Floats = NDArray[np.float64]

HELD, FAILED = "#1b7f4b", "#c0392b"
_SERIES, _DECISION = "#34495e", "#222222"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LEFT, _RIGHT = 0.095, 0.83
_WIDTH, _ROW_HEIGHT, _LINE_HEIGHT = 9.0, 2.1, 0.235
_LINE_LENGTH = 108
_LABEL_LENGTH = 22
_KEY = "dashed: threshold; tinted: the values that satisfy the condition"
_ROOM = 8
"""Number of failed conditions that are shown where the default decided, unless the first rule alone has more."""
_CONTEXT = 3
"""By default the picture goes this many times further back than the oldest value that a condition reads."""


class _Shown(NamedTuple):
    """A condition in the picture: its letter, what became of it, and where it looked."""

    letter: str
    outcome: ConditionOutcome
    looks: tuple[Look, ...]

    @property
    def colour(self) -> str:
        return HELD if self.outcome.holds else FAILED


@dataclass(slots=True, repr=False)
class SeriesDisplay:
    """One decision about a series as a person would check it, in the style of scikit-learn's displays.

    A plot for each channel that the deciding rule looked at shows the series up to the decision. Each condition has a
    letter. The points that it looked at are marked, windows are shaded, its threshold is a dashed line, and the values
    that satisfy it are tinted; two points that are compared are joined. Statistics that are not values of the channel,
    such as the kurtosis, have plots of their own. Green conditions held, red ones did not; above the plots they are
    said in words. Where no rule held, the conditions are those that failed of the rules that were nearest to holding.

    Make it with `from_estimator`; after `plot`, `figure_` and `axes_` are matplotlib's, the latter by the name of what
    is drawn.

    Parameters
    ----------
    explanation : Explanation
        The decision.
    series : mapping
        The values of each channel, the oldest first, up to the decision.
    units : mapping
        The units of some channels.
    windows : Windows or None
        How the features of the rules come from windows of the channels; None if they are the channels themselves.
    statistics : mapping
        With windows, the series of each feature, a value for each window.
    time_step : tuple or None
        How long a step of the series takes, such as (1, "min"); None counts steps.
    rule : int or None
        The rule to show, by its number in the text; None for what decided.
    rows : str
        What is shown, such as "1 unseen series".
    """

    explanation: Explanation
    series: Mapping[str, Floats]
    units: Mapping[str, str] = field(default_factory=dict)
    windows: Windows | None = None
    statistics: Mapping[str, Floats] = field(default_factory=dict)
    time_step: TimeStep | None = None
    rule: int | None = None
    rows: str = ""
    figure_: Any = None
    axes_: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        time_step: TimeStep | None = None,
        rule: int | None = None,
        history: int | None = None,
        rows: str = "auto",
        figure: Any = None,
    ) -> Self:
        """Draw the decision of a fitted time series classifier on one instance.

        Parameters
        ----------
        estimator : EvoterTimeSeriesClassifier
            The classifier.
        X : array, list, Panel or frame
            The instance, in any form that `predict` takes.
        time_step : tuple or None, default=None
            How long a step of the series takes, such as (1, "min"); None counts steps.
        rule : int or None, default=None
            The rule to show, by its number in the text; None for what decided.
        history : int or None, default=None
            The steps to show; None for three times as many as the conditions look back.
        rows : {"auto", "training", "unseen"}, default="auto"
            What the instance is called; by default the classifier recognises those that it was trained on.
        figure : matplotlib Figure or SubFigure, default=None
            Where to draw; None for a new figure.
        """
        panel = estimator.read(X)
        if len(panel) != 1:
            raise ValueError(f"a display shows one instance, but X holds {len(panel)}: pass X[[0]], or a list of one")
        windows, statistics = None, {}
        if estimator.windows_ is not None:
            windows, transformed = _origins(estimator.windows_), estimator.windows_.transform(panel)
            statistics = dict(zip(transformed.names, transformed[0], strict=True))
        display = cls(
            explanation=estimator.explain(panel),
            series=dict(zip(panel.names, panel[0], strict=True)),
            units=dict(zip(panel.names, panel.units, strict=True)),
            windows=windows,
            statistics=statistics,
            time_step=time_step,
            rule=rule,
            rows=rows_text(1, training_share(rows, [estimator], X), "series"),
        )
        return display.plot(history=history, figure=figure)

    def plot(self, *, history: int | None = None, figure: Any = None) -> Self:
        """Draw into a matplotlib figure or subfigure, a new one by default; `history` is the number of steps shown."""
        rules = self._rules()
        lines, colours = self._sentences(rules)
        shown = [condition for _, conditions in rules for condition in conditions]
        names = self._rows(shown)
        text_height = 0.62 + _LINE_HEIGHT * len(lines)
        height = text_height + _ROW_HEIGHT * len(names) + 0.7
        if figure is None:
            figure = pyplot("SeriesDisplay").figure(figsize=(_WIDTH, height), dpi=120)
        grid = figure.add_gridspec(
            len(names), 1, left=_LEFT, right=_RIGHT, top=1.0 - text_height / height, bottom=0.7 / height, hspace=0.16
        )
        self.figure_, self.axes_ = figure, {}
        n_steps = self._n_steps(shown, history)
        for row, name in enumerate(names):
            ax = figure.add_subplot(grid[row, 0], sharex=next(iter(self.axes_.values()), None))
            self.axes_[name] = ax
            self._draw_row(ax, name, n_steps, [each for each in shown if self._touches(each, name)])
        self._finish_time(n_steps)
        self._join(shown)
        self._write(lines, colours, height)
        return self

    def _rules(self) -> list[tuple[RuleOutcome, list[_Shown]]]:
        """Return the rules to show, each with the conditions to show of it."""
        explanation = self.explanation
        if self.rule is not None:
            if not 1 <= self.rule <= len(explanation.rules):
                raise ValueError(f"there is no rule {self.rule}: rules are numbered from 1 to {len(explanation.rules)}")
            chosen = [explanation.rules[self.rule - 1]]
        else:
            chosen = list(explanation.deciding) or _nearest(explanation.failed)
        letters = _letters()
        rules = []
        for rule in chosen:
            conditions = rule.failing if self.rule is None and not rule.decided else rule.conditions
            looks = [tuple(look_of(reading, self.windows) for reading in each.readings) for each in conditions]
            rules.append((rule, [_Shown(next(letters), *pair) for pair in zip(conditions, looks, strict=True)]))
        return rules

    def _sentences(self, rules: Sequence[tuple[RuleOutcome, list[_Shown]]]) -> tuple[list[str], list[str]]:
        """Return the lines that say in words what the picture shows, and their colours."""
        schema = self.explanation.ruleset.schema
        lines, colours = [], []
        if self.rule is None and not self.explanation.deciding:
            lines.append(
                "No rule held, so the default decided." if rules else "There are no rules: the default decides."
            )
            colours.append(_DECISION)
        for rule, conditions in rules:
            lines.append(_heading(rule))
            colours.append(_DECISION)
            for each in conditions:
                sentence = words(each.outcome, schema, self.windows, self.time_step)
                mark = "\N{CHECK MARK}" if each.outcome.holds else "\N{BALLOT X}"
                wrapped = textwrap.wrap(sentence, _LINE_LENGTH) or [""]
                lines += [f"  {each.letter} {mark}  {wrapped[0]}", *(f"          {more}" for more in wrapped[1:])]
                colours += [each.colour] * len(wrapped)
        n_hidden = len(self.explanation.failed) - len(rules)
        if self.rule is None and not self.explanation.deciding and n_hidden:
            lines.append(f"{counted(n_hidden, 'more rule')} did not hold.")
            colours.append(QUIET)
        return lines, colours

    def _rows(self, shown: Sequence[_Shown]) -> list[str]:
        """Return the names of the plots: each channel that is looked at, followed by its statistics in other units."""
        looks = [look for each in shown for look in each.looks]
        read = [name for name in self.series if name in {look.channel for look in looks}] or list(self.series)
        rows = []
        for channel in read:
            rows.append(channel)
            own = [look.what for look in looks if look.channel == channel and not look.is_level]
            rows += dict.fromkeys(own)
        return rows

    def _touches(self, shown: _Shown, name: str) -> bool:
        return any(name in (look.channel, look.what) for look in shown.looks)

    def _n_steps(self, shown: Sequence[_Shown], history: int | None) -> int:
        longest = max(len(values) for values in self.series.values())
        if history is not None:
            return max(1, min(history, longest))
        furthest = max((look.oldest + 1 for each in shown for look in each.looks), default=longest)
        return min(longest, max(_CONTEXT * furthest, 2))

    def _time(self, n_steps: float) -> float:
        """Return the position on the axis of the step that is `n_steps` steps before the decision."""
        return -n_steps * (1.0 if self.time_step is None else self.time_step[0])

    def _draw_row(self, ax: Any, name: str, n_steps: int, shown: Sequence[_Shown]) -> None:
        if name in self.series:
            heights = self._draw_series(ax, name, n_steps)
            unit = self.units.get(name, "")
        else:
            look = next(look for each in shown for look in each.looks if look.what == name)
            heights = self._draw_statistic(ax, look, n_steps)
            unit = self._feature(look).unit
        ax.set_ylabel(plain("\n".join(textwrap.wrap(f"{name} ({unit})" if unit else name, _LABEL_LENGTH))))
        marks = [(each, look) for each in shown for look in each.looks if name in (look.channel, look.what)]
        levels = [(each, look) for each, look in marks if look.is_level or name == look.what]
        for each, look in levels:
            heights += [end for zone in self._zones(each) for end in zone if math.isfinite(end)]
            heights += [float(look.reading.value)] if isinstance(look.reading.value, float) else []
        _set_heights(ax, heights)
        for each, look in marks:
            self._shade(ax, each, look)
        for each, look in levels:
            self._tint(ax, each, look)
            self._mark(ax, each, look)
        self._label_thresholds(ax, [each for each, _ in levels])
        self._badges(ax, marks, n_steps)
        ax.axvline(0.0, color=_DECISION, linewidth=1.0, zorder=1)
        ax.grid(visible=True, color="#ececec", linewidth=0.7)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)

    def _draw_series(self, ax: Any, channel: str, n_steps: int) -> list[float]:
        values = np.asarray(self.series[channel], np.float64)[-n_steps:]
        times = self._time(1.0) * np.arange(len(values) - 1, -1, -1.0)
        dots = {"marker": "o", "markersize": 3} if len(values) <= 60 else {}
        ax.plot(times, values, color=_SERIES, linewidth=1.2, zorder=3, label=channel, **dots)
        return [float(value) for value in values[np.isfinite(values)]]

    def _draw_statistic(self, ax: Any, look: Look, n_steps: int) -> list[float]:
        """Draw a statistic as a bar for each window, or as a line where windows overlap."""
        assert self.windows is not None
        values = np.asarray(self.statistics[look.reading.term.feature], np.float64)
        ends = self.windows.stride * np.arange(len(values) - 1, -1, -1.0)
        kept = ends < n_steps
        values, ends = values[kept], ends[kept]
        if self.windows.stride < self.windows.length:
            ax.plot(self._time(1.0) * ends, values, color=_SERIES, linewidth=1.2, zorder=3, label=look.what)
        else:
            begins = np.minimum(ends + self.windows.length, n_steps)
            ax.hlines(values, self._time(1.0) * begins, self._time(1.0) * ends, color=_SERIES, linewidth=1.6, zorder=3)
        return [float(value) for value in values[np.isfinite(values)]]

    def _feature(self, look: Look) -> Feature:
        return self.explanation.ruleset.schema.feature(look.reading.term.feature)

    def _zones(self, each: _Shown) -> list[tuple[float, float]]:
        return zones(each.outcome.condition, self.explanation.ruleset.schema)

    def _span(self, look: Look) -> tuple[float, float]:
        """Return the stretch of the time axis that a look takes; a single step is as wide as a step."""
        longest = len(self.series[look.channel])
        if look.statistic:
            return self._time(min(look.oldest + 1, longest)), self._time(look.newest)
        return self._time(look.newest + 0.5), self._time(look.newest - 0.5)

    def _shade(self, ax: Any, each: _Shown, look: Look) -> None:
        if look.reading.available and look.statistic:
            ax.axvspan(*self._span(look), color=each.colour, alpha=0.07, linewidth=0, zorder=0)

    def _tint(self, ax: Any, each: _Shown, look: Look) -> None:
        """Tint the values that satisfy a condition where it looked, and draw the threshold that ends them."""
        begin, end = self._span(look)
        low, high = ax.get_ylim()
        for zone in self._zones(each):
            bottom, top = max(zone[0], low), min(zone[1], high)
            if look.reading.available:
                ax.fill_between([begin, end], bottom, top, color=each.colour, alpha=0.16, linewidth=0, zorder=1)
            for threshold in zone:
                if math.isfinite(threshold):
                    line = ax.axhline(threshold, color=each.colour, linewidth=1.0, linestyle=(0, (5, 3)), zorder=2)
                    line.set_gid(f"threshold {each.letter}")

    def _mark(self, ax: Any, each: _Shown, look: Look) -> None:
        """Mark the value that was read: a bar over its window, or a point."""
        value = look.reading.value
        if not isinstance(value, float):
            return
        if look.statistic:
            (mark,) = ax.plot(self._span(look), [value, value], color=each.colour, linewidth=3.2, zorder=5)
            mark.set_solid_capstyle("butt")
        else:
            ring = {"markersize": 8, "markerfacecolor": "white", "markeredgecolor": each.colour, "markeredgewidth": 2.2}
            (mark,) = ax.plot([self._time(look.newest)], [value], "o", zorder=6, **ring)
        mark.set_gid(f"value {each.letter}")

    def _label_thresholds(self, ax: Any, shown: Sequence[_Shown]) -> None:
        """Write each threshold beside the plot, none over another."""
        low, high = ax.get_ylim()
        labels = []
        for each in dict.fromkeys(shown):
            ends = [end for zone in self._zones(each) for end in zone if math.isfinite(end)]
            if ends:
                labels.append(
                    (sum(ends) / len(ends), f"{each.letter}: {self._asked(each.outcome.condition)}", each.colour)
                )
        labels.sort(key=lambda label: label[0])
        heights = spread([(height - low) / (high - low) for height, _, _ in labels], gap=0.1)
        for height, (_, text, colour) in zip(heights, labels, strict=True):
            ax.text(1.012, height, plain(text), transform=ax.transAxes, color=colour, fontsize=9, va="center")

    def _asked(self, condition: Condition) -> str:
        """Return a threshold as it is asked for, in the unit of what was read."""
        sign = OPERATOR_SIGNS.get(condition.operator.value, condition.operator.value)
        feature = self.explanation.ruleset.schema.feature(condition.left.feature)
        thresholds = form_of(condition).thresholds(condition)
        if condition.left.is_plain and len(thresholds) == 1:
            return f"{sign} {number_text(thresholds[0])} {feature.unit}".rstrip()
        ends = [end for zone in zones(condition, self.explanation.ruleset.schema) for end in zone if math.isfinite(end)]
        return " and ".join(value_text(end, feature) for end in dict.fromkeys(ends))

    def _badges(self, ax: Any, marks: Sequence[tuple[_Shown, Look]], n_steps: int) -> None:
        """Write the letter of each condition over the value that it read, side by side where they coincide."""
        taken: list[float] = []
        for each, look in marks:
            if not look.reading.available:
                continue
            centre = sum(self._span(look)) / 2
            row = sum(abs(centre - other) < 0.025 * abs(self._time(n_steps)) for other in taken)
            taken.append(centre)
            box = {"boxstyle": "circle,pad=0.22", "facecolor": each.colour, "edgecolor": "white"}
            ax.text(
                centre,
                1.0 - 0.16 * row,
                each.letter,
                transform=ax.get_xaxis_transform(),
                bbox=box,
                color="white",
                fontsize=8,
                fontweight="bold",
                ha="center",
                va="center",
                zorder=8,
            )
            if look.reading.value is None:
                ax.text(
                    centre,
                    0.06,
                    "no value",
                    transform=ax.get_xaxis_transform(),
                    color=each.colour,
                    fontsize=8,
                    ha="center",
                )

    def _join(self, shown: Sequence[_Shown]) -> None:
        """Join the two points that a condition compares, across plots where they are in different ones."""
        patches = import_module("matplotlib.patches")
        for each in shown:
            if len(each.looks) < 2 or any(not isinstance(look.reading.value, float) for look in each.looks):
                continue
            ends = []
            for look in each.looks:
                ax = self.axes_[look.channel if look.is_level else look.what]
                ends.append((ax, (sum(self._span(look)) / 2 if look.statistic else self._time(look.newest))))
            (first, from_x), (second, to_x) = ends
            values = [look.reading.value for look in each.looks]
            line = patches.ConnectionPatch(
                (from_x, values[0]), (to_x, values[1]), "data", "data", axesA=first, axesB=second
            )
            line.set(color=each.colour, linewidth=1.3, linestyle=":", zorder=7, gid=f"comparison {each.letter}")
            self.figure_.add_artist(line)

    def _finish_time(self, n_steps: int) -> None:
        *others, last = self.axes_.values()
        for ax in others:
            ax.tick_params(labelbottom=False)
        length = abs(self._time(n_steps))
        last.set_xlim(-length, 0.025 * length)
        ticker = import_module("matplotlib.ticker")
        # Halves and quarters of an hour are easier to read than tenths; so are 20 and 60 of anything else.
        last.xaxis.set_major_locator(
            ticker.MaxNLocator(nbins=9, steps=[1, 2, 3, 6, 10], integer=self.time_step is None)
        )
        last.xaxis.set_major_formatter(ticker.FuncFormatter(lambda time, _: f"{abs(time):.10g}"))
        unit = "steps" if self.time_step is None else self.time_step[1]
        last.set_xlabel(plain(f"{unit} before the decision"))
        self.figure_.align_ylabels(list(self.axes_.values()))

    def _write(self, lines: Sequence[str], colours: Sequence[str], height: float) -> None:
        """Write the decision as the title, and the rule in words below it."""
        decision = ", ".join(self.explanation.decision.actions) or "none"
        self.figure_.suptitle(
            plain(f"Decision: {decision}"),
            x=_LEFT,
            y=1.0 - 0.14 / height,
            ha="left",
            va="top",
            fontsize=14,
            fontweight="bold",
        )
        for number, (line, colour) in enumerate(zip(lines, colours, strict=True)):
            y = 1.0 - (0.47 + _LINE_HEIGHT * number) / height
            self.figure_.text(_LEFT, y, plain(line), color=colour, fontsize=9.5, ha="left", va="top")
        about = {"color": QUIET, "fontsize": 9, "ha": "right", "va": "top"}
        self.figure_.text(_RIGHT, 1.0 - 0.18 / height, self.rows, **about)
        if any(line.get_gid() for ax in self.axes_.values() for line in ax.lines):
            self.figure_.text(_RIGHT, 0.1 / height, _KEY, color=QUIET, fontsize=8, ha="right", va="bottom")


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Move increasing positions apart until neighbours are at least a gap apart, each as little as possible.

    >>> [round(position, 2) for position in spread([0.1, 0.5, 0.52], gap=0.1)]
    [0.1, 0.46, 0.56]
    """
    # Positions that are pushed together form a block, which is centred on the mean of the original positions.
    blocks: list[list[float]] = []
    for position in positions:
        blocks.append([position])
        while len(blocks) > 1 and _first(blocks[-1], gap) < _first(blocks[-2], gap) + gap * len(blocks[-2]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [_first(block, gap) + gap * number for block in blocks for number in range(len(block))]


def _first(block: Sequence[float], gap: float) -> float:
    return sum(block) / len(block) - gap * (len(block) - 1) / 2


def _letters() -> Iterator[str]:
    number = 0
    while True:
        round_, letter = divmod(number, len(_LETTERS))
        yield _LETTERS[letter] + (str(round_ + 1) if round_ else "")
        number += 1


def _nearest(failed: Sequence[RuleOutcome]) -> list[RuleOutcome]:
    """Return the rules that were nearest to holding, as many as a picture has room for, in their order."""
    chosen: list[RuleOutcome] = []
    for rule in sorted(failed, key=lambda rule: len(rule.failing)):
        if chosen and sum(len(each.failing) for each in [*chosen, rule]) > _ROOM:
            break
        chosen.append(rule)
    return sorted(chosen, key=lambda rule: rule.index)


def _heading(rule: RuleOutcome) -> str:
    name = f" ({rule.rule.name})" if rule.rule.name else ""
    fate = "decided, because" if rule.decided else "held as well:" if rule.is_active else "did not hold, because"
    return f"Rule {rule.number}{name} for {rule.rule.action} {fate}"


def _origins(windows: Any) -> Windows:
    pairs = [(channel, name) for channel in windows.channel_names_ for name in windows.statistics]
    return Windows(windows.window, windows.stride, dict(zip(windows.get_feature_names_out(), pairs, strict=True)))


def _set_heights(ax: Any, heights: Sequence[float]) -> None:
    """Leave room above for the letters, and for a series that does not move."""
    low, high = (min(heights), max(heights)) if heights else (0.0, 1.0)
    room = (high - low) or max(abs(high) * 0.1, 1.0)
    ax.set_ylim(low - 0.08 * room, high + 0.2 * room)
