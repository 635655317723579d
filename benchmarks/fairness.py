"""Whether constraints on groups hold on unseen rows, and what they cost: python benchmarks/fairness.py [--splits 10].

German credit, from the folder `development` of EVOTER_DATA: on stratified splits 70/30, rules are learnt that do not
read the age, as they are and under the constraint that the rates at which credit is granted, or falsely refused, to
applicants under 30 and to others differ by at most 0.03. It prints means over the splits, with the standard error of
the difference on unseen rows. (What the data call sex does not tell the sex; see U. Grömping, South German Credit Data,
2019.)
"""

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

import evoter

LIMIT = 0.03
RATES = ("selection_rate", "false_negative_rate")


def read_credit() -> tuple[pd.DataFrame, Any, Any]:
    """Return features, classes, and the group of each applicant by age."""
    table = pd.read_parquet(Path(os.environ["EVOTER_DATA"]) / "development" / "german_credit.parquet")
    labels = np.where(table.pop("target").astype(str) == "1", "good", "bad")
    return table, labels, np.where(table.pop("age") < 30, "under 30", "30 and over")


def measure(model: Any, X: pd.DataFrame, y: Any, groups: Any, rate: str) -> tuple[float, float]:
    """Return accuracy and the difference of a rate."""
    found = evoter.audit(model, X, y, protected={"age": groups}, favourable="good", min_rows=1)
    worst = found.worst(rate)
    return float(np.mean(model.predict(X) == y)), 0.0 if worst is None else worst.difference


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--generations", type=int, default=60)
    given = parser.parse_args()
    X, y, groups = read_credit()
    sys.stdout.write(f"{len(X)} rows, {given.splits} splits, limit {LIMIT}; accuracy / difference, training | unseen\n")
    for rate in RATES:
        rows: dict[str, list[list[float]]] = {"as it is": [], "constrained": []}
        for seed in range(given.splits):
            train, test = train_test_split(np.arange(len(X)), test_size=0.3, random_state=seed, stratify=y)
            for name, figures in rows.items():
                limits = {f"{rate}_difference(good)": LIMIT} if name == "constrained" else None
                protected: dict[str, Any] = {} if limits is None else {"protected": {"age": groups[train]}}
                model = evoter.EvoterClassifier(
                    random_state=seed, generations=given.generations, constraints=limits, n_jobs=1
                )
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    model.fit(X.iloc[train], y[train], **protected)
                figures.append(
                    [
                        figure
                        for part in (train, test)
                        for figure in measure(model, X.iloc[part], y[part], groups[part], rate)
                    ]
                )
        for name, figures in rows.items():
            means, error = np.mean(figures, axis=0), np.std([row[3] for row in figures]) / np.sqrt(len(figures))
            sys.stdout.write(
                f"{rate:20} {name:12} {means[0]:.3f} / {means[1]:.3f} | {means[2]:.3f} / {means[3]:.3f} "
                f"(se {error:.3f})\n"
            )
        sys.stdout.flush()
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
