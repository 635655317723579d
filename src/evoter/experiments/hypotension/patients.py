"""PhysioNet Challenge 2009: will acute hypotension begin within the hour, predicted from ten hours minute by minute."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evoter.datasets import fetch_hypotension_2009
from evoter.experiments.hypotension.alarm_scores import Labels
from evoter.experiments.hypotension.window_models import Model, Rules, Windowing, forest, tree
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel

ALARM = "hypotension"
RULES, TREE, FOREST = "EVOTER", "decision tree", "random forest"


class Patients(NamedTuple):
    """Some of the patients, and whether they had an episode."""

    panel: Panel
    labels: Labels


class Choice(NamedTuple):
    """A kind of model, its windows and, for rules, their size; `accuracy` is that in cross-validation."""

    kind: str
    windowing: Windowing
    size: tuple[int, int] | None
    accuracy: float = 0.0

    def make(self, seed: int, parameters: Mapping[str, Any] | None = None) -> Model:
        """Return the model, not yet fitted; rules have some parameters beside their size."""
        if self.kind == RULES:
            assert self.size is not None
            size = {"max_rules": self.size[0], "max_conditions": self.size[1]}
            return Rules(self.windowing, seed, **{**size, **(parameters or {})})
        return tree(self.windowing, seed) if self.kind == TREE else forest(self.windowing, seed)


FOUND = Choice(RULES, Windowing(30, 5), (1, 2))
"""The choice of cross-validation among the training patients, so that the search need not be repeated."""


def load() -> tuple[Patients, dict[str, Patients]]:
    """Return the training patients, and the Challenge's test sets A and B and both together."""
    data = fetch_hypotension_2009()
    assert data.groups is not None
    assert data.published_test is not None
    panel = read_panel(data.data, channels=data.feature_names, units=data.units)
    in_a = data.published_test & np.char.startswith(data.groups.astype(str), "1")
    tests = {"A": in_a, "B": data.published_test & ~in_a, "A and B": data.published_test}
    train = np.flatnonzero(~data.published_test)
    return Patients(panel[train], data.target[train]), {
        name: Patients(panel[np.flatnonzero(chosen)], data.target[chosen]) for name, chosen in tests.items()
    }
