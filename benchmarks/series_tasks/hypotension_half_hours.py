"""The paper's task of blood pressure on open data: low, normal or high in a coming half hour."""

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from evoter.experiments.hypotension.runner import AHEAD, run

MODELS = {
    "evoter": "EVOTER",
    "evoter-paper": "EVOTER, preset paper",
    "tree": "decision tree",
    "forest": "random forest",
}
MEASURES = {
    "risk_weighted_accuracy": "risk-weighted accuracy",
    "true_positive_rate": "TPR",
    "false_positive_rate": "FPR",
    "accuracy": "accuracy",
    "conditions": "conditions",
}


def show(n_runs: int, folder: Path, console: Console) -> None:
    """Fit all models from several seeds and print the means; nothing is kept in the folder."""
    table = Table("minutes ahead", "model", *MEASURES.values(), title=f"the coming half hour, {n_runs} runs")
    for variant, minutes in AHEAD.items():
        for name, title in MODELS.items():
            found = [run(variant, [name], seed)[name].measures for seed in range(n_runs)]
            means = [float(np.mean([each[measure] for each in found])) for measure in MEASURES]
            table.add_row(str(minutes), title, *(f"{mean:.3f}" for mean in means[:-1]), f"{means[-1]:.1f}")
            console.print(f"{variant}, {title}: {means}", highlight=False, soft_wrap=True)
    Console(width=140).print(table)
