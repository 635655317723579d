"""A small table of patients with columns of every kind, and who of them is ill."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from evoter import EvoterClassifier

N = 120


def patients() -> pd.DataFrame:
    """Numbers, truth values, text and categories, some of them missing."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, N).astype(float),
            "smoker": rng.random(N) < 0.4,
            "city": rng.choice(["Rome", "Oslo", "Lima"], N),
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], N), categories=["low", "mid", "high"]),
            "pressure": rng.normal(120, 15, N).round(),
        }
    )
    frame.loc[rng.random(N) < 0.2, "pressure"] = np.nan
    frame.loc[rng.random(N) < 0.1, "city"] = None
    return frame


def diagnoses() -> NDArray[Any]:
    """Who is ill, by a rule that is there to be found."""
    frame = patients()
    return np.where((frame.age > 50) & (frame.city == "Rome") | frame.smoker, "ill", "well")


def polars_patients() -> pl.DataFrame:
    """The same table in polars."""
    return pl.from_pandas(patients())


def quick_parameters(**parameters: Any) -> dict[str, Any]:
    """Parameters of a short search, in which refinement takes no longer than breeding."""
    defaults: dict[str, Any] = {"population_size": 60, "generations": 10, "random_state": 0}
    if not {"metric", "mode", "objectives"} & set(parameters):  # with some of these nothing is refined
        defaults["settings"] = {"refinement_moves": 200}
    return {**defaults, **parameters}


def quick(**parameters: Any) -> EvoterClassifier:
    """A classifier that learns the above in a moment."""
    return EvoterClassifier(**quick_parameters(**parameters))


def fitted(**parameters: Any) -> EvoterClassifier:
    """The same, having learnt it."""
    return quick(**parameters).fit(patients(), diagnoses())
