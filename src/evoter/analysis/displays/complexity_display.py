"""ComplexityDisplay: a picture of accuracy against complexity, for models and their runs, and for fronts."""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.analysis.displays.label_placement import Box, place_labels
from evoter.analysis.displays.row_origin import rows_text, training_share
from evoter.analysis.displays.style import (
    COLOURS,
    QUIET,
    as_runs,
    cut_far,
    mark_truncation,
    plain,
    pyplot,
    tidy,
    whole_ticks,
)
from evoter.analysis.intervals import LEVEL, mean_interval, proportion_interval
from evoter.evolution.fronts.front import Front
from evoter.rules.model import RuleSet

Floats = NDArray[np.float64]

WIDE = 30.0
"""Sizes that differ by more than this factor are drawn on a logarithmic axis."""

_LEAST = 0.5
"""Where a model without any condition stands on the logarithmic axis."""

_OTHER, _HIGHLIGHT = COLOURS[:2]


class Spot(NamedTuple):
    """Where a model stands: means over its runs, and the half widths of their 95 % intervals.

    `counted` has the ends of the interval of a score that was counted on rows, which is as uncertain as these rows are
    few; None where there are no counts.
    """

    complexity: float
    score: float
    complexity_error: float = 0.0
    score_error: float = 0.0
    n_runs: int = 1
    counted: tuple[float, float] | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval of the score; None if it is not known."""
        if self.counted is not None or self.n_runs == 1:
            return self.counted
        return self.score - self.score_error, self.score + self.score_error


def complexity_of(model: Any) -> int:
    """Return the number of conditions of rules, of decision nodes of trees, or else of parameters that are not zero.

    A pipeline is as large as its last step, and an ensemble as all of its members together.

    >>> from evoter.rules.parser import parse
    >>> complexity_of(parse("x > 1 AND y > 2 -> a; Default -> b"))
    2
    """
    ruleset = model if isinstance(model, RuleSet) else getattr(model, "ruleset_", None)
    if isinstance(ruleset, RuleSet):
        return ruleset.n_conditions
    if hasattr(model, "tree_"):
        return int(model.tree_.node_count - model.tree_.n_leaves)
    if hasattr(model, "best_estimator_"):
        return complexity_of(model.best_estimator_)
    if hasattr(model, "steps"):
        return complexity_of(model.steps[-1][1])
    if hasattr(model, "estimators_"):
        return sum(complexity_of(member) for member in np.ravel(np.array(model.estimators_, dtype=object)))
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_) + np.count_nonzero(getattr(model, "intercept_", 0)))
    raise ValueError(
        f"the size of {type(model).__name__} is not known: fit it, or pass complexity=, a function of the model"
    )


@dataclass(slots=True, repr=False)
class ComplexityDisplay:
    """How accurate models are against how large they are, in the style of scikit-learn's displays.

    Up and to the left is better. A model is a point with its name. Its bars are 95 % intervals: Student's t of means
    over runs, and Wilson's of accuracies on rows; of both, the wider ends. A front is a line in steps through its
    candidates, since between two sizes only the smaller rule set can be had. An upright axis that begins above 0 has a
    broken foot. Make it with `from_estimators`,
    `from_runs` or `from_front`; after `plot`, `ax_` and `figure_` are matplotlib's, and so are `names_` and `lines_` by
    the names of models and fronts.

    Parameters
    ----------
    models : mapping
        Where each model stands, by name.
    fronts : mapping
        The candidates [number, (complexity, score)] of each front, by name.
    score, complexity : str
        What the axes are called.
    highlight : collection of str
        Models that stand out: diamonds, or stars if their intervals are above those of all other models.
    muted : collection of str
        Models that step back, such as black boxes: grey squares.
    log : bool or None
        Whether sizes are drawn on a logarithmic axis; None where they differ by more than a factor of 30.
    rows : str
        What the scores were measured on, such as "171 unseen rows".
    bands : mapping
        The ends [candidate, (low, high)] of the intervals of the scores of some fronts, by name.
    """

    models: Mapping[str, Spot]
    fronts: Mapping[str, Floats] = field(default_factory=dict)
    score: str = "accuracy"
    complexity: str = "conditions"
    highlight: Collection[str] = ()
    muted: Collection[str] = ()
    log: bool | None = None
    rows: str = ""
    bands: Mapping[str, Floats] = field(default_factory=dict)
    ax_: Any = None
    figure_: Any = None
    names_: dict[str, Any] = field(default_factory=dict)
    lines_: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_runs(
        cls,
        runs: Mapping[str, ArrayLike],
        *,
        fronts: Mapping[str, ArrayLike] | None = None,
        ax: Any = None,
        **looks: Any,
    ) -> Self:
        """Draw models whose runs have been measured already.

        Parameters
        ----------
        runs : mapping from names to arrays [run, (complexity, score)]
            The size and the score of each run of each model.
        fronts : mapping from names to arrays [candidate, (complexity, score)], or None, default=None
            Fronts to draw among them.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        **looks : dict
            `score`, `complexity`, `highlight`, `muted`, `log` and `rows` as for the class.
        """
        spots = {name: _spot(_pairs(name, pairs)) for name, pairs in runs.items()}
        lines = {name: _pairs(name, pairs) for name, pairs in (fronts or {}).items()}
        return cls(spots, lines, **looks).plot(ax=ax)

    @classmethod
    def from_estimators(
        cls,
        estimators: Any | Sequence[Any] | Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        complexity_of: Callable[[Any], float] = complexity_of,
        scorer: Callable[[Any, Any, ArrayLike], float] | None = None,
        rows: str = "auto",
        ax: Any = None,
        **looks: Any,
    ) -> Self:
        """Score fitted models on the same rows, and draw them.

        Parameters
        ----------
        estimators : estimator, sequence of them, or mapping from names to either
            Fitted models; a sequence is several runs of one. A model that has a front is drawn with it, each candidate
            scored on these rows. Without names, a model is called by its class.
        X, y : table and labels
            The rows to score on, best such as no model has seen.
        complexity_of : callable, default=evoter.analysis.displays.complexity_display.complexity_of
            The size of a model: by default the conditions of rules, the decision nodes of trees, and the parameters
            of linear models.
        scorer : callable or None, default=None
            `scorer(estimator, X, y)`; None for the estimator's own `score`, which is the accuracy of a classifier, so
            that there is an interval for a single model as well.
        rows : {"auto", "training", "unseen"}, default="auto"
            What X is called in the picture; by default EVOTER's models recognise the rows that they were trained on,
            and other models are taken to be trained on the same.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        **looks : dict
            `score`, `complexity`, `highlight`, `muted` and `log` as for the class.
        """
        n_rows = len(np.asarray(y))

        def spot(models: Sequence[Any]) -> Spot:
            scores = [float(model.score(X, y) if scorer is None else scorer(model, X, y)) for model in models]
            mean = _spot(np.array([(complexity_of(model), score) for model, score in zip(models, scores, strict=True)]))
            if scorer is not None or not all(hasattr(model, "classes_") for model in models):
                return mean
            low, high = proportion_interval(round(mean.score * n_rows), n_rows)
            ends = min(low, mean.score - mean.score_error), min(1.0, max(high, mean.score + mean.score_error))
            return mean._replace(counted=ends)

        named = estimators if isinstance(estimators, Mapping) else None
        groups = {name: as_runs(each) for name, each in (named or {"": estimators}).items()}
        if named is None:
            groups = {type(group[0]).__name__: group for group in groups.values() if group}
        every = [model for group in groups.values() for model in group]
        fronts: dict[str, Floats] = {}
        bands: dict[str, Floats] = {}
        for name, group in groups.items():
            for number, model in enumerate(group, start=1):
                if hasattr(model, "front_"):
                    title = f"front of {name}" if len(group) == 1 else f"front of {name}, run {number}"
                    candidates = [spot([model.with_ruleset(k)]) for k in range(len(model.front_))]
                    fronts[title] = np.array([(each.complexity, each.score) for each in candidates])
                    ends = [each.counted for each in candidates if each.counted is not None]
                    bands |= {title: np.array(ends)} if len(ends) == len(candidates) else {}
        if not all(isinstance(getattr(model, "ruleset_", None), RuleSet) for model in every):
            looks.setdefault("complexity", "conditions, decision nodes or parameters")
        spots = {name: spot(group) for name, group in groups.items()}
        noun = "series" if any(hasattr(model, "windows_") for model in every) else "row"
        text = rows_text(n_rows, training_share(rows, every, X), noun)
        return cls(spots, fronts, rows=text, bands=bands, **looks).plot(ax=ax)

    @classmethod
    def from_front(
        cls, front: Front, *, score: str | None = None, name: str = "front", ax: Any = None, **looks: Any
    ) -> Self:
        """Draw the candidates of a front by one of its objectives, the first by default, against their conditions.

        The chosen candidate, if there is one, is a diamond. The scores are those of the training rows.
        """
        measured = front.objective(score).name
        pairs = [(candidate.value("conditions"), candidate.value(measured)) for candidate in front]
        chosen = {} if front.chosen is None else {"chosen": [pairs[front.chosen]]}
        looks = {"score": measured, "highlight": ("chosen",), "rows": "training rows", **looks}
        return cls.from_runs(chosen, fronts={name: pairs}, ax=ax, **looks)

    def plot(self, ax: Any = None) -> Self:
        """Draw into matplotlib axes, new ones by default."""
        if ax is None:
            _, ax = pyplot("ComplexityDisplay").subplots(layout="constrained")
        self.ax_, self.figure_, self.names_, self.lines_ = ax, ax.figure, {}, {}
        is_log = self._is_log()
        if is_log:
            ax.set_xscale("log")
        for number, (name, pairs) in enumerate(self.fronts.items()):
            rising = pairs[np.lexsort([pairs[:, 1], pairs[:, 0]])]
            colour = COLOURS[(2 + number) % len(COLOURS)]
            look = {
                "marker": "o",
                "markersize": 4,
                "color": colour,
                "linewidth": 0.9,
                "label": plain(name),
                "zorder": 2,
            }
            across = _drawn(rising[:, 0], is_log)
            (self.lines_[name],) = ax.plot(across, rising[:, 1], drawstyle="steps-post", **look)
            if name in self.bands:
                low, high = self.bands[name][np.lexsort([pairs[:, 1], pairs[:, 0]])].T
                ax.fill_between(across, low, high, step="post", color=colour, alpha=0.12, linewidth=0, zorder=1)
        for name, spot in self.models.items():
            self._draw_spot(ax, name, spot, is_log)
        ax.margins(x=0.12, y=0.12)
        ax.set_xlabel(plain(f"{self.complexity}{' (logarithmic)' if is_log else ''}, fewer is simpler"))
        ax.set_ylabel(plain(self._score_label()))
        tidy(ax)
        mark_truncation(ax)
        self._number(ax, is_log)
        points = self._points(is_log)
        lowest = int(np.argmin(points[:, 1]))  # of the points, only candidates of fronts may be cut off
        kept = lowest if lowest < len(self.models) else None
        cut_far(ax, points, QUIET, maximise=True, kept=kept, bars=self._bars())
        handles, _ = ax.get_legend_handles_labels()
        if any(name in self.models and self.beats_others(name) for name in self.highlight):
            star = {"marker": "*", "color": _HIGHLIGHT, "markersize": 11, "linestyle": "none"}
            text = f"above all others, {LEVEL:.0%} intervals apart"
            handles.append(import_module("matplotlib.lines").Line2D([], [], label=text, **star))
        if handles:
            ax.legend(handles=handles, framealpha=0.8, edgecolor="none", loc="lower right")
        self._write_names(ax, is_log)
        return self

    def _score_label(self) -> str:
        """Say what is measured, on which rows, and what the bars are; the rows may make a line of their own."""
        several = any(spot.n_runs > 1 for spot in self.models.values())
        counts = bool(self.bands) or any(spot.counted is not None for spot in self.models.values())
        bars = f", mean and its {LEVEL:.0%} interval" if several else f" and its {LEVEL:.0%} interval" if counts else ""
        return f"{self.score}{bars}" + (f"\non {self.rows}" if self.rows else "")

    def beats_others(self, name: str) -> bool:
        """Tell whether the interval of a highlighted model is above those of all models that are not highlighted.

        Where an interval is not known, nobody can tell a difference from noise.
        """
        own = self.models[name].interval
        others = [spot.interval for other, spot in self.models.items() if other not in self.highlight]
        return own is not None and bool(others) and all(end is not None and own[0] > end[1] for end in others)

    def _is_log(self) -> bool:
        if self.log is not None:
            return self.log
        sizes = [size for size in self._sizes() if size > 0]
        return bool(sizes) and max(sizes) > WIDE * min(sizes)

    def _sizes(self) -> list[float]:
        return [float(size) for size in self._points(is_log=False)[:, 0]]

    def _points(self, is_log: bool) -> Floats:
        """Return where models and candidates of fronts stand."""
        own = np.array([(spot.complexity, spot.score) for spot in self.models.values()]).reshape(-1, 2)
        points = np.concatenate([own, *self.fronts.values()])
        return np.column_stack([_drawn(points[:, 0], is_log), points[:, 1]])

    def _bars(self) -> Floats:
        """Return the ends of the intervals of models and candidates, which are the scores where there is none."""
        own = [spot.interval or (spot.score, spot.score) for spot in self.models.values()]
        fronts = [self.bands.get(name, pairs[:, [1, 1]]) for name, pairs in self.fronts.items()]
        return np.concatenate([np.array(own, np.float64).reshape(-1, 2), *fronts])

    def _draw_spot(self, ax: Any, name: str, spot: Spot, is_log: bool) -> None:
        look: dict[str, Any] = {"marker": "o", "color": _OTHER, "markersize": 7, "zorder": 4}
        if name in self.highlight:
            star = self.beats_others(name)
            mark = {"marker": "*", "markersize": 15} if star else {"marker": "D", "markersize": 9}
            look |= {"color": _HIGHLIGHT, "zorder": 5, **mark}
        elif name in self.muted:
            look |= {"marker": "s", "color": QUIET}
        place = float(_drawn(np.array([spot.complexity]), is_log)[0])
        room = place - _LEAST / 2 if is_log else np.inf  # a logarithmic axis has no place for what is below nothing
        across = [[min(spot.complexity_error, room)], [spot.complexity_error]] if spot.complexity_error else None
        up: Any = spot.score_error or None
        if spot.counted is not None:
            up = [[spot.score - spot.counted[0]], [spot.counted[1] - spot.score]]
        ax.errorbar(place, spot.score, xerr=across, yerr=up, linestyle="none", elinewidth=1.2, capsize=3, **look)

    def _number(self, ax: Any, is_log: bool) -> None:
        if not is_log:
            sizes = self._sizes()
            if max(sizes) - min(sizes) < 2:  # or no whole number beside them would have a tick
                ax.set_xlim(min(sizes) - 1.2, max(sizes) + 1.2)
            whole_ticks(ax.xaxis)
            return
        ticker = import_module("matplotlib.ticker")
        sizes = self._sizes()
        # Room on both sides, since margins do not reach names.
        low, high = _drawn(np.array([min(sizes), max(sizes)]), is_log)
        ax.set_xlim(low / 2.2, high * 2.2)
        decades = [10.0**power for power in range(-1, 10) if low / 2.2 <= 10.0**power <= high * 2.2]
        ax.xaxis.set_major_locator(ticker.FixedLocator([_LEAST, *decades] if min(sizes) <= 0 else decades))
        between = [step * decade for decade in decades for step in range(2, 10)]
        ax.xaxis.set_minor_locator(ticker.FixedLocator(between))
        ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: "0" if size == _LEAST else f"{size:,.10g}"))

    def _write_names(self, ax: Any, is_log: bool) -> None:
        """Write each name where it covers nothing, highlighted ones first and then from the left."""
        ordered = sorted(self.models, key=lambda name: (name not in self.highlight, self.models[name].complexity))
        if not ordered:
            return
        figure = ax.get_figure(root=True)
        figure.draw_without_rendering()  # names are placed in pixels, so the layout must be settled first
        spots = [self.models[name] for name in ordered]
        places = [(float(_drawn(np.array([spot.complexity]), is_log)[0]), spot.score) for spot in spots]
        points = [(float(x), float(y)) for x, y in ax.transData.transform(places)]
        looks = [
            {"fontsize": 10, "fontweight": "bold"} if name in self.highlight else {"fontsize": 9} for name in ordered
        ]
        sizes = [self._extent(ax, name, look) for name, look in zip(ordered, looks, strict=True)]
        frame = ax.get_window_extent()
        boxes = place_labels(points, sizes, Box(frame.x0, frame.y0, frame.x1, frame.y1), self._obstacles(ax))
        per_pixel = 72 / figure.dpi
        for name, place, (x, y), (box, led), look in zip(ordered, places, points, boxes, looks, strict=True):
            line = {"arrowstyle": "-", "color": "#b0b0b0", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3}
            offset = (((box.left + box.right) / 2 - x) * per_pixel, ((box.bottom + box.top) / 2 - y) * per_pixel)
            self.names_[name] = ax.annotate(
                plain(name),
                place,
                xytext=offset,
                textcoords="offset points",
                ha="center",
                va="center",
                zorder=6,
                color=_HIGHLIGHT if name in self.highlight else "#222222",
                arrowprops=line if led else None,
                **look,
            )
            self.names_[name].set_in_layout(False)

    def _obstacles(self, ax: Any) -> list[Box]:
        """Return the boxes that bars, and lines of fronts, take."""
        bars = [collection for bar in ax.containers for collection in bar.lines[2]]
        segments = [segment for collection in bars for segment in collection.get_segments()]
        boxes = [_around(ax.transData.transform(segment)) for segment in segments]
        for line in self.lines_.values():
            corners = ax.transData.transform(_stepped(np.column_stack(line.get_data())))
            # A slanted line is followed by small boxes.
            for first, last in itertools.pairwise(corners):
                stops = np.linspace(first, last, 2 + int(np.abs(last - first).max() // 12))
                boxes += [_around(np.array(pair)) for pair in itertools.pairwise(stops)]
        return boxes

    @staticmethod
    def _extent(ax: Any, name: str, look: Mapping[str, Any]) -> tuple[float, float]:
        text = ax.text(0, 0, plain(name), **look)
        extent = text.get_window_extent()
        text.remove()
        return extent.width, extent.height


def _around(points: Floats) -> Box:
    (left, bottom), (right, top) = points.min(axis=0) - 3, points.max(axis=0) + 3
    return Box(float(left), float(bottom), float(right), float(top))


def _pairs(name: str, pairs: ArrayLike) -> Floats:
    array = np.asarray(pairs, np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or not len(array):
        raise ValueError(f"{name!r} needs pairs (complexity, score), one at least, got an array of shape {array.shape}")
    return array


def _spot(pairs: Floats) -> Spot:
    mean, half = mean_interval(pairs)
    return Spot(float(mean[0]), float(mean[1]), float(half[0]), float(half[1]), len(pairs))


def _stepped(points: Floats) -> Floats:
    """Return the corners of a line in steps, which goes across before it goes up or down.

    >>> _stepped(np.array([[0.0, 1.0], [2.0, 3.0]])).tolist()
    [[0.0, 1.0], [2.0, 1.0], [2.0, 3.0]]
    """
    corners = np.repeat(points, 2, axis=0)[:-1]
    corners[1::2, 0] = points[1:, 0]
    return corners


def _drawn(sizes: Floats, is_log: bool) -> Floats:
    return np.maximum(sizes, _LEAST) if is_log else sizes
