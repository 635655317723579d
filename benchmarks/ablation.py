"""What each part of the search contributes: the default classifier compared with itself without that part."""

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from evoter import EvoterClassifier
from evoter.experiments.classification.splits import split
from evoter.experiments.classification.task import TITLES, Task, load_task

WITHOUT: dict[str, dict[str, Any]] = {
    "default": {},
    "without exact moves": {"settings": {"n_refined": 0}},
    "three times as many moves": {"settings": {"refinement_moves": 24_000}},
    "without soft targets": {"settings": {"soft_targets": 0.0}},
    "constants only": {"forms": "constants"},
    "constants and sets": {"forms": ["constants", "sets"]},
    "constants and comparisons": {"forms": ["constants", "comparisons"]},
    "one price for all tables (0.001)": {"parsimony": 1e-3},
    "the paper's preset": {"preset": "paper"},
}
"""The variants and their parameters."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit every variant on every split and print means."""
    small = ["iris", "wine", "cancer", "credit", "contraception", "digits"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", choices=TITLES, default=small, help="these data sets only")
    parser.add_argument("--variants", nargs="+", choices=WITHOUT, default=list(WITHOUT), help="these variants only")
    parser.add_argument("--splits", type=int, default=10, metavar="N", help="number of splits (10)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first split (0)")
    chosen = parser.parse_args(arguments)
    console, log = Console(width=140), Console(stderr=True)
    tasks = [load_task(name) for name in chosen.data]
    table = Table("", *(task.title for task in tasks), title="test accuracy / conditions / CPU seconds of a fit")
    for variant in chosen.variants:
        cells = []
        for task in tasks:
            cells.append(measure(task, WITHOUT[variant], range(chosen.first, chosen.first + chosen.splits)))
            log.print(f"{variant:34} {task.name:14} {cells[-1]}", highlight=False)
        table.add_row(variant, *cells)
    console.print(table)


def measure(task: Task, parameters: Mapping[str, Any], seeds: range) -> str:
    """Return mean test accuracy, conditions and CPU seconds over some clean splits."""
    figures = []
    for seed in seeds:
        train, test, labels = split(task, "clean", seed)
        model = EvoterClassifier(random_state=seed, **parameters)
        start = time.process_time()
        model.fit(task.data.iloc[train], labels)
        seconds = time.process_time() - start
        accuracy = model.score(task.data.iloc[test], task.target[test])
        figures.append((accuracy, model.ruleset_.n_conditions, seconds))
    accuracy, n_conditions, seconds = np.mean(figures, axis=0)
    return f"{accuracy:.3f} / {n_conditions:.1f} / {seconds:.1f}"


if __name__ == "__main__":
    main()
