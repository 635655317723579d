"""The runner of comparison tables: one model on one split of one data set."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from evoter import WindowStatistics
from evoter.analysis.information_criteria import information_criteria
from evoter.experiments.activity import signal_models as on_series
from evoter.experiments.activity.signals import N_SAMPLES, load_signals
from evoter.experiments.classification import table_models as on_tables
from evoter.experiments.classification.evaluation import evaluate
from evoter.experiments.classification.splits import split
from evoter.experiments.classification.table_models import Model, count_full_nodes
from evoter.experiments.classification.task import TITLES, Task, load_task
from evoter.experiments.runners import Outcome

Make = Callable[..., Model]

ON_TABLES: Mapping[str, Make] = {
    "evoter": on_tables.Evoter,
    "evoter-paper": partial(on_tables.Evoter, preset="paper"),
    "bayes": lambda seed: on_tables.naive_bayes(),
    "tree": partial(on_tables.decision_tree, None),
    "forest": on_tables.random_forest,
}

ON_SIGNALS: Mapping[str, Make] = {
    "evoter": lambda seed, **given: on_series.EvoterOnSeries(
        None, seed, **{"parsimony": on_series.RAW_PARSIMONY, **given}
    ),
    "evoter-paper": lambda seed, **given: on_series.EvoterOnSeries(None, seed, preset="paper", **given),
    "evoter-windows": lambda seed, **given: on_series.EvoterOnSeries(WindowStatistics(N_SAMPLES), seed, **given),
    "bayes": partial(on_series.naive_bayes, on_series.raw_values),
    "tree": partial(on_series.decision_tree, on_series.raw_values),
    "forest": partial(on_series.random_forest, on_series.raw_values),
}
"""Models of the same names on raw signals; the windows are those of statistics."""


def run(
    variant: str,
    models: Sequence[str],
    seed: int,
    *,
    data: str,
    rows: int | None = None,
    full_trees: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    paper_parameters: Mapping[str, Any] | None = None,
) -> dict[str, Outcome]:
    """Fit models under the protocol called `variant`, on at most `rows` random rows.

    `parameters` are EVOTER's, `paper_parameters` those of its preset "paper". AIC and BIC are computed over the test
    rows, and for the models in `full_trees` as if their trees were full to their depth, as in the paper.
    """
    given = {"evoter-paper": paper_parameters or {}}
    task = _load(data, rows)
    chosen = split(task, variant, seed)
    makers = ON_TABLES if data in TITLES else ON_SIGNALS
    found = {}
    for name in models:
        own = given.get(name, parameters or {}) if name.startswith("evoter") else {}
        model = makers[name](seed, **own)
        fit = evaluate(model, task, chosen)
        full = count_full_nodes(getattr(model, "estimator", None))
        size = full if full is not None and name in full_trees else fit.complexity
        n_wrong = round((1 - fit.test_accuracy) * len(chosen.test))
        aic, bic = information_criteria(n_wrong, size, len(chosen.test))
        measures = {
            "accuracy": fit.test_accuracy,
            "train_accuracy": fit.train_accuracy,
            "parameters": fit.complexity,
            "aic": aic,
            "bic": bic,
            "n_train": len(chosen.train),
            "n_test": len(chosen.test),
        }
        if full is not None:
            measures["full_parameters"] = full
        if fit.features:
            measures["features"] = len(fit.features)
        features = fit.features if name.startswith("evoter") else ()
        found[name] = Outcome(measures, rules=model.rules(), features=features, seconds=fit.seconds)
    return found


@cache
def _load(data: str, rows: int | None) -> Task:
    task = load_task(data) if data in TITLES else load_signals(data)
    if rows is None or rows >= len(task.target):
        return task
    kept = np.sort(np.random.default_rng(0).choice(len(task.target), rows, replace=False))
    return Task(task.name, task.title, task.data.iloc[kept], task.target[kept])
