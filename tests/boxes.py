"""Black boxes and tables that the tests of distillation share."""

from typing import Any

import numpy as np
import pandas as pd

QUICK: dict[str, Any] = {
    "generations": 15, "population_size": 80, "settings": {"refinement_moves": 200}, "random_state": 0
}  # fmt: skip
"""A search that takes a moment."""


def correlated(n: int = 240, seed: int = 0) -> pd.DataFrame:
    """Return a table whose columns depend on each other, with categories and missing values."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    weight = size + rng.normal(scale=0.15, size=n)
    weight[rng.random(n) < 0.05] = np.nan
    kind = np.where(size + rng.normal(scale=0.2, size=n) > 0, "large", "small")
    return pd.DataFrame({"size": size, "weight": weight, "kind": kind, "age": size**2 + rng.normal(scale=0.1, size=n)})


class Soft:
    """A classifier with probabilities of which nothing else is known; `order` is the order of its classes."""

    def __init__(self, order: tuple[str, ...] = ("no", "yes")) -> None:
        self.classes_ = np.array(order)

    def predict_proba(self, X: pd.DataFrame) -> Any:
        """Return probabilities that rise with the size and fall with the age."""
        yes = 1.0 / (1.0 + np.exp(-4.0 * X["size"].to_numpy() + 4.0 * (X["age"].to_numpy() > 0.5)))
        return np.column_stack([yes if name == "yes" else 1.0 - yes for name in self.classes_])


def by_rules(X: pd.DataFrame) -> Any:
    """Answer as a rule set of two rules does."""
    return np.where(X["size"] > 0.5, "high", np.where(X["age"] <= 0.4, "low", "middle"))
