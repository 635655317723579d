"""The picture: test accuracy against complexity, one small plot for each data set, EVOTER standing out."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from comparison.catalogue import MODELS
from comparison.labels import Box, place_labels
from comparison.summary import REFERENCE, Row
from comparison.task import TITLES

OURS, TRANSPARENT, BLACK_BOX = "#c0392b", "#34618f", "#7f7f7f"
N_COLUMNS = 2
LEAST = 0.5
"""Where a model without any condition stands on the logarithmic axis."""


def draw(rows: Sequence[Row], protocol: str, path: Path) -> None:
    """Draw the rows of one protocol as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = [row for row in rows if row.protocol == protocol and row.n_splits]
    data = list(dict.fromkeys(row.data for row in shown))
    if not data:
        return
    n_columns = min(N_COLUMNS, len(data))
    n_lines = math.ceil(len(data) / n_columns)
    figure = Figure(figsize=(7.0 * n_columns, 4.6 * n_lines + 0.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    plots = figure.subplots(n_lines, n_columns, squeeze=False).flat
    figure.suptitle(f"Protocol {protocol}: more accurate is higher, simpler is further left")
    figure.supxlabel("conditions, decision nodes or parameters (logarithmic)")
    figure.supylabel("mean test accuracy")
    for place, name in zip(plots, data, strict=False):
        _draw_points(place, [row for row in shown if row.data == name], TITLES[name])
    for place in plots[len(data) :]:
        place.set_visible(False)
    figure.draw_without_rendering()  # names are placed in pixels, so the layout must be settled first
    figure.set_layout_engine("none")
    for place, name in zip(plots, data, strict=False):
        _draw_names(place, [row for row in shown if row.data == name])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def _spot(row: Row) -> tuple[float, float]:
    return max(row.complexity, LEAST), row.test_accuracy


def _draw_points(place: Any, rows: Sequence[Row], title: str) -> None:
    place.set_title(title, fontsize=12, fontweight="bold", loc="left")
    place.set_xscale("log")
    place.grid(visible=True, color="#e8e8e8", linewidth=0.8)
    place.set_axisbelow(True)
    place.spines[["top", "right"]].set_visible(False)
    place.margins(x=0.18, y=0.18)
    for row in rows:
        transparent = MODELS[row.model].transparent
        look = {"marker": "o", "color": TRANSPARENT, "markersize": 7, "zorder": 3, "alpha": 0.85}
        if row.model == REFERENCE:
            look |= {"marker": "*", "color": OURS, "markersize": 18, "zorder": 4, "alpha": 1.0}
        elif not transparent:
            look |= {"marker": "s", "color": BLACK_BOX}
        place.plot(*_spot(row), linestyle="none", **look)


def _draw_names(place: Any, rows: Sequence[Row]) -> None:
    """Write each name where it covers nothing, ours first and then from the left."""
    ordered = sorted(rows, key=lambda row: (row.model != REFERENCE, row.complexity))
    texts = [_text(place, row) for row in ordered]
    points = [tuple(place.transData.transform(_spot(row))) for row in ordered]
    sizes = [(extent.width, extent.height) for extent in (text.get_window_extent() for text in texts)]
    frame = place.get_window_extent()
    inside = Box(frame.x0, frame.y0, frame.x1, frame.y1)
    to_pixels = {"textcoords": "figure pixels"}
    for row, text, (box, led) in zip(ordered, texts, place_labels(points, sizes, inside), strict=True):
        text.remove()
        line = {"arrowstyle": "-", "color": "#b0b0b0", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3}
        look = {"fontsize": text.get_fontsize(), "fontweight": text.get_fontweight(), "color": text.get_color()}
        middle = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
        place.annotate(
            text.get_text(),
            _spot(row),
            xytext=middle,
            ha="center",
            va="center",
            zorder=5,
            arrowprops=line if led else None,
            **to_pixels,
            **look,
        )


def _text(place: Any, row: Row) -> Any:
    ours = row.model == REFERENCE
    return place.text(
        *_spot(row),
        MODELS[row.model].title,
        fontsize=11 if ours else 8.5,
        fontweight="bold" if ours else "normal",
        color=OURS if ours else "#222222",
    )
