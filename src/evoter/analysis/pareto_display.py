"""ParetoDisplay: a picture of a Pareto front, the chosen candidate marked."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.front import SIZES, Front
from evoter.evolution.nsga2 import as_costs, stand
from evoter.evolution.problem import Objective

Floats = NDArray[np.float64]

FAR = 4.0
"""How many times the range of all other candidates a single one may stretch an axis to."""

_FRONT = "#0a6ba0"
_CHOSEN = "#c0392b"
_REST = "#8a8a8a"


@dataclass(slots=True)
class ParetoDisplay:
    """Two objectives of a front against each other, in the style of scikit-learn's displays.

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
            _, ax = _pyplot().subplots(layout="constrained")
        points, outline = self.points(), self.outline()
        if len(outline) < len(np.unique(points, axis=0)):
            ax.plot(*points.T, "o", color=_REST, markersize=4, label="better in other objectives", zorder=2)
        steps = "steps-post" if not self._axis(self.x).maximise else "steps-pre"
        look = {"color": _FRONT, "marker": "o", "markersize": 5, "linewidth": 1.2, "label": "front", "zorder": 3}
        (self.line_,) = ax.plot(*outline.T, **{"drawstyle": steps, **look, **line_kw})
        if self.front.chosen is not None:
            self._mark_chosen(ax, points[self.front.chosen])
        for axis, name in ((ax.xaxis, self.x), (ax.yaxis, self.y)):
            axis.set_label_text(f"{_plain(name)} ({'more' if self._axis(name).maximise else 'less'} is better)")
        self._whole_ticks(ax, points)
        self._focus(ax, points)
        ax.grid(visible=True, linewidth=0.4, alpha=0.5)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(framealpha=0.8, edgecolor="none", loc="best")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _axis(self, name: str) -> Objective:
        named = {objective.name: objective for objective in self.front.objectives}
        if name in named or name not in SIZES:
            return self.front.objective(name)
        return Objective(name, maximise=False)

    @staticmethod
    def _whole_ticks(ax: Any, points: Floats) -> None:
        """Number an axis of counts by whole numbers."""
        ticker = import_module("matplotlib.ticker")
        for axis, values in zip((ax.xaxis, ax.yaxis), points.T, strict=True):
            if isinstance(axis.get_major_locator(), ticker.MaxNLocator) and (values == np.round(values)).all():
                axis.get_major_locator().set_params(integer=True)

    def _focus(self, ax: Any, points: Floats) -> None:
        """Cut the upright axis above a single candidate that is far worse than the others."""
        values = points[:, 1]
        worse = -1.0 if self._axis(self.y).maximise else 1.0
        far = int(np.argmax(worse * values)) if np.isfinite(values).all() and len(values) > 2 else -1
        if far < 0 or far == self.front.chosen:
            return
        rest = np.delete(values, far)
        span = np.ptp(rest)
        if span == 0.0 or np.ptp(values) < FAR * span:
            return
        margin = 0.15 * span
        ax.set_ylim(rest.min() - margin, rest.max() + margin)
        edge = rest.min() - margin if worse < 0.0 else rest.max() + margin
        look = {"color": _FRONT, "markersize": 7, "clip_on": False, "zorder": 5}
        ax.plot(points[far, 0], edge, "v" if worse < 0.0 else "^", **look)
        place: dict[str, Any] = {
            "xytext": (8, 4 if worse < 0.0 else -12),
            "textcoords": "offset points",
            "color": _FRONT,
            "zorder": 6,
        }
        place["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
        ax.annotate(f"{values[far]:.4g}", (points[far, 0], edge), annotation_clip=False, **place)

    def _mark_chosen(self, ax: Any, point: Floats) -> None:
        text = f"chosen: {_plain(self.y)} {point[1]:.4g}, {_plain(self.x)} {point[0]:.4g}"
        # A ring, which is seen in black and white too.
        ring = {"markersize": 12, "markerfacecolor": "none", "markeredgecolor": _CHOSEN, "markeredgewidth": 1.8}
        ax.plot(*point[:, None], "o", linestyle="none", label=text, zorder=4, **ring)


def _plain(name: str) -> str:
    """Keep matplotlib from reading mathematics into a name."""
    return name.replace("$", r"\$")


def _pyplot() -> Any:
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("ParetoDisplay needs matplotlib: pip install 'evoter[plots]'") from error
