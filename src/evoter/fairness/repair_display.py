"""RepairDisplay: accuracy against the difference between groups, for all ways of repair and for the front."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.style import COLOURS, MARKERS, QUIET, mark_truncation, plain, pyplot, tidy
from evoter.fairness.repair import Outcome, RepairOption, Repairs

Floats = NDArray[np.float64]


@dataclass(slots=True, repr=False)
class RepairDisplay:
    """What repairs cost, in the style of scikit-learn's displays: accuracy against the largest difference of a rate.

    Points have the 95 % intervals of both; candidates of the front are grey. Make it with `from_repairs`; after
    `plot`, `ax_` and `figure_` are matplotlib's.

    Parameters
    ----------
    repairs : Repairs
        What `evoter.repair` returned.
    rows : {"unseen", "training"}
        The rows behind the figures.
    """

    repairs: Repairs
    rows: str = "unseen"
    ax_: Any = None
    figure_: Any = None

    @classmethod
    def from_repairs(cls, repairs: Repairs, *, rows: str = "unseen", ax: Any = None) -> Self:
        """Draw repairs.

        Parameters
        ----------
        repairs : Repairs
            What `evoter.repair` returned.
        rows : {"unseen", "training"}, default="unseen"
            The rows behind the figures.
        ax : matplotlib Axes or None, default=None
            Where to draw; None for new axes.
        """
        if rows not in ("unseen", "training"):
            raise ValueError(f'rows must be "unseen" or "training", not {rows!r}')
        return cls(repairs, rows).plot(ax=ax)

    def points(self, options: tuple[RepairOption, ...]) -> Floats:
        """Return the difference and the accuracy of some options, as they are drawn."""
        outcomes = [self._outcome(each) for each in options]
        return np.array([[each.difference, each.accuracy.value] for each in outcomes]).reshape(-1, 2)

    def plot(self, ax: Any = None) -> Self:
        """Draw into matplotlib axes, new ones by default."""
        if ax is None:
            _, ax = pyplot("RepairDisplay").subplots(layout="constrained")
        if self.repairs.front:
            look = {"color": QUIET, "markersize": 3, "zorder": 1}
            ax.plot(*self.points(self.repairs.front).T, "o", label="candidates of the front", **look)
        for number, (option, point) in enumerate(
            zip(self.repairs.options, self.points(self.repairs.options), strict=True)
        ):
            outcome = self._outcome(option)
            (low, high), accuracy = outcome.interval, outcome.accuracy
            bars = {
                "xerr": [[max(0.0, point[0] - max(low, 0.0))], [max(0.0, high - point[0])]],
                "yerr": [[max(0.0, point[1] - accuracy.low)], [max(0.0, accuracy.high - point[1])]],
            }
            look = {"color": COLOURS[number % len(COLOURS)], "fmt": MARKERS[number % len(MARKERS)], "alpha": 0.9}
            ax.errorbar([point[0]], [point[1]], **bars, **look, capsize=2, linewidth=0.8, label=plain(option.way))
        ax.axvline(self.repairs.at_most, color=QUIET, linestyle="--", linewidth=0.8, label="difference wanted")
        rate = self.repairs.rate.replace("_", " ")
        ax.set(
            xlabel=plain(f"difference in {rate}, {self.repairs.favourable} ({self.rows} rows; less is better)"),
            ylabel=f"accuracy ({self.rows} rows; more is better)",
        )
        tidy(ax)
        mark_truncation(ax)
        ax.legend(framealpha=0.8, edgecolor="none", fontsize="small")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _outcome(self, option: RepairOption) -> Outcome:
        return option.test if self.rows == "unseen" else option.train
