"""What novelty, composite objectives, a curriculum, samples and age layers bring: the classifier with and without."""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from sklearn.datasets import make_classification

from evoter import EvoterClassifier
from evoter.evolution.fronts.front import make_front
from evoter.experiments.classification.splits import split
from evoter.experiments.classification.task import Labels, Task, load_task

Figures = dict[str, float]
Settings = Mapping[str, Any]

SELECTION: dict[str, Settings] = {
    "as it is": {},
    "novelty selection": {"novelty_interval": 1},
    "novelty pulsation, every 5": {"novelty_interval": 5},
    "curriculum, every 10": {"unlock_interval": 10},
    "curriculum, when stuck for 5": {"unlock_stagnation": 5},
}
COMPOSITES: dict[str, Settings] = {
    "as it is": {},
    "composite 0.1": {"composite": 0.1},
    "composite 0.3": {"composite": 0.3},
    "novelty selection": {"novelty_interval": 1},
    "novelty pulsation, every 5": {"novelty_interval": 5},
    "composite 0.1, novelty selection": {"composite": 0.1, "novelty_interval": 1},
    "composite 0.1, novelty pulsation": {"composite": 0.1, "novelty_interval": 5},
}

SAMPLES: tuple[tuple[str, dict[str, object], int], ...] = (
    ("all rows", {}, 30),
    ("3 sample rounds", {"sample_rounds": 3}, 30),
    ("3 sample rounds", {"sample_rounds": 3}, 90),
    ("3 age layers", {"n_age_layers": 3}, 30),
    ("3 age layers", {"n_age_layers": 3}, 90),
)
"""Ways to evaluate on samples, and generations: as many as on all rows, then about as many seconds."""

THIRD = ("", "rare_rules", "novelty", "rules")
"""Objectives in addition to accuracy and complexity; empty means none."""

WORST = {"accuracy": 0.0, "complexity": 31.0}
"""What hypervolumes are measured from."""


def scores_of_one(model: EvoterClassifier, data: pd.DataFrame, target: Labels) -> Figures:
    """Judge the chosen rules on rows that they have not seen."""
    return {"accuracy": model.score(data, target), "conditions": model.ruleset_.n_conditions}


def scores_of_front(model: EvoterClassifier, data: pd.DataFrame, target: Labels) -> Figures:
    """Judge a front: what it dominates in training, and what it dominates on rows that it has not seen."""
    accuracies = [model.with_ruleset(k).score(data, target) for k in range(len(model.front_))]
    sizes = [candidate.n_conditions for candidate in model.front_]
    names = [objective.name for objective in model.front_.objectives]
    pair = model.front_.objectives[:2]
    rulesets = [candidate.ruleset for candidate in model.front_]
    trained = make_front(rulesets, model.front_.scores[:, [names.index(name) for name in WORST]], pair)
    judged = make_front(rulesets, np.column_stack([accuracies, sizes]), pair)
    whole = WORST["complexity"]
    return {
        "training volume": trained.hypervolume(WORST) / whole,
        "test volume": judged.hypervolume(WORST) / whole,
        **scores_of_one(model, data, target),
    }


def compare(
    title: str,
    tasks: Sequence[Task],
    variants: Mapping[str, Mapping[str, Any]],
    judge: Callable[[EvoterClassifier, pd.DataFrame, Labels], Figures],
    n_splits: int,
) -> Table:
    """Fit every variant on every split; show means over splits and tasks, and differences to the first variant."""
    runs: dict[str, list[Figures]] = {}
    for variant, parameters in variants.items():
        runs[variant] = []
        for task in tasks:
            for seed in range(n_splits):
                train, test, labels = split(task, "clean", seed)
                model = EvoterClassifier(random_state=seed, **parameters)
                begin = time.process_time()
                model.fit(task.data.iloc[train], labels)
                seconds = time.process_time() - begin
                figures = judge(model, task.data.iloc[test], task.target[test])
                runs[variant].append({**figures, "CPU seconds": seconds})
        means = {name: round(float(np.mean([run[name] for run in runs[variant]])), 4) for name in runs[variant][0]}
        Console(stderr=True, width=200).print(f"{variant:34} {means}", highlight=False)
    first = next(iter(runs.values()))
    names = list(first[0])
    table = Table("", *names, title=title, title_justify="left")
    for variant, found in runs.items():
        cells = []
        for name in names:
            values, base = (np.array([run[name] for run in some]) for some in (found, first))
            cell = f"{values.mean():.4g}"
            if found is not first and name != "CPU seconds":
                difference = values - base
                error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else 0.0
                cell += f" ({difference.mean():+.4f} ± {error:.4f})"
            cells.append(cell)
        table.add_row(variant, *cells)
    return table


def large_task(n_rows: int) -> Task:
    """A table that is large enough for samples of it to be worth something."""
    X, y = make_classification(n_rows, 20, n_informative=8, n_classes=3, n_clusters_per_class=3, random_state=0)
    data = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    return Task("large", f"{n_rows:,} synthetic rows", data, y.astype(str))


def parity_task(n_bits: int, n_rows: int) -> Task:
    """A table whose classes depend on no single condition: the parity of the number of high values."""
    X = np.random.default_rng(0).random((n_rows, 8))
    y = (X[:, :n_bits] > 0.5).sum(axis=1) % 2
    data = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    return Task("parity", f"Parity of {n_bits} of 8 numbers", data, y.astype(str))


def with_settings(variants: Mapping[str, Settings], shared: Settings, **parameters: Any) -> dict[str, dict[str, Any]]:
    """Return the parameters of a classifier for each variant; all of them have the `shared` settings too."""
    return {name: {"settings": {**shared, **settings}, **parameters} for name, settings in variants.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("selection", "paper", "deceptive", "front", "objectives", "layers")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="these parts only")
    parser.add_argument("--splits", type=int, default=5, metavar="N", help="seeds 0 .. N-1 (5)")
    parser.add_argument("--quick", action="store_true", help="small data, one split: does it run?")
    chosen = parser.parse_args(arguments)
    n_splits = 1 if chosen.quick else chosen.splits
    console = Console(width=170)
    names = ["iris"] if chosen.quick else ["cancer", "credit", "contraception"]
    tasks = [load_task(name) for name in names]
    where = ", ".join(task.title for task in tasks) + f", {n_splits} splits each"
    pair = ["accuracy", "complexity"]
    generations = 1 if chosen.quick else 30
    sizes = {"population_size": 20} if chosen.quick else {}
    brief: Settings = {"refinement_moves": 50} if chosen.quick else {}  # the paper's preset does not refine
    if "selection" in chosen.only:
        variants = with_settings(SELECTION, brief, generations=generations, **sizes)
        console.print(compare(f"One objective ({where})", tasks, variants, scores_of_one, n_splits))
    if "paper" in chosen.only:
        variants = with_settings(SELECTION, {}, preset="paper", generations=3 * generations, **sizes)
        console.print(compare(f"One objective, the paper's preset ({where})", tasks, variants, scores_of_one, n_splits))
    if "deceptive" in chosen.only:
        for n_bits, preset in ((3, "paper"), (4, "default")):
            task = parity_task(n_bits, 100 if chosen.quick else 1_500)
            bred = {name: {**settings, "n_refined": 0} for name, settings in SELECTION.items()}
            variants = with_settings(bred, {}, preset=preset, generations=3 * generations, patience=None, **sizes)
            title = f"{task.title}, preset {preset} without refinement, {2 * n_splits} splits"
            console.print(compare(title, [task], variants, scores_of_one, 2 * n_splits))
    if "front" in chosen.only:
        variants = with_settings(COMPOSITES, brief, objectives=pair, generations=generations, **sizes)
        console.print(compare(f"Accuracy and complexity ({where})", tasks, variants, scores_of_front, n_splits))
    if "objectives" in chosen.only:
        variants = {
            third or "as it is": {
                "objectives": [*pair, third] if third else pair,
                "generations": generations,
                "settings": brief,
                **sizes,
            }
            for third in THIRD
        }
        console.print(compare(f"A third objective ({where})", tasks, variants, scores_of_front, n_splits))
    if "layers" in chosen.only:
        large = large_task(100 if chosen.quick else 50_000)
        n_splits = min(n_splits, 2)
        shortened = 30 if chosen.quick else 1
        sizes = {"population_size": 60} if chosen.quick else {}  # three age layers need 16 children
        for preset, plans in (("default", SAMPLES[:2]), ("paper", SAMPLES)):
            variants = {
                f"{name}, {generations} generations": {
                    "settings": {**settings, **(brief if preset == "default" else {})},
                    "preset": preset,
                    "generations": generations // shortened,
                    "patience": None,
                    **sizes,
                }
                for name, settings, generations in plans
            }
            title = f"Samples of the rows, preset {preset} ({large.title}, {n_splits} splits)"
            console.print(compare(title, [large], variants, scores_of_one, n_splits))


if __name__ == "__main__":
    main()
