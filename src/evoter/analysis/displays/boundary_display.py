"""BoundaryDisplay: a picture of what is decided over a plane of two features, with the lines of the rules."""

import itertools
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.analysis.displays.boundary_lines import condition_lines
from evoter.analysis.displays.plane import Plane, Value, held_value, make_plane
from evoter.analysis.displays.row_origin import rows_text, training_share
from evoter.analysis.displays.style import COLOURS, MARKERS, axis_label, mixed, plain, pyplot
from evoter.analysis.model_inputs import match_labels
from evoter.problems import decide_columns, decide_frame
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.schema import Schema
from evoter.rules.stream import furthest_lag
from evoter.tables import encode, infer_schema

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PALEST, _STRONGEST = 0.04, 0.54
"""How much of its colour the ground of a class has: where it is no more probable than others, where it is certain."""

_JITTER = 0.3
"""How far points are spread beside the category that they all have."""


_SAME = 0.005
"""Probabilities that differ by less look the same, and need no explanation."""

_MOST_READ = 8
"""Of how many features that rules read all pairs are tried."""

_TITLE = 9
"""The size of the title, in points."""


@dataclass(slots=True, repr=False)
class BoundaryDisplay:
    """What a classifier or a rule set decides over two features, in the style of scikit-learn's displays.

    The ground has the colour of the class that is decided there, all other features held at the values in the title;
    it is paler where the class is less probable. Dashed lines are the rules' own conditions, each with the number of
    its rule, drawn where the other conditions of the rule hold and no earlier rule decides. Points are rows of a table,
    larger and with a black edge where they were decided wrongly, and the legend says whether these rows were trained
    on; a row whose other features are
    not those held may be decided otherwise than the ground under it. Make it with `from_estimator` or `from_ruleset`;
    after `plot`, `ax_`, `figure_` and `surface_` are matplotlib's, and so are `lines_`, by the number of the rule and
    of its condition.

    Parameters
    ----------
    plane : Plane
        The two features and their cells.
    classes : sequence of str
        The names of the classes.
    decisions : ndarray [upwards, across]
        The class of each cell, by its index among the classes.
    certainty : ndarray [upwards, across] or None
        How probable this class is; its colour is fainter where it is less so. None where all are alike.
    ruleset : RuleSet or None
        The rules whose lines are drawn.
    points, labels, wrong
        The rows [row, (x, y)], their classes by index, and whether they are decided wrongly; None without rows or
        classes.
    rows : str
        What the points are, such as "171 unseen rows".
    """

    plane: Plane
    classes: Sequence[str]
    decisions: Ints
    certainty: Floats | None = None
    ruleset: RuleSet | None = None
    points: Floats | None = None
    labels: Ints | None = None
    wrong: NDArray[np.bool_] | None = None
    rows: str = ""
    ax_: Any = None
    figure_: Any = None
    surface_: Any = None
    lines_: dict[tuple[int, int], Any] = field(default_factory=dict)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike | None = None,
        *,
        features: tuple[str, str] | None = None,
        at: Mapping[str, Value] | None = None,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        response: str = "auto",
        rows: str = "auto",
        n_cells: int = 160,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw what a fitted classifier decides.

        Parameters
        ----------
        estimator : classifier
            Any scikit-learn classifier; the lines of rules are drawn where it has a `ruleset_`.
        X : array or frame
            Rows of all features that the classifier reads: they give the ranges and what other features are held at.
        y : array-like or None, default=None
            Their classes; None draws no points.
        features : pair of str or None, default=None
            The features across and upwards, x0, x1, ... where the table has no names. None for those two that rules
            read for which most rows are decided on the plane as they are by all their values, or the only two there
            are; without rows, the two that rules read most.
        at : mapping or None, default=None
            What other features are held at, None for missing; by default numbers at their median and others at the
            most frequent value. Those on the axes are left out.
        ranges : mapping or None, default=None
            The ends of the axes, by feature, instead of what X says.
        response : {"auto", "class", "probability"}, default="auto"
            Whether the ground shows the class alone, or also how probable it is: for rules, the share of this class
            among the training rows that the deciding rule decided. "auto" shows it if the classifier can tell.
        rows : {"auto", "training", "unseen"}, default="auto"
            What the points are called; by default EVOTER's models recognise the rows that they were trained on.
        n_cells : int, default=160
            How many cells a numeric axis is cut into.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        **options : dict
            What `plot` takes.
        """
        if response not in ("auto", "class", "probability"):
            raise ValueError(f"response must be 'auto', 'class' or 'probability', not {response!r}")
        ruleset = getattr(estimator, "ruleset_", None)
        names = tuple(str(label) for label in estimator.classes_)
        schema = getattr(estimator, "schema_", None) or infer_schema(X, actions=names)
        chosen = features or _chosen(ruleset, schema, X, at)
        plane = make_plane(schema, chosen, X, at=at, ranges=ranges, n_cells=n_cells)
        table = plane.table(X)
        predicted = estimator.predict(table)
        decisions = match_labels(predicted, names)[1].reshape(plane.shape)
        certainty = None
        if response == "probability" or (response == "auto" and hasattr(estimator, "predict_proba")):
            # Of the class that is decided, which need not be the most probable one where mistakes differ in cost.
            decided = np.searchsorted(estimator.classes_, predicted)[:, None]
            probabilities = np.asarray(estimator.predict_proba(table), np.float64)
            certainty = np.take_along_axis(probabilities, decided, axis=1).reshape(plane.shape)
        display = cls(plane, names, decisions, certainty, ruleset)
        if y is not None:
            answers = estimator.predict(X)
            display._put(X, y, answers)
            display.rows = rows_text(len(answers), training_share(rows, [estimator], X))
        return display.plot(ax=ax, **options)

    @classmethod
    def from_ruleset(
        cls,
        ruleset: RuleSet,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        features: tuple[str, str] | None = None,
        at: Mapping[str, Value] | None = None,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        rows: str = "auto",
        n_cells: int = 160,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw what a rule set decides.

        Parameters
        ----------
        ruleset : RuleSet
            The rules.
        X, y : table and its classes, default=None
            Rows to draw; without any, the ranges are those of the schema and other features are at their middle. The
            ground is paler where the deciding rule is less often right on these rows.
        features, at, n_cells, ax
            As in `from_estimator`.
        rows : {"auto", "training", "unseen"}, default="auto"
            What the points are called; rules alone do not know what they were trained on, so "auto" says that it is
            not stated.
        ranges : mapping or None, default=None
            The ends of the axes, by feature, instead of what X or the schema say.
        **options : dict
            What `plot` takes.
        """
        if mode_of(ruleset.mode).several_actions:
            raise SchemaError(
                f"rules that decide by mode {ruleset.mode} take several actions at once, and a point has one colour"
            )
        if furthest_lag(ruleset):
            raise SchemaError(
                "the rules look back in time, which a plane of two features cannot show: use SeriesDisplay"
            )
        chosen = features or _chosen(ruleset, ruleset.schema, X, at)
        plane = make_plane(ruleset.schema, chosen, X, at=at, ranges=ranges, n_cells=n_cells)
        cells = decide_columns(ruleset, plane.columns(ruleset.schema))
        display = cls(plane, ruleset.schema.actions, cells.actions.reshape(plane.shape), ruleset=ruleset)
        if X is not None and y is not None:
            actions = np.array(ruleset.schema.actions, dtype=object)
            decided = decide_frame(ruleset, X)
            display._put(X, y, actions[decided.actions])
            display.rows = rows_text(len(decided.actions), training_share(rows, [], X))
            sure = _probabilities(ruleset, decided.deciders, display.labels, display.wrong)
            display.certainty = sure[cells.deciders].reshape(plane.shape)
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, lines: bool = True, legend: bool | str = True, **surface_kw: Any) -> Self:
        """Draw into matplotlib axes, new ones by default.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw.
        lines : bool, default=True
            Whether to draw the lines of the rules.
        legend : bool, "beside" or "inside", default=True
            Whether and where to name the classes: True for beside a new plot, where no point is covered, and inside
            given axes.
        **surface_kw : dict
            Passed on to matplotlib's `pcolormesh` for the ground.
        """
        if legend not in (True, False, "beside", "inside"):
            raise ValueError(f"legend must be True, False, 'beside' or 'inside', not {legend!r}")
        beside = legend == "beside" or (legend is True and ax is None)
        if ax is None:
            size = (8.2 if beside else 6.4, 4.8)
            _, ax = pyplot("BoundaryDisplay").subplots(figsize=size, layout="constrained")
        self.ax_, self.figure_, self.lines_ = ax, ax.figure, {}
        look = {"rasterized": True, "zorder": 0, **surface_kw}
        self.surface_ = ax.pcolormesh(self.plane.x.edges, self.plane.y.edges, self.ground(), **look)
        if lines and self.ruleset is not None:
            self._draw_lines(ax, self.ruleset)
        if self.points is not None:
            self._draw_points(ax, self.points)
        for axis, which in ((ax.xaxis, self.plane.x), (ax.yaxis, self.plane.y)):
            axis.set_label_text(axis_label(which.feature))
            if which.names:
                axis.set_ticks(which.middles, labels=[plain(name) for name in which.names])
        ax.set(xlim=self.plane.x.edges[[0, -1]], ylim=self.plane.y.edges[[0, -1]])
        read = self.plane.schema.names if self.ruleset is None else self.ruleset.features_used
        held = self.plane.held_text(read) if self.ruleset is not None else self.plane.held_text(read, n_most=6)
        if held:
            text = textwrap.fill(f"where {held}", _title_length(ax))
            ax.set_title(plain(text), loc="left", fontsize=_TITLE, color="#555555")
        if legend:
            self._name_classes(ax, beside=beside)
        return self

    def ground(self) -> Floats:
        """Return the colour of each cell [upwards, across, (red, green, blue)]."""
        colours = np.array([mixed(_colour(index), 1.0) for index in range(len(self.classes))])
        share: Any = _STRONGEST
        if self.certainty is not None:
            chance = 1.0 / max(len(self.classes), 2)
            above = np.clip((self.certainty - chance) / (1.0 - chance), 0.0, 1.0)[..., None]
            share = _PALEST + (_STRONGEST - _PALEST) * above
        return np.asarray(1.0 - share * (1.0 - colours[self.decisions]), np.float64)

    def _put(self, X: Any, y: ArrayLike, decided: ArrayLike) -> None:
        """Remember rows, their classes, and whether they are decided wrongly."""
        names, labels = match_labels(y, self.classes)
        _, decisions = match_labels(decided, self.classes)
        encoded = encode(X, self.plane.schema)
        rows = [self.plane.schema.position(axis.feature.name) for axis in (self.plane.x, self.plane.y)]
        self.points, self.labels, self.wrong = encoded[rows].T, labels, labels != decisions
        self.classes = names

    def _drawn(self) -> NDArray[np.bool_]:
        """Tell which rows have a value on both axes, and hence a point."""
        assert self.points is not None
        known = np.isfinite(self.points)
        for place, axis in enumerate((self.plane.x, self.plane.y)):
            known[:, place] &= axis.is_numeric | (self.points[:, place] >= 0)  # categories that are not listed are -1
        return np.asarray(known.all(axis=1), np.bool_)

    def _rows_text(self) -> str:
        """Say what the points are, and how many rows have none."""
        n_absent = 0 if self.points is None else int(np.count_nonzero(~self._drawn()))
        return self.rows + (f"\n{n_absent:,} not drawn: no value on an axis" if self.rows and n_absent else "")

    def _draw_lines(self, ax: Any, ruleset: RuleSet) -> None:
        effects = import_module("matplotlib.patheffects")
        halo = [effects.withStroke(linewidth=2.5, foreground="white")]
        for line in condition_lines(ruleset, self.plane):
            look = {"color": "#222222", "linewidth": 1.1, "linestyle": (0, (5, 2.5)), "zorder": 2}
            pieces = [ax.plot(*piece.T, **look)[0] for piece in line.pieces]
            self.lines_[line.rule, line.condition] = pieces
            longest = max(line.pieces, key=lambda piece: float(np.ptp(piece, axis=0).sum()))
            x, y = longest[len(longest) // 2] if len(longest) > 2 else longest.mean(axis=0)
            text = ax.text(x, y, str(line.rule), fontsize=9, fontweight="bold", ha="center", va="center", zorder=5)
            text.set(path_effects=halo, clip_on=True)

    def _draw_points(self, ax: Any, points: Floats) -> None:
        assert self.labels is not None
        assert self.wrong is not None
        rng = np.random.default_rng(0)
        spread = [0.0 if axis.is_numeric else _JITTER for axis in (self.plane.x, self.plane.y)]
        drawn = points + rng.uniform(-1.0, 1.0, points.shape) * spread
        for index in range(len(self.classes)):
            for wrong in (False, True):
                shown = drawn[(self.labels == index) & (self.wrong == wrong)]
                look = {
                    "marker": MARKERS[index % len(MARKERS)],
                    "s": 52 if wrong else 22,
                    "linewidths": 1.6 if wrong else 0.5,
                    "edgecolor": "black" if wrong else "white",
                }
                ax.scatter(*shown.T, facecolor=_colour(index), zorder=4 if wrong else 3, **look)

    def _name_classes(self, ax: Any, *, beside: bool) -> None:
        """Name the classes beside the plane, where they cover no point, or inside axes that others have made."""
        lines = import_module("matplotlib.lines")
        handles = []
        for index, name in enumerate(self.classes):
            mark = MARKERS[index % len(MARKERS)] if self.points is not None else "s"
            look = {"marker": mark, "linestyle": "none", "color": _colour(index), "markersize": 7, "label": plain(name)}
            handles.append(lines.Line2D([], [], **look))
        wrong = self.wrong & self._drawn() if self.wrong is not None else np.zeros(0, np.bool_)
        if wrong.any():
            look = {"marker": "o", "linestyle": "none", "markerfacecolor": "white", "markeredgecolor": "black"}
            look |= {"markersize": 8, "markeredgewidth": 1.6}
            handles.append(lines.Line2D([], [], label=f"decided wrongly ({np.count_nonzero(wrong):,})", **look))
        if self.certainty is not None and np.ptp(self.certainty) > _SAME:
            low, high = float(self.certainty.min()), float(self.certainty.max())
            look = {"facecolor": "#e4e4e4", "edgecolor": "#b0b0b0", "linewidth": 0.5}
            text = f"paler: less probable\n({low:.2f} to {high:.2f})"
            handles.append(import_module("matplotlib.patches").Patch(label=text, **look))
        title = {"title": plain(self._rows_text()), "title_fontsize": 9, "alignment": "left"} if self.rows else {}
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if beside else {"loc": "best"}
        ax.legend(handles=handles, framealpha=0.85, edgecolor="none", fontsize=9, **place, **title)


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _title_length(ax: Any) -> int:
    """Return how many characters of the title are about as wide as the axes."""
    inches = ax.get_window_extent().width / ax.get_figure(root=True).dpi
    return max(30, int(inches * 72 / (0.52 * _TITLE)))


def _probabilities(ruleset: RuleSet, deciders: Ints, labels: Ints | None, wrong: NDArray[np.bool_] | None) -> Floats:
    """Return how often each rule, and last the default, is right where it decides, beside one row of all classes."""
    assert labels is not None
    assert wrong is not None
    n_rules = len(ruleset.rules) + 1
    actions = [ruleset.schema.actions.index(each.action) for each in ruleset.rules]
    actions.append(ruleset.schema.actions.index(ruleset.default))
    overall = np.bincount(labels, minlength=int(max(actions)) + 1)[actions] / len(labels)
    n_right = np.bincount(deciders[~wrong], minlength=n_rules)
    return np.asarray((n_right + overall) / (np.bincount(deciders, minlength=n_rules) + 1.0), np.float64)


def _chosen(ruleset: RuleSet | None, schema: Schema, X: Any, at: Mapping[str, Value] | None) -> tuple[str, str]:
    """Return the two features whose plane shows most of what the rules do, or the only two there are."""
    names = schema.names
    if ruleset is not None:
        conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
        read = Counter(term.feature for condition in conditions for term in condition.terms)
        most = sorted(read, key=lambda name: (-read[name], schema.position(name)))[:_MOST_READ]
        if len(most) > 1:
            pairs = [tuple(sorted(pair, key=schema.position)) for pair in itertools.combinations(most, 2)]
            agreement = _agreement(ruleset, schema, pairs, X, at) if X is not None else [0.0] * len(pairs)
            first, second = pairs[int(np.argmax(agreement))]
            return first, second
    if len(names) < 2:
        raise ValueError("a plane needs two features, and there is one only")
    if len(names) > 2:
        raise ValueError(f"which two of the {len(names)} features? Pass features=(across, upwards)")
    return names[0], names[1]


def _agreement(
    ruleset: RuleSet, schema: Schema, pairs: Sequence[tuple[str, ...]], X: Any, at: Mapping[str, Value] | None
) -> list[float]:
    """Return for each pair of features the share of rows decided alike if all others are held."""
    names = ruleset.schema.names
    columns = encode(X, schema)[[schema.position(name) for name in names]]
    middles = [held_value(schema.feature(name), values, at or {}) for name, values in zip(names, columns, strict=True)]
    decided = decide_columns(ruleset, columns).actions
    shares = []
    for pair in pairs:
        held = np.array(
            [
                values if name in pair else np.full_like(values, middle)
                for name, values, middle in zip(names, columns, middles, strict=True)
            ]
        )
        shares.append(float((decide_columns(ruleset, held).actions == decided).mean()))
    return shares
