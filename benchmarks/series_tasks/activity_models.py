"""EVOTER and scikit-learn's classifiers on raw values and on statistics of windows, as entries of a comparison."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from comparison.catalogue import Entry, own_version, package_version
from evoter import WindowStatistics
from evoter.experiments.activity import signal_models as models
from evoter.experiments.activity.signal_models import (
    RAW_PARSIMONY,
    EvoterOnSeries,
    Table,
    decision_tree,
    naive_bayes,
    random_forest,
    raw_values,
    small_tree,
    statistics,
)
from evoter.experiments.activity.signals import N_SAMPLES


@dataclass(frozen=True, slots=True)
class SeriesEntry(Entry):
    """A model on series; its results are those of this source, too."""

    def version(self) -> str:
        """Return what results are results of: a package's version, and the source that learns or that wraps it."""
        if self.package == "evoter":
            model: Any = self.make(0)
            return own_version(model.classifier)
        wrapping = [] if self.package == "scikit-learn" else [Path(__file__).with_name("peers.py")]
        return package_version(self.package, Path(models.__file__), *wrapping)


def _on(table: Table, windows: WindowStatistics | None, parsimony: float | None) -> tuple[SeriesEntry, ...]:
    return (
        SeriesEntry("evoter", "EVOTER", partial(EvoterOnSeries, windows, parsimony=parsimony), "evoter", "evoter"),
        SeriesEntry("bayes", "naive Bayes", partial(naive_bayes, table)),
        SeriesEntry("tree", "decision tree", partial(decision_tree, table)),
        SeriesEntry("tree60", "tree, 60 nodes", partial(small_tree, table)),
        SeriesEntry("forest", "random forest", partial(random_forest, table), transparent=False),
    )


ON_RAW_VALUES = _on(raw_values, None, RAW_PARSIMONY)
ON_STATISTICS = _on(statistics, WindowStatistics(N_SAMPLES), None)
