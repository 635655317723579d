"""Rules, a tree and a forest that read the same windows of a series, and how they are tried."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterTimeSeriesClassifier, RuleSet, WindowStatistics
from evoter.experiments.hypotension.alarm_scores import Labels, Scores, score
from evoter.tables.panel import Panel

PAPER = ("mean", "std", "skew", "kurtosis")
"""The statistics that the paper takes of the arterial pressure."""


@dataclass(frozen=True, slots=True)
class Windowing:
    """The last `n_windows` windows of `window` steps, of which models read the statistics."""

    window: int
    n_windows: int
    step: int | None = None
    statistics: tuple[str, ...] = PAPER

    def transformer(self) -> WindowStatistics:
        """Return what turns series into series of statistics."""
        return WindowStatistics(window=self.window, statistics=self.statistics, step=self.step)

    def table(self, panel: Panel) -> NDArray[np.float64]:
        """Return a row for each instance with all statistics of all windows; NaN where there is none.

        >>> panel = Panel(("MAP",), np.array([[70.0, 60.0, 50.0]]), [0], [3])
        >>> Windowing(1, 2, statistics=("mean", "max")).table(panel).tolist()
        [[60.0, 50.0, 60.0, 50.0]]
        """
        windows = self.transformer().fit_transform(panel).recent(self.n_windows)
        table = np.full((len(windows), len(windows.names), self.n_windows), np.nan)
        for row, n_windows in enumerate(windows.lengths.tolist()):
            table[row, :, self.n_windows - n_windows :] = windows[row]
        return table.reshape(len(windows), -1)


class Model(Protocol):
    """A classifier of series that can be counted."""

    def fit(self, panel: Panel, y: Labels) -> Self:
        """Learn from training instances."""

    def predict(self, panel: Panel) -> Labels:
        """Return the class of each instance."""

    @property
    def n_conditions(self) -> int:
        """The number of conditions, or of decision nodes."""

    @property
    def ruleset(self) -> RuleSet | None:
        """What a person would read, where there is something of the kind."""


class Rules:
    """EvoterTimeSeriesClassifier over windows."""

    def __init__(self, windowing: Windowing, seed: int, **parameters: Any) -> None:
        self.classifier = EvoterTimeSeriesClassifier(
            windows=windowing.transformer(), max_lag=windowing.n_windows - 1, random_state=seed, **parameters
        )

    def fit(self, panel: Panel, y: Labels) -> Self:
        """Evolve rules; an interrupted search raises KeyboardInterrupt, since it is not a result."""
        self.classifier.fit(panel, y)
        if self.classifier.stop_reason_ == "interrupted":
            raise KeyboardInterrupt
        return self

    def predict(self, panel: Panel) -> Labels:
        """Return the class of each instance."""
        return np.asarray(self.classifier.predict(panel), dtype=str)

    @property
    def n_conditions(self) -> int:
        """The number of conditions."""
        return self.ruleset.n_conditions

    @property
    def ruleset(self) -> RuleSet:
        """The rules."""
        return self.classifier.ruleset_


class Trees:
    """A tree, or a forest, over all statistics of all windows as columns of a table."""

    ruleset: RuleSet | None = None

    def __init__(self, windowing: Windowing, estimator: Any) -> None:
        self.windowing = windowing
        self.estimator = estimator

    def fit(self, panel: Panel, y: Labels) -> Self:
        """Grow the trees."""
        self.estimator.fit(self.windowing.table(panel), y)
        return self

    def predict(self, panel: Panel) -> Labels:
        """Return the class of each instance."""
        return np.asarray(self.estimator.predict(self.windowing.table(panel)), dtype=str)

    @property
    def n_conditions(self) -> int:
        """The number of decision nodes of all trees."""
        trees = getattr(self.estimator, "estimators_", [self.estimator])
        return sum(int(tree.tree_.node_count - tree.tree_.n_leaves) for tree in trees)


def tree(windowing: Windowing, seed: int, risks: Mapping[str, float] | None = None, **parameters: Any) -> Trees:
    """Return a decision tree as scikit-learn grows it."""
    return Trees(windowing, DecisionTreeClassifier(random_state=seed, class_weight=risks, **parameters))


def forest(windowing: Windowing, seed: int, risks: Mapping[str, float] | None = None, **parameters: Any) -> Trees:
    """Return a forest of a hundred trees."""
    return Trees(windowing, RandomForestClassifier(100, random_state=seed, class_weight=risks, **parameters))


class Trial(NamedTuple):
    """One model, fitted once, on one test set; `rules` is what a person reads, lags as times."""

    scores: Scores
    n_conditions: int
    seconds: float
    rules: str = ""


def try_out(
    model: Model,
    train: tuple[Panel, Labels],
    tests: Mapping[str, tuple[Panel, Labels]],
    alarm: str,
    time_step: tuple[float, str],
    risks: Mapping[str, float] | None = None,
) -> dict[str, Trial]:
    """Fit a model and score it on each test set, by name; the seconds are those of the fit."""
    begin = time.perf_counter()
    model.fit(*train)
    seconds = time.perf_counter() - begin
    rules = model.ruleset.to_text(declarations=False, time_step=time_step) if model.ruleset is not None else ""
    return {
        name: Trial(score(truth, model.predict(panel), alarm, risks), model.n_conditions, seconds, rules)
        for name, (panel, truth) in tests.items()
    }
