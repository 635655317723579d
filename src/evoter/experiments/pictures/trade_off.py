"""Test accuracy against complexity: one small plot for each data set, EVOTER standing out."""

import math
from collections.abc import Mapping
from pathlib import Path

from evoter.analysis.displays.complexity_display import ComplexityDisplay
from evoter.experiments.pictures.canvas import new_figure

N_COLUMNS = 2
MOST_TICKS = 7
"""Of more powers of ten than that, every second one has a number."""


def draw(plots: Mapping[str, ComplexityDisplay], title: str, path: Path) -> bool:
    """Draw displays that have not been plotted yet, each under its name, as one PNG; False where there is none."""
    if not plots:
        return False
    n_columns = min(N_COLUMNS, len(plots))
    n_lines = math.ceil(len(plots) / n_columns)
    figure = new_figure(7.0 * n_columns, 4.6 * n_lines + 0.6)
    axes = figure.subplots(n_lines, n_columns, squeeze=False).flat
    figure.suptitle(title)
    figure.supxlabel("conditions, decision nodes or parameters (logarithmic)")
    figure.supylabel("mean test accuracy")
    for place, name in zip(axes, plots, strict=False):
        place.set_title(name, fontsize=12, fontweight="bold", loc="left")
    for place in axes[len(plots) :]:
        place.set_visible(False)
    for place, display in zip(axes, plots.values(), strict=False):
        display.plot(ax=place)
        place.set(xlabel="", ylabel="")
        ticks = place.get_xticks()
        if len(ticks) > MOST_TICKS:
            place.set_xticks(ticks[::2])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return True
