"""Whether the rows in a picture are training rows or unseen ones, and how to say so."""

import math
import warnings
from collections.abc import Iterable
from typing import Any

from evoter.analysis.formatting import percent

ORIGINS = ("auto", "training", "unseen")


def training_share(rows: str, models: Iterable[Any], X: Any) -> float:
    """Return the share of the rows of X that some model was trained on; NaN if that is not known.

    `rows` is what the user says: "training", "unseen", or "auto" to ask those models that recognise their rows.
    """
    if rows not in ORIGINS:
        raise ValueError(f"rows must be 'auto', 'training' or 'unseen', not {rows!r}")
    if rows != "auto":
        return float(rows == "training")
    shares = []
    for model in models:
        if hasattr(model, "training_share"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # about names of columns: deciding warns of them, once
                try:
                    shares.append(float(model.training_share(X)))
                except ValueError:  # a table of only those columns that the rules read cannot be compared
                    shares.append(math.nan)
    return max(shares, default=math.nan) if not any(map(math.isnan, shares)) else math.nan


def rows_text(n_rows: int, share: float, noun: str = "row") -> str:
    """Say how many rows are shown, and whether they are training rows.

    >>> [rows_text(150, share) for share in (1.0, 0.0, 0.02)]
    ['150 training rows', '150 unseen rows', '150 rows, 2% of them equal to training rows']
    >>> rows_text(1, 0.0, "series"), rows_text(150, float("nan"))
    ('1 unseen series', '150 rows, training or unseen not stated')
    """
    many = noun if noun == "series" else f"{noun}{'' if n_rows == 1 else 's'}"
    if math.isnan(share):
        return f"{n_rows:,} {many}, training or unseen not stated"
    if share in (0.0, 1.0):
        return f"{n_rows:,} {'training' if share else 'unseen'} {many}"
    return f"{n_rows:,} {many}, {percent(share, decimals=0)} of them equal to training {many}"
