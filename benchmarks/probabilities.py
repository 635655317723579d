"""What dividing the rows of rules brings to probabilities: ROC AUC and log-loss on the development tables.

    EVOTER_DATA=... python benchmarks/probabilities.py --splits 2 --first 700 --jobs 2

For each table: the area under the ROC curve (of several classes, the mean of each against the others by frequency), the
log-loss and the number of distinct probabilities on the test rows, with one probability for each rule and with those of
`predict_proba`, which tells parts of the rows of a rule apart. Decisions are the same in both.
"""

import argparse
import os
import sys
import warnings

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from development import TABLES, read_table
from evoter import EvoterClassifier
from evoter.tables import ColumnWarning

Figures = NDArray[np.float64]


def measure(name: str, split: int) -> Figures:
    """Return the figures of one split: [by rule or by part, (area, log-loss, distinct probabilities)]."""
    X, y = read_table(name)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=split, stratify=y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        model = EvoterClassifier(random_state=split).fit(X[train], y[train])
        by_rule = model.rule_probabilities_[model.deciding_rules(X[test])]
        by_part = model.predict_proba(X[test])
    return np.array([judge(y[test], model.classes_, shares) for shares in (by_rule, by_part)])


def judge(labels: NDArray[np.object_], classes: NDArray[np.object_], shares: Figures) -> tuple[float, float, int]:
    """Return the area under the ROC curve, the log-loss, and the number of distinct probabilities."""
    if len(classes) == 2:
        area = roc_auc_score(labels == classes[1], shares[:, 1])
    else:
        area = roc_auc_score(labels, shares, multi_class="ovr", average="weighted", labels=classes)
    return float(area), float(log_loss(labels, shares, labels=classes)), len(np.unique(shares, axis=0))


def main() -> None:
    """Measure all tables and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    splits = range(options.first, options.first + options.splits)
    tasks = [(table, split) for table in options.tables for split in splits]
    found = joblib.Parallel(n_jobs=options.jobs)(joblib.delayed(measure)(*task) for task in tasks)
    means = np.array(found).reshape(len(options.tables), len(splits), 2, 3).mean(axis=1)
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}; one probability a rule -> parts of rules\n")
    for table, figures in zip([*options.tables, "mean"], [*means, means.mean(axis=0)], strict=True):
        (area, loss, n), (new_area, new_loss, new_n) = figures
        sys.stdout.write(
            f"{table:<14} AUC {area:.3f} -> {new_area:.3f}   log-loss {loss:.3f} -> {new_loss:.3f}   "
            f"distinct {n:4.1f} -> {new_n:4.1f}\n"
        )


if __name__ == "__main__":
    main()
