"""PhysioNet Challenge 2019: will the mean pressure of the coming hours be low, normal or high."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.model_selection import GroupShuffleSplit

from evoter import RuleSet
from evoter.datasets import fetch_vital_signs_2019
from evoter.tables.forecast import ForecastExamples, forecast_examples
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from series_tasks.hypotension_measures import Labels, balanced_risks, score
from series_tasks.hypotension_models import Model, Rules, Windowing, forest, tree
from series_tasks.hypotension_records import Record, show, write

ALARM = "Low"
BORDERS, CLASSES = (55.0, 85.0), ("Low", "Normal", "High")
AHEAD, OVER = 1, 1
"""The paper's alpha and beta, in hours: the mean from one to two hours after the decision."""
STRIDE, LEAST_HISTORY, MOST_HISTORY = 6, 6, 12
WINDOWING = Windowing(3, 10, step=1, statistics=("mean", "std", "min", "max", "slope"))
"""Three hours each, an hour apart, as many as twelve hours hold; skew and kurtosis of three values say nothing."""
SEARCH: dict[str, Any] = {"max_rules": 6, "max_conditions": 3, "parsimony": 0.002, "generations": 20}
"""Few rules, since few patients are ever Low: a condition has to earn a five-hundredth of the whole risk."""
COLUMNS = ("risk-weighted error", "accuracy", "TPR", "FPR", "conditions", "seconds")


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


def models(seed: int, risks: dict[str, float]) -> dict[str, Model]:
    """Return the models, which all know how much a class is at risk."""
    return {
        "EVOTER": Rules(WINDOWING, seed, class_weight=risks, n_jobs=-1, **SEARCH),
        "decision tree": tree(WINDOWING, seed, risks),
        "decision tree, depth 4": tree(WINDOWING, seed, risks, max_depth=4),
        "random forest": forest(WINDOWING, seed, risks),
        "random forest, leaves of 20": forest(WINDOWING, seed, risks, min_samples_leaf=20),
        "last value": LastValue(),
    }


def run(runs: int, folder: Path, log: Console) -> list[Record]:
    """Split by patients, fit all models with several seeds, test them, and write everything down."""
    examples = load()
    records = []
    for seed in range(runs):
        for record in _run(examples, seed):
            records.append(record)
            log.print(f"seed {seed}, {record.model}: {record.scores}", style="dim", highlight=False)
        write(folder, "hypotension-2019", records, COLUMNS, _facts(examples))
    show("PhysioNet 2019, patients apart", records, COLUMNS)
    return records


def _run(examples: ForecastExamples, seed: int) -> Iterator[Record]:
    splitter = GroupShuffleSplit(1, test_size=0.3, random_state=seed)
    train, test = next(splitter.split(examples.classes, groups=examples.groups))
    assert not set(examples.groups[train]) & set(examples.groups[test])
    risks = balanced_risks(examples.classes[train])
    for name, model in models(seed, risks).items():
        begin = time.perf_counter()
        model.fit(examples.panel[train], examples.classes[train])
        seconds = time.perf_counter() - begin
        scores = score(examples.classes[test], model.predict(examples.panel[test]), ALARM, risks)
        text = model.ruleset.to_text(declarations=False, time_step=(1, "h")) if model.ruleset else ""
        yield Record("unseen patients", name, seed, scores, model.n_conditions, seconds, text)


def _facts(examples: ForecastExamples) -> dict[str, Any]:
    names, counts = np.unique(examples.classes, return_counts=True)
    return {
        "examples": len(examples),
        "patients": len(set(examples.groups.tolist())),
        "classes": dict(zip(names.tolist(), counts.tolist(), strict=True)),
        "risks": {name: round(risk, 3) for name, risk in balanced_risks(examples.classes).items()},
    }
