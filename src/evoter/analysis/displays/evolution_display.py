"""EvolutionDisplay: a picture of evolution, generation by generation, as means over runs with 95 % bands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.style import COLOURS, LINES, as_runs, mark_truncation, plain, pyplot, tidy, whole_ticks
from evoter.analysis.formatting import counted
from evoter.analysis.intervals import LEVEL, mean_interval
from evoter.evolution.history import COLUMNS
from evoter.rules.errors import did_you_mean

Floats = NDArray[np.float64]
Run = Mapping[str, NDArray[Any]]

_COUNTS = ("generation", "evaluations", "n_conditions", "n_rules", "front_size")
_NAMES = {
    "best": "best {score} in training",
    "mean": "mean {score} of the population in training",
    "n_conditions": "conditions of the best",
    "n_rules": "rules of the best",
    "evaluations": "evaluations",
    "seconds": "time (s)",
    "generation": "generation",
    "hypervolume": "hypervolume",
    "front_size": "candidates on the front",
}


class Curve(NamedTuple):
    """A mean over runs, and the ends of its 95 % interval, at each position on the horizontal axis."""

    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    n_runs: int


@dataclass(slots=True, repr=False)
class EvolutionDisplay:
    """How score and size change while rule sets evolve, in the style of scikit-learn's displays.

    A line is the mean over runs and its band the 95 % interval of that mean, by Student's t distribution. A run that
    ended earlier than others counts on with what it ended with. Scores are those that the search gave to the training
    rows, cases or episodes. Make it with `from_estimator`, `from_estimators` or
    `from_histories`; after `plot`, `figure_` is matplotlib's, and so are `axes_` by the names of the columns, `ax_` the
    first of them.

    Parameters
    ----------
    runs : mapping
        Histories of one or more runs, by the name under which they are drawn; one name may be empty.
    columns : sequence of str
        What is drawn, one plot above the other: columns of a history.
    x : {"generation", "evaluations", "seconds"}
        The horizontal axis.
    score : str
        The name of the score.
    """

    runs: Mapping[str, Sequence[Run]]
    columns: Sequence[str] = ("best", "n_conditions")
    x: str = "generation"
    score: str = "score"
    axes_: dict[str, Any] = field(default_factory=dict)
    ax_: Any = None
    figure_: Any = None

    def __post_init__(self) -> None:
        if not self.runs or not all(self.runs.values()):
            raise ValueError("there is no history to draw: pass at least one run under each name")
        for name in self.columns:
            if name not in COLUMNS:
                raise ValueError(
                    f"a history has no column {name!r}{did_you_mean(name, COLUMNS) or f'; known: {COLUMNS}'}"
                )
        if self.x not in ("generation", "evaluations", "seconds"):
            raise ValueError(f"x must be 'generation', 'evaluations' or 'seconds', not {self.x!r}")

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Draw the run of one fitted estimator; the options are those of `from_histories`."""
        return cls.from_estimators(estimator, **options)

    @classmethod
    def from_estimators(cls, estimators: Any | Sequence[Any] | Mapping[str, Any], **options: Any) -> Self:
        """Draw the runs of one or more fitted estimators, such as those of ten seeds.

        Parameters
        ----------
        estimators : estimator, sequence of them, or mapping from names to either
            Estimators of the same task; with names, each gets a line of its own.
        **options : dict
            Those of `from_histories`. The score is called by the measure of the estimators unless `score` says
            otherwise.
        """
        named = estimators if isinstance(estimators, Mapping) else {"": estimators}
        groups = {name: as_runs(group) for name, group in named.items()}
        every = [estimator for group in groups.values() for estimator in group]
        for estimator in every:
            if not hasattr(estimator, "history_"):
                raise ValueError(f"{type(estimator).__name__} has no history: fit it first")
        if every:
            options.setdefault("score", _score_name(every[0]))
        return cls.from_histories(
            {name: [estimator.history_ for estimator in group] for name, group in groups.items()}, **options
        )

    @classmethod
    def from_histories(
        cls,
        histories: Run | Sequence[Run] | Mapping[str, Sequence[Run]],
        *,
        columns: Sequence[str] = ("best", "n_conditions"),
        x: str = "generation",
        score: str = "score",
        ax: Any = None,
        **line_kw: Any,
    ) -> Self:
        """Draw the histories of runs.

        Parameters
        ----------
        histories : History, sequence of them, or mapping from names to sequences
            One run, several runs of the same kind, or several kinds of runs by name.
        columns : sequence of str, default=("best", "n_conditions")
            Columns of a history, each in a plot of its own: "best", "mean", "n_conditions", "n_rules", "evaluations",
            "seconds", and with several objectives "hypervolume" and "front_size".
        x : {"generation", "evaluations", "seconds"}, default="generation"
            The horizontal axis.
        score : str, default="score"
            The name of the score.
        ax : matplotlib Axes, sequence of Axes, or None, default=None
            Where to draw: axes for each column; or one, which is replaced by several; None for a new figure.
        **line_kw : dict
            Passed on to matplotlib's `plot` for all lines.
        """
        if isinstance(histories, Mapping):
            is_run = set(histories) <= set(COLUMNS)
            runs: Mapping[str, Sequence[Run]] = {"": [histories]} if is_run else histories  # type: ignore[list-item, assignment]
        else:
            runs = {"": histories}
        return cls(runs, columns=tuple(columns), x=x, score=score).plot(ax=ax, **line_kw)

    def curve(self, column: str, name: str = "") -> Curve:
        """Return what is drawn of a column for the runs of one name."""
        runs = self.runs[name]
        positions = [np.asarray(run[self.x], np.float64) for run in runs]
        # Before a run has a record there is nothing to take the mean of; after its last one it stays what it is.
        begin = max(each[0] for each in positions)
        x = np.unique(np.concatenate(positions))
        x = x[x >= begin]
        values = [
            np.asarray(run[column], np.float64)[np.searchsorted(own, x, side="right") - 1]
            for run, own in zip(runs, positions, strict=True)
        ]
        mean, half = mean_interval(values)
        return Curve(x, mean, mean - half, mean + half, len(runs))

    def plot(self, ax: Any = None, **line_kw: Any) -> Self:
        """Draw into matplotlib axes, new ones by default; keywords are passed on to its `plot` for all lines."""
        axes = self._axes(ax)
        self.axes_ = dict(zip(self.columns, axes, strict=True))
        self.ax_, self.figure_ = axes[0], axes[0].figure
        for column, each in self.axes_.items():
            self._draw(each, column, line_kw)
        for each in axes[:-1]:
            each.tick_params(labelbottom=False)
        axes[-1].set_xlabel(_NAMES[self.x])
        if self.x in _COUNTS:
            whole_ticks(axes[-1].xaxis)
        several = any(len(runs) > 1 for runs in self.runs.values())
        if several or any(self.runs):
            title = f"mean and its {LEVEL:.0%} interval" if several else None
            axes[0].legend(title=title, framealpha=0.8, edgecolor="none", loc="best")
        return self

    def _draw(self, ax: Any, column: str, line_kw: Mapping[str, Any]) -> None:
        for number, (name, runs) in enumerate(self.runs.items()):
            curve = self.curve(column, name)
            if np.isnan(curve.mean).all():
                raise ValueError(f"the histories have no {_NAMES[column]}: fit with several objectives to record it")
            look = {"color": COLOURS[number % len(COLOURS)], "linestyle": LINES[number % len(LINES)], "linewidth": 1.6}
            n_runs = counted(len(runs), "run")
            label = plain(f"{name} ({n_runs})" if name else n_runs)
            # A generation's record holds until the next one.
            (line,) = ax.plot(curve.x, curve.mean, **{"label": label, "drawstyle": "steps-post", **look, **line_kw})
            if curve.n_runs > 1:
                colour = line.get_color()
                low = np.maximum(curve.low, 0.0) if column in _COUNTS else curve.low
                ax.fill_between(curve.x, low, curve.high, step="post", color=colour, alpha=0.18, linewidth=0, zorder=1)
        ax.set_ylabel(plain(_NAMES[column].format(score=self.score)))
        if column in _COUNTS:
            whole_ticks(ax.yaxis)
        ax.margins(x=0.02)
        tidy(ax)
        mark_truncation(ax)

    def _axes(self, ax: Any) -> list[Any]:
        """Return axes for each column: given ones, new ones, or some that replace a given one."""
        n = len(self.columns)
        if ax is None:
            _, axes = pyplot("EvolutionDisplay").subplots(
                n, 1, sharex=True, squeeze=False, figsize=(6.4, 1.4 + 2.2 * n), layout="constrained"
            )
            return list(axes[:, 0])
        if not hasattr(ax, "plot"):
            axes = list(np.ravel(ax))
            if len(axes) != n:
                raise ValueError(f"{n} columns need {n} axes, got {len(axes)}")
            return axes
        if n == 1:
            return [ax]
        if ax.get_subplotspec() is None:
            raise ValueError(f"axes that are not a subplot cannot be divided: pass {n} axes, one for each column")
        ax.set_axis_off()
        grid = ax.get_subplotspec().subgridspec(n, 1, hspace=0.12)
        axes = [ax.figure.add_subplot(grid[0, 0])]
        axes += [ax.figure.add_subplot(grid[k, 0], sharex=axes[0]) for k in range(1, n)]
        return axes


def _score_name(estimator: Any) -> str:
    metric = getattr(estimator, "metric", None)
    return metric.replace("_", " ") if isinstance(metric, str) else "score"
