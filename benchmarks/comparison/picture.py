"""The picture of the comparison: test accuracy against complexity, one small plot for each data set."""

from collections.abc import Sequence
from pathlib import Path

from comparison.catalogue import MODELS
from comparison.summary import Row
from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.experiments.classification.task import TITLES
from evoter.experiments.pictures import draw_trade_off
from evoter.experiments.results import REFERENCE


def draw(rows: Sequence[Row], protocol: str, path: Path) -> None:
    """Draw the rows of one protocol as a PNG."""
    shown = [row for row in rows if row.protocol == protocol and row.n_splits]
    plots = {}
    for name in dict.fromkeys(row.data for row in shown):
        own = {MODELS[row.model].title: row for row in shown if row.data == name}
        plots[TITLES[name]] = ComplexityDisplay(
            {title: Spot(row.complexity, row.test_accuracy) for title, row in own.items()},
            highlight={title for title, row in own.items() if row.model == REFERENCE},
            muted={title for title, row in own.items() if not MODELS[row.model].transparent},
            log=True,
        )
    draw_trade_off(plots, f"Protocol {protocol}: more accurate is higher, simpler is further left", path)
