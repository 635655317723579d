"""CoverageDisplay: a map of which rule holds on which row, which one decides, and whether it is right."""

import re
import textwrap
from dataclasses import dataclass, field
from enum import IntEnum
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.analysis.displays.row_origin import rows_text, training_share
from evoter.analysis.displays.style import plain, pyplot
from evoter.analysis.formatting import percent
from evoter.analysis.intervals import LEVEL, proportion_interval
from evoter.analysis.model_inputs import match_columns, match_labels, read_rows
from evoter.analysis.rule_statistics import RuleStatistic, RuleStatistics, measure, who_decides
from evoter.problems import decide_frame
from evoter.rules.model import RuleSet
from evoter.tables import Panel

Ints = NDArray[np.int64]


class State(IntEnum):
    """What a rule does on a row."""

    SILENT = 0
    HOLDS = 1
    DECIDES = 2
    ERRS = 3


# Dark, middle and light, so that they differ in black and white too.
_LOOKS = {State.HOLDS: "#c9d3dc", State.DECIDES: "#0072b2", State.ERRS: "#e69f00"}
_CLASSES = ("#332288", "#44aa99", "#ddcc77", "#cc6677", "#88ccee", "#117733", "#aa4499")
"""Paul Tol's muted colours, in an order of unlike lightness; none is one of the states."""

_LINE_LENGTH = 50
_MOST_LINES = 4
_INDENT = "     "
_BAR = 0.36
"""Half the height of a bar, where rules are 1 apart."""


@dataclass(slots=True, repr=False)
class CoverageDisplay:
    """What each rule does on the rows of a table, in the style of scikit-learn's displays.

    A line for each rule, and last the default; across are the rows, sorted by the rule that decides them, then by
    their class, then by the other rules that hold. Light is where a rule holds and another one decides, blue where it
    decides, and orange where it decides wrongly. The strip on top has the classes. On the right are the numbers of rows
    on which the rule holds and which it decides, the share of these on which it is right, and Wilson's 95 % interval
    of this share. Below, it says whether the rows were trained on. Make it with
    `from_estimator` or `from_ruleset`; after `plot`, `ax_` and `figure_` are matplotlib's, and so are `bars_` by the
    number of the rule and the state.

    Parameters
    ----------
    statistics : RuleStatistics
        What `evoter.analysis.rule_statistics.measure` says.
    active : ndarray of bool [row, rule]
        Which rules hold on which row.
    labels : ndarray of int, or None
        The index of each row's class among `statistics.confusion.labels`; None if the classes are not known.
    rows : str
        What is shown, such as "171 unseen rows".
    """

    statistics: RuleStatistics
    active: NDArray[np.bool_]
    labels: Ints | None = None
    rows: str = "rows"
    ax_: Any = None
    figure_: Any = None
    bars_: dict[tuple[int, State], Any] = field(default_factory=dict)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike | None = None, *, rows: str = "auto", ax: Any = None
    ) -> Self:
        """Draw the rules of a fitted classifier on rows as `predict` takes them, or those of a time series classifier.

        Parameters
        ----------
        estimator : EvoterClassifier or EvoterTimeSeriesClassifier
            The classifier.
        X : array, frame or panel
            The rows.
        y : array-like or None, default=None
            Their classes; None if they are not known.
        rows : {"auto", "training", "unseen"}, default="auto"
            What X is called in the picture; by default the classifier recognises the rows that it was trained on.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        """
        if not hasattr(estimator, "ruleset_"):
            raise ValueError(f"{type(estimator).__name__} has no rules: fit an EVOTER classifier, and pass it")
        table = read_rows(estimator, X)
        share = training_share(rows, [estimator], X)
        return cls._of(match_columns(estimator, estimator.ruleset_, table), table, y, share).plot(ax=ax)

    @classmethod
    def from_ruleset(
        cls, ruleset: RuleSet, X: Any, y: ArrayLike | None = None, *, rows: str = "auto", ax: Any = None
    ) -> Self:
        """Draw what a rule set does on a table or a panel; the parameters are those of `from_estimator`.

        Rules alone do not know what they were trained on, so the picture says that it is not stated unless `rows` does.
        """
        return cls._of(ruleset, X, y, training_share(rows, [], X)).plot(ax=ax)

    @classmethod
    def _of(cls, ruleset: RuleSet, X: Any, y: ArrayLike | None, share: float) -> Self:
        statistics = measure(ruleset, X, y)
        labels = None if y is None else match_labels(y, ruleset.schema.actions)[1]
        text = rows_text(statistics.n_rows, share, "series" if isinstance(X, Panel) else "row")
        return cls(statistics, decide_frame(ruleset, X).active, labels, text)

    def order(self) -> Ints:
        """Return the rows as they are drawn: by deciding rule, right ones first, by class, by the rules that hold."""
        n_rules = self.active.shape[1]
        keys: list[NDArray[Any]] = [~self.active[:, rule] for rule in reversed(range(n_rules))]
        if self.labels is not None:
            keys += [self.labels, self._wrong()]
        return np.lexsort([*keys, self.statistics.decided_by])

    def states(self) -> Ints:
        """Return what each rule, and last the default, does on each row, in the order of the rows in the table."""
        known = self.statistics
        held, decides = who_decides(known.ruleset, self.active, known.decided_by)
        states = np.where(decides, State.DECIDES, np.where(held, State.HOLDS, State.SILENT))
        if self.labels is not None:
            states[decides & self._wrong()[:, None]] = State.ERRS
        return states.T.astype(np.int64)

    def plot(self, ax: Any = None) -> Self:
        """Draw into matplotlib axes, new ones by default."""
        rules = self.statistics.rules
        texts = [_rule_text(rule) for rule in rules]
        if ax is None:
            height = 1.5 + 0.18 * len(texts) * max(2, 1 + max(text.count("\n") for text in texts))
            _, ax = pyplot("CoverageDisplay").subplots(figsize=(9.0, height), layout="constrained")
        self.ax_, self.figure_, self.bars_ = ax, ax.figure, {}
        order = self.order()
        for index, row in enumerate(self.states()[:, order]):
            for state, colour in _LOOKS.items():
                spans = _spans(row == state)
                if spans:
                    # An edge as thin as that makes a single row among thousands visible.
                    look = {"facecolor": colour, "edgecolor": colour, "linewidth": 0.3}
                    self.bars_[index + 1, state] = ax.broken_barh(spans, (index - _BAR, 2 * _BAR), **look)
        top = -0.6 if self.labels is None else self._draw_classes(ax, order)
        ax.set(xlim=(0, self.statistics.n_rows), ylim=(len(rules) - 0.45, top))
        self._write_rules(ax, texts)
        ax.set_xlabel(
            f"{self.rows}; sorted by the rule that decides them{'' if self.labels is None else ' and by class'}"
        )
        ax.spines[["top", "right", "left"]].set_visible(False)
        self._write_counts(ax)
        self._name_states(ax)
        return self

    def _wrong(self) -> NDArray[np.bool_]:
        assert self.labels is not None
        assert self.statistics.confusion is not None
        names = np.array(self.statistics.confusion.labels, dtype=object)
        return np.asarray(names[self.labels] != self.statistics.predictions, np.bool_)

    def _draw_classes(self, ax: Any, order: Ints) -> float:
        """Draw the class of each row above the rules, and return where the picture ends on top."""
        assert self.labels is not None
        assert self.statistics.confusion is not None
        labels = self.labels[order]
        for index in range(len(self.statistics.confusion.labels)):
            spans = _spans(labels == index)
            if spans:
                ax.broken_barh(spans, (-1.02, 0.26), facecolor=_CLASSES[index % len(_CLASSES)], linewidth=0)
        return -1.15

    @staticmethod
    def _write_rules(ax: Any, texts: list[str]) -> None:
        """Write the rules on the left, all aligned."""
        ax.set_yticks(range(len(texts)), labels=texts, fontsize=9, multialignment="left")
        labels = ax.get_yticklabels()
        widest = max(label.get_window_extent().width for label in labels) * 72 / ax.get_figure(root=True).dpi
        ax.tick_params(axis="y", length=0, pad=widest + 6)
        for label in labels:
            label.set_horizontalalignment("left")

    def _write_counts(self, ax: Any) -> None:
        """Write beside each rule on how many rows it holds, how many it decides, and how often it is right."""
        heads = ["holds", "decides", *(["right", f"{LEVEL:.0%} interval"] if self.labels is not None else [])]
        lines = [
            [f"{rule.held:,}", f"{rule.decided:,}", _share(rule.precision), _interval(rule)]
            for rule in self.statistics.rules
        ]
        top = -0.89 if self.labels is not None else -0.75
        look = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center", "ha": "right"}
        for column, head in enumerate(heads):
            for height, text in ((top, head), *enumerate(line[column] for line in lines)):
                colour = "#555555" if height == top else "#000000"
                offset = (38 + 48 * column + (26 if column == 3 else 0), 0)
                ax.annotate(text, (1.0, height), offset, color=colour, fontsize=9, annotation_clip=False, **look)

    def _name_states(self, ax: Any) -> None:
        """Say below the map what the colours of states mean, and above it those of classes."""
        patches, transforms = import_module("matplotlib.patches"), import_module("matplotlib.transforms")
        known = self.labels is not None
        names = {State.HOLDS: "holds, another decides", State.DECIDES: "decides, rightly" if known else "decides"}
        names |= {State.ERRS: "decides, wrongly"} if known else {}
        below = transforms.offset_copy(ax.transAxes, ax.get_figure(root=True), y=-34, units="points")
        look = {"frameon": False, "fontsize": 9, "handlelength": 1.2, "columnspacing": 1.4, "borderpad": 0}
        if self.labels is not None and self.statistics.confusion is not None:
            labels = self.statistics.confusion.labels
            present = np.unique(self.labels).tolist()
            classes = [patches.Patch(color=_CLASSES[k % len(_CLASSES)], label=plain(labels[k])) for k in present]
            above = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.01), "ncols": 5, "borderaxespad": 0}
            # Not clipped to the axes, or the layout would leave no room for it.
            ax.add_artist(ax.legend(handles=classes, **above, **look)).set_clip_on(False)
        states = [patches.Patch(color=_LOOKS[state], label=name) for state, name in names.items()]
        position = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": below, "ncols": len(states)}
        ax.legend(handles=states, **position, **look)


def _spans(chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where the chosen rows are, as (first, length).

    >>> _spans(np.array([True, True, False, True]))
    [(0, 2), (3, 1)]
    """
    changes = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    return [(int(first), int(end - first)) for first, end in zip(changes[::2], changes[1::2], strict=True)]


def _rule_text(rule: RuleStatistic) -> str:
    """Return a rule over several lines, broken where a condition ends as far as it goes."""
    lines: list[str] = []
    for piece in re.split(r" (?=AND |-> )", f"{rule.number}. {rule.text}"):
        if lines and len(lines[-1]) + 1 + len(piece) <= _LINE_LENGTH:
            lines[-1] += f" {piece}"
        else:
            first = _INDENT if lines else ""
            lines += textwrap.wrap(piece, _LINE_LENGTH, initial_indent=first, subsequent_indent=_INDENT)
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 2], f"{_INDENT}…", lines[-1]]
    return plain("\n".join(lines))


def _share(precision: float | None) -> str:
    return "–" if precision is None else percent(precision, decimals=0)


def _interval(rule: RuleStatistic) -> str:
    if rule.correct is None or not rule.decided:
        return "–"
    low, high = proportion_interval(rule.correct, rule.decided)
    return f"{100 * low:.0f}–{100 * high:.0f}%"
