"""Short series of two channels of unequal lengths, and what they are by a lagged rule that is there to be found."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evoter import EvoterTimeSeriesClassifier
from evoter.kernels.layout import Floats
from patients import quick_parameters

CHANNELS = ("pulse", "pressure")
N = 160


def waves() -> list[Floats]:
    """Series of 6 to 12 steps; some values of the second channel are missing."""
    rng = np.random.default_rng(0)
    series = [np.round(rng.normal(size=(2, rng.integers(6, 13))), 2) for _ in range(N)]
    for values in series:
        values[1, :-1][rng.random(values.shape[1] - 1) < 0.1] = np.nan
    return series


def kinds() -> NDArray[Any]:
    """High where the pulse was high three steps before the end."""
    return np.array(["high" if values[0, -4] > 0.4 else "low" for values in waves()])


def long_frame() -> pd.DataFrame:
    """The same series with a row for each instance and time, shuffled, and named by patients."""
    parts = [
        pd.DataFrame(
            {"patient": f"p{i}", "minute": np.arange(values.shape[1]), "pulse": values[0], "pressure": values[1]}
        )
        for i, values in enumerate(waves())
    ]
    return pd.concat(parts, ignore_index=True)


def quick_series(**parameters: Any) -> EvoterTimeSeriesClassifier:
    """A classifier that learns the above in a moment."""
    return EvoterTimeSeriesClassifier(**quick_parameters(**{"generations": 8, "channels": CHANNELS, **parameters}))
