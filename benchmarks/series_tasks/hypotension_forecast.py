"""PhysioNet Challenge 2019: several splits by patients, all models, tables of their figures."""

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from evoter.experiments.hypotension.alarm_scores import balanced_risks
from evoter.experiments.hypotension.forecast import MODELS, forecast, load
from evoter.tables.forecast import ForecastExamples
from series_tasks.hypotension_records import Record, show, write

COLUMNS = ("risk-weighted error", "accuracy", "TPR", "FPR", "conditions", "seconds")


def run(runs: int, folder: Path, log: Console) -> list[Record]:
    """Split by patients, fit all models with several seeds, test them, and write everything down."""
    examples = load()
    records = []
    for seed in range(runs):
        for name in MODELS:
            record = Record("unseen patients", name, seed, *forecast(examples, name, seed))
            records.append(record)
            log.print(f"seed {seed}, {record.model}: {record.scores}", style="dim", highlight=False)
        write(folder, "hypotension-2019", records, COLUMNS, _facts(examples))
    show("PhysioNet 2019, patients apart", records, COLUMNS)
    return records


def _facts(examples: ForecastExamples) -> dict[str, Any]:
    names, counts = np.unique(examples.classes, return_counts=True)
    return {
        "examples": len(examples),
        "patients": len(set(examples.groups.tolist())),
        "classes": dict(zip(names.tolist(), counts.tolist(), strict=True)),
        "risks": {name: round(risk, 3) for name, risk in balanced_risks(examples.classes).items()},
    }
