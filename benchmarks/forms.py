"""What each form of condition brings: accuracy, size and CPU time with and without it, on the development tables.

    EVOTER_DATA=... python benchmarks/forms.py                         all tables, three splits
    EVOTER_DATA=... python benchmarks/forms.py --tables soybean splice --splits 1 --first 100

Stratified splits of 70 to 30, default parameters otherwise (see `development.py`).
"""

import argparse
import os
import sys
from typing import Any

import joblib
import numpy as np

from development import TABLES, measure

VARIANTS: dict[str, dict[str, Any]] = {
    "constants": {"forms": "constants"},
    "and sets": {"forms": ["constants", "sets"]},
    "and sums": {"forms": ["constants", "sums"]},
    "default": {},
    "comparisons": {"forms": ["constants", "comparisons"]},
}


def main() -> None:
    """Measure all variants and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    splits = range(options.first, options.first + options.splits)
    tasks = [(table, name, split) for table in options.tables for name in VARIANTS for split in splits]
    run = joblib.Parallel(n_jobs=options.jobs, return_as="generator")
    fits = run(joblib.delayed(measure)(table, split, VARIANTS[name], False) for table, name, split in tasks)
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}; test accuracy / conditions / CPU seconds\n")
    sys.stdout.write(f"{'':14}" + "".join(f"{name:>22}" for name in VARIANTS) + "\n")
    means = []
    for table in options.tables:
        found = [np.mean([next(fits)[:3] for _ in splits], axis=0) for _ in VARIANTS]
        means.append(found)
        sys.stdout.write(f"{table:14}" + "".join(cell(figures) for figures in found) + "\n")
        sys.stdout.flush()
    sys.stdout.write(f"{'mean':14}" + "".join(cell(figures) for figures in np.mean(means, axis=0)) + "\n")


def cell(figures: Any) -> str:
    """Return accuracy, conditions and seconds in one column."""
    accuracy, conditions, seconds = figures
    return f"{accuracy:.3f} / {conditions:4.1f} / {seconds:4.1f}".rjust(22)


if __name__ == "__main__":
    main()
