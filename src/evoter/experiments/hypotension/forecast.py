"""PhysioNet Challenge 2019: will the mean pressure of the coming hours be low, normal or high."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.model_selection import GroupShuffleSplit

from evoter import RuleSet
from evoter.datasets import fetch_vital_signs_2019
from evoter.experiments.hypotension.alarm_scores import Labels, balanced_risks
from evoter.experiments.hypotension.window_models import Model, Rules, Trial, Windowing, forest, tree, try_out
from evoter.tables.forecast import ForecastExamples, forecast_examples
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel

ALARM = "Low"
BORDERS, CLASSES = (55.0, 85.0), ("Low", "Normal", "High")
AHEAD, OVER = 1, 1
"""The paper's alpha and beta, in hours: the mean from one to two hours after the decision."""
STRIDE, LEAST_HISTORY, MOST_HISTORY = 6, 6, 12
WINDOWING = Windowing(3, 10, step=1, statistics=("mean", "std", "min", "max", "slope"))
"""Three hours each, an hour apart, as many as twelve hours hold; skew and kurtosis of three values say nothing."""
SEARCH: dict[str, Any] = {"max_rules": 6, "max_conditions": 3, "parsimony": 0.002, "generations": 20}
"""Few rules, since few patients are ever Low: a condition has to earn a five-hundredth of the whole risk."""


class LastValue:
    """The naive forecast: what the pressure is now, it will be."""

    n_conditions = len(BORDERS)
    ruleset: RuleSet | None = None

    def fit(self, panel: Panel, y: Labels) -> "LastValue":
        """Remember the most frequent class, for patients without any value."""
        names, counts = np.unique(y, return_counts=True)
        self.most_frequent = str(names[np.argmax(counts)])
        return self

    def predict(self, panel: Panel) -> Labels:
        """Return the class of the last value that is not missing."""
        return np.array([self._of(panel[i][0]) for i in range(len(panel))])

    def _of(self, values: Any) -> str:
        known = values[~np.isnan(values)]
        return CLASSES[int(np.searchsorted(BORDERS, known[-1], side="left"))] if len(known) else self.most_frequent


def load() -> ForecastExamples:
    """Return the examples of all patients: twelve hours of pressure, and the class of what follows."""
    data = fetch_vital_signs_2019()
    frame = data.data[["MAP", "ICULOS"]].assign(patient=data.groups)
    panel = read_panel(
        frame, id_column="patient", time_column="ICULOS", step=1, channels=["MAP"], units={"MAP": data.units["MAP"]}
    )
    return examples_of(panel)


def examples_of(panel: Panel) -> ForecastExamples:
    """Return the examples of some patients."""
    return forecast_examples(
        panel,
        ahead=AHEAD,
        over=OVER,
        borders=BORDERS,
        labels=CLASSES,
        stride=STRIDE,
        min_history=LEAST_HISTORY,
        max_history=MOST_HISTORY,
    )


MODELS: dict[str, Callable[..., Model]] = {
    "EVOTER": lambda seed, risks, **parameters: Rules(
        WINDOWING, seed, class_weight=risks, n_jobs=-1, **{**SEARCH, **parameters}
    ),
    "decision tree": lambda seed, risks: tree(WINDOWING, seed, risks),
    "decision tree, depth 4": lambda seed, risks: tree(WINDOWING, seed, risks, max_depth=4),
    "random forest": lambda seed, risks: forest(WINDOWING, seed, risks),
    "random forest, leaves of 20": lambda seed, risks: forest(WINDOWING, seed, risks, min_samples_leaf=20),
    "last value": lambda seed, risks: LastValue(),
}
"""The models, which all know how much a class is at risk."""


def forecast(examples: ForecastExamples, name: str, seed: int, **parameters: Any) -> Trial:
    """Fit one of the models and try it on other patients; parameters are for the rules."""
    splitter = GroupShuffleSplit(1, test_size=0.3, random_state=seed)
    train, test = next(splitter.split(examples.classes, groups=examples.groups))
    assert not set(examples.groups[train]) & set(examples.groups[test])
    risks = balanced_risks(examples.classes[train])
    sides = [(examples.panel[side], examples.classes[side]) for side in (train, test)]
    model = MODELS[name](seed, risks, **parameters)
    return try_out(model, sides[0], {name: sides[1]}, ALARM, (1, "h"), risks)[name]
