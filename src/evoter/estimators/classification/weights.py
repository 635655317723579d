"""Weights of rows and of classes, checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from evoter.kernels.layout import Floats, Ints


def read_sample_weight(sample_weight: ArrayLike | None, codes: Ints) -> Floats:
    """Return a weight for every row, ones where none are given."""
    weights: Floats = _check_sample_weight(sample_weight, codes, dtype=np.float64)
    negative = np.flatnonzero(weights < 0)
    if negative.size:
        raise ValueError(f"sample_weight must be 0 or more, but row {negative[0]} has {weights[negative[0]]:g}")
    if not weights.any():
        raise ValueError("sample_weight is 0 in every row: at least one row must count")
    return weights


def read_class_weight(
    class_weight: str | Mapping[Any, float] | None, classes: NDArray[Any], codes: Ints, weights: Floats
) -> Floats | None:
    """Return a weight for every class; "balanced" makes the rows of every class weigh the same in all."""
    if class_weight is None:
        return None
    if class_weight == "balanced":
        totals = np.bincount(codes, weights, len(classes))
        present = totals > 0
        shares: Floats = np.divide(weights.sum(), present.sum() * totals, out=np.zeros(len(classes)), where=present)
        return shares
    chosen: Floats = compute_class_weight(dict(class_weight), classes=classes, y=classes[codes])  # type: ignore[arg-type]
    if not (np.isfinite(chosen) & (chosen >= 0)).all() or not chosen[codes].any():
        raise ValueError(f"class_weight must give weights of 0 or more, not all 0, got {class_weight!r}")
    return chosen
