"""What the tests of stored tables share: a table with columns of all kinds, as a frame and in files."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl


def mixed_frame(n_rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return rows with numbers, whole numbers, texts, truth values and missing values, and a class that follows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "count": rng.integers(0, 40, n_rows),
            "eighths": rng.integers(0, 90, n_rows) / 8,
            "colour": rng.choice(["red", "green", "blue", "grey"], n_rows),
            "wild": rng.random(n_rows) > 0.3,
            "dose": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(size=n_rows).round(1)),
        }
    )
    frame.loc[3, "colour"] = None
    is_ill = (frame["size"] > 0.3) & (frame["colour"] != "red") | (frame["dose"] > 1.0)
    frame["y"] = np.where(is_ill ^ (rng.random(n_rows) < 0.05), "ill", "well")
    return frame


def write_parquet(frame: pd.DataFrame, path: Path, row_group: int = 150) -> Path:
    """Write a table as a Parquet file of several row groups."""
    pl.from_pandas(frame).write_parquet(path, row_group_size=row_group)
    return path
