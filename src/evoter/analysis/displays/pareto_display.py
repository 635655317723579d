"""ParetoDisplay: a picture of a Pareto front, the chosen candidate marked."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.style import QUIET, cut_far, mark_truncation, plain, pyplot, tidy, whole_ticks
from evoter.evolution.fronts.front import SIZES, Front
from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.problem import Objective

Floats = NDArray[np.float64]

_FRONT = "#0a6ba0"
_CHOSEN = "#c0392b"


@dataclass(slots=True, repr=False)
class ParetoDisplay:
    """Two objectives of a front against each other, in the style of scikit-learn's displays.

    Scores are those that evolution gave the candidates on the training rows, cases or episodes, and unseen ones would
    give others: `ComplexityDisplay.from_estimators` shows a front on any rows.

    Make it with `from_front` or `from_estimator`; after `plot`, `ax_`, `figure_` and `line_` are matplotlib's.

    Parameters
    ----------
    front : Front
        The candidates. The one marked as chosen in the front is marked in the picture.
    x, y : str
        Names of objectives, or of the sizes "conditions", "rules" and "features".
    """

    front: Front
    x: str
    y: str
    ax_: Any = None
    figure_: Any = None
    line_: Any = None

    @classmethod
    def from_front(
        cls, front: Front, *, x: str | None = None, y: str | None = None, ax: Any = None, **line_kw: Any
    ) -> Self:
        """Draw a front.

        Parameters
        ----------
        front : Front
            The front.
        x, y : str or None, default=None
            What the axes show; None for the second objective (the number of conditions where there is one objective
            only) and for the first one.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        **line_kw : dict
            Passed on to matplotlib's `plot` for the front.
        """
        names = [objective.name for objective in front.objectives]
        first = names[0] if y is None else y
        others = [name for name in [*names[1:], *names[:1], "conditions"] if name != first]
        display = cls(front, x=others[0] if x is None else x, y=first)
        return display.plot(ax=ax, **line_kw)

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, x: str | None = None, y: str | None = None, ax: Any = None, **line_kw: Any
    ) -> Self:
        """Draw the front of a fitted estimator; the parameters are those of `from_front`."""
        if not hasattr(estimator, "front_"):
            raise ValueError(
                f"{type(estimator).__name__} has no front: fit it with several objectives first, such as "
                'objectives=["accuracy", "complexity"]'
            )
        return cls.from_front(estimator.front_, x=x, y=y, ax=ax, **line_kw)

    def points(self) -> Floats:
        """Return the coordinates [candidate, x and y] that are drawn."""
        values = [[candidate.value(self.x), candidate.value(self.y)] for candidate in self.front]
        return np.array(values, np.float64).reshape(len(self.front), 2)

    def outline(self) -> Floats:
        """Return the points that no other one beats in both coordinates, from left to right."""
        points = self.points()
        finite = np.isfinite(points).all(axis=1)
        points = points[finite]
        standing = stand(as_costs(points, [self._axis(self.x), self._axis(self.y)]))
        best: Floats = points[(standing.ranks == 0) & (standing.copies == 0)]
        return best[np.argsort(best[:, 0], kind="stable")]

    def plot(self, ax: Any = None, **line_kw: Any) -> Self:
        """Draw into matplotlib axes, new ones by default; keywords are passed on to its `plot` for the front.

        The line goes in steps: between two candidates, what can be had is what the worse one gives. Candidates that
        are on the front only because of a third objective are grey. One that is so much worse than all others that it
        would squeeze them into a corner, such as deciding without any rule, is a triangle at the edge with its value.
        """
        if ax is None:
            _, ax = pyplot("ParetoDisplay").subplots(layout="constrained")
        points, outline = self.points(), self.outline()
        if len(outline) < len(np.unique(points, axis=0)):
            ax.plot(*points.T, "o", color=QUIET, markersize=4, label="better in other objectives", zorder=2)
        steps = "steps-post" if not self._axis(self.x).maximise else "steps-pre"
        look = {
            "color": _FRONT,
            "marker": "o",
            "markersize": 5,
            "linewidth": 1.2,
            "label": "front, scored in training",
            "zorder": 3,
        }
        (self.line_,) = ax.plot(*outline.T, **{"drawstyle": steps, **look, **line_kw})
        if self.front.chosen is not None:
            self._mark_chosen(ax, points[self.front.chosen])
        for axis, name in ((ax.xaxis, self.x), (ax.yaxis, self.y)):
            axis.set_label_text(f"{plain(name)} ({'more' if self._axis(name).maximise else 'less'} is better)")
        for axis, values in zip((ax.xaxis, ax.yaxis), points.T, strict=True):
            if (values == np.round(values)).all():
                whole_ticks(axis)
        cut_far(ax, points, _FRONT, maximise=self._axis(self.y).maximise, kept=self.front.chosen)
        tidy(ax)
        mark_truncation(ax)
        ax.legend(framealpha=0.8, edgecolor="none", loc="best")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _axis(self, name: str) -> Objective:
        named = {objective.name: objective for objective in self.front.objectives}
        if name in named or name not in SIZES:
            return self.front.objective(name)
        return Objective(name, maximise=False)

    def _mark_chosen(self, ax: Any, point: Floats) -> None:
        text = f"chosen: {plain(self.y)} {point[1]:.4g}, {plain(self.x)} {point[0]:.4g}"
        # A ring, which is seen in black and white too.
        ring = {"markersize": 12, "markerfacecolor": "none", "markeredgecolor": _CHOSEN, "markeredgewidth": 1.8}
        ax.plot(*point[:, None], "o", linestyle="none", label=text, zorder=4, **ring)
