"""What each form of condition brings: accuracy and size with and without it, on the development tables.

    EVOTER_DATA=... python benchmarks/forms.py                         all tables with categories, three splits
    EVOTER_DATA=... python benchmarks/forms.py --tables soybean splice --splits 1

Stratified splits of 70 to 30 with the seeds 0, 1 and 2, default parameters otherwise; the tables are in
`$EVOTER_DATA/development`.
"""

import argparse
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import polars as pl
from sklearn.model_selection import train_test_split

from evoter import EvoterClassifier
from evoter.tables import ColumnWarning

VARIANTS: dict[str, dict[str, Any]] = {"without sets": {}, "with sets": {"set_rate": 0.5}}
TABLES = ("german_credit", "soybean", "splice")


def measure(table: str, split: int, settings: dict[str, Any]) -> tuple[float, int, float]:
    """Return test accuracy, number of conditions and CPU seconds of one fit."""
    frame = pl.read_parquet(Path(os.environ["EVOTER_DATA"]) / "development" / f"{table}.parquet")
    X, y = frame.drop("target"), frame["target"].to_numpy()
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=split, stratify=y)
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        model = EvoterClassifier(random_state=split, settings=settings).fit(X[train], y[train])
    seconds = time.process_time() - begin
    return float((model.predict(X[test]) == y[test]).mean()), model.ruleset_.n_conditions, seconds


def main() -> None:
    """Measure all variants and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    tasks = [(table, name, split) for table in options.tables for name in VARIANTS for split in range(options.splits)]
    calls = (joblib.delayed(measure)(table, split, VARIANTS[name]) for table, name, split in tasks)
    results = dict(zip(tasks, joblib.Parallel(n_jobs=options.jobs)(calls), strict=True))
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}\n")
    for table in options.tables:
        for name in VARIANTS:
            found = np.array([results[table, name, split] for split in range(options.splits)])
            accuracy, conditions, seconds = found.mean(axis=0)
            figures = f"{accuracy:.3f}  {conditions:5.1f} conditions  {seconds:5.1f} CPU s"
            each = " ".join(f"{value:.3f}" for value in found[:, 0])
            sys.stdout.write(f"{table:<16} {name:<14} {figures}   ({each})\n")


if __name__ == "__main__":
    main()
