"""What the pictures share: matplotlib where it is installed, looks that everybody can tell apart, and plain names."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.rules.schema import Feature

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""The colours of Okabe and Ito, without the yellow that vanishes on paper: told apart by the colour-blind too."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
"""What tells things apart in black and white."""

QUIET = "#8a8a8a"

FAR = 4.0
"""How many times the range of all other points a single one may stretch an axis to."""


def pyplot(who: str) -> Any:
    """Return matplotlib's pyplot, or say what to install."""
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError(f"{who} needs matplotlib: pip install 'evoter[plots]'") from error


def plain(name: str) -> str:
    r"""Keep matplotlib from reading mathematics into a name.

    >>> print(plain("cost in $"))
    cost in \$
    """
    return name.replace("$", r"\$")


def axis_label(feature: Feature) -> str:
    """Return the name of a feature, with its unit.

    >>> axis_label(Feature("pressure", unit="mmHg"))
    'pressure (mmHg)'
    """
    return plain(f"{feature.name} ({feature.unit})" if feature.unit else feature.name)


def mixed(colour: str, share: float) -> tuple[float, float, float]:
    """Return a colour mixed with white, of which `share` is the colour.

    >>> mixed("#ff0000", 0.2)
    (1.0, 0.8, 0.8)
    """
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (round(1.0 - share * (1.0 - part), 6) for part in parts)
    return red, green, blue


def as_runs(models: Any) -> list[Any]:
    """Return the runs of one model, which may be a single one."""
    return [*models] if isinstance(models, Sequence) else [models]


def tidy(ax: Any) -> None:
    """Give axes a light grid and no frame above and on the right."""
    ax.grid(visible=True, linewidth=0.4, alpha=0.5)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def whole_ticks(axis: Any) -> None:
    """Number an axis of counts by whole numbers, unless it has ticks of its own."""
    locator = axis.get_major_locator()
    if isinstance(locator, import_module("matplotlib.ticker").MaxNLocator):
        locator.set_params(integer=True)


def mark_truncation(ax: Any) -> None:
    """Break the foot of the upright axis by two slanted strokes whenever the axis begins above 0.

    Differences look larger there than they are, and readers should know.
    """
    paths, patches = import_module("matplotlib.path"), import_module("matplotlib.patches")
    look = {"transform": ax.transAxes, "clip_on": False, "facecolor": "none", "gid": "truncated axis"}
    marks = []
    for corners, colour, width in (
        ([(0.0, 0.035), (0.0, 0.06)], "white", 3.0),
        ([(-0.009, 0.027), (0.009, 0.043)], "#333333", 1.0),
        ([(-0.009, 0.052), (0.009, 0.068)], "#333333", 1.0),
    ):
        mark = patches.PathPatch(paths.Path(corners), edgecolor=colour, linewidth=width, zorder=10, **look)
        mark.set_in_layout(False)
        marks.append(ax.add_artist(mark))

    def update(axes: Any) -> None:
        for mark in marks:
            mark.set_visible(axes.get_yscale() == "linear" and min(axes.get_ylim()) > 0.0)

    update(ax)
    ax.callbacks.connect("ylim_changed", update)


def cut_far(
    ax: Any,
    points: NDArray[np.float64],
    colour: str,
    *,
    maximise: bool,
    kept: int | None = None,
    bars: NDArray[np.float64] | None = None,
) -> None:
    """Cut the upright axis before a single point that is so much worse than all others that it would squeeze them.

    The point becomes a triangle at the edge with its value. The point number `kept` is always shown where it is, and so
    are the `bars` [point, (low, high)] of all other points.
    """
    values = points[:, 1]
    worse = -1.0 if maximise else 1.0
    far = int(np.argmax(worse * values)) if np.isfinite(values).all() and len(values) > 2 else -1
    if far < 0 or far == kept:
        return
    rest = np.delete(values, far)
    if np.ptp(rest) == 0.0 or np.ptp(values) < FAR * np.ptp(rest):
        return
    if bars is not None:
        rest = np.delete(bars, far, axis=0)
    span = np.ptp(rest)
    margin = 0.15 * span
    ax.set_ylim(rest.min() - margin, rest.max() + margin)
    edge = rest.min() - margin if worse < 0.0 else rest.max() + margin
    look = {"color": colour, "markersize": 7, "clip_on": False, "zorder": 5}
    ax.plot(points[far, 0], edge, "v" if worse < 0.0 else "^", **look)
    place: dict[str, Any] = {
        "xytext": (8, 4 if worse < 0.0 else -12),
        "textcoords": "offset points",
        "color": colour,
        "zorder": 6,
    }
    place["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
    ax.annotate(f"{values[far]:.4g}", (points[far, 0], edge), annotation_clip=False, **place)
