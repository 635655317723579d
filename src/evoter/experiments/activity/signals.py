"""The signals of Human Activity Recognition as tables, with a column for each signal and lag, and how to split them."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evoter.datasets import fetch_human_activity_signals
from evoter.datasets.activity import SIGNALS
from evoter.experiments.classification.task import Task

N_SAMPLES = 128
COLUMNS = [f"{signal}[{lag}]" for signal in SIGNALS for lag in reversed(range(N_SAMPLES))]
"""The names that rules print: lags count back from the last sample."""

FEATURES = {"raw": "raw values", "windows": "window statistics", "series": "whole series"}
"""What models are given, by the name it has on the command line."""

SPLITS = {
    "random": "stratified random splits 70/30, the run's number as their seed",
    "subject": "the published split: the test rows are those of nine subjects that no training row is of; runs differ "
    "by the models' seeds alone",
}
"""How rows are split, as described above a table."""

TITLES = {f"{features}-{split}": title for split in SPLITS for features, title in FEATURES.items()}
WARM_UP = "waves"


def load_signals(name: str) -> Task:
    """Return the signals for one kind of features and one split, such as `raw-subject`, or a few rows to warm up on."""
    if name == WARM_UP:
        return _waves()
    frame, found = _fetched()
    published = found.published_test if name.endswith("-subject") else None
    return Task(name, TITLES[name], frame, found.target, published)


def as_series(X: pd.DataFrame) -> NDArray[np.float64]:
    """Return the rows of a table as series: (instances, signals, samples)."""
    series: NDArray[np.float64] = X.to_numpy(np.float64).reshape(len(X), len(SIGNALS), N_SAMPLES)
    return series


@cache
def _fetched() -> tuple[pd.DataFrame, Any]:
    found = fetch_human_activity_signals()
    return pd.DataFrame(found.data.reshape(len(found.data), -1), columns=COLUMNS), found


def _waves() -> Task:
    """Return noise whose spread tells six classes apart."""
    target = np.repeat([*"abcdef"], 10)
    noise = np.random.default_rng(0).normal(size=(len(target), len(COLUMNS)))
    spread = np.repeat(np.arange(1.0, 7.0), 10)[:, None]
    return Task(WARM_UP, "waves", pd.DataFrame(noise * spread, columns=COLUMNS), target)
