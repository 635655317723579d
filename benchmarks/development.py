"""Accuracy, size and CPU time on the development tables, and how far two seeds agree.

    EVOTER_DATA=... python benchmarks/development.py                              all tables, three splits
    EVOTER_DATA=... python benchmarks/development.py --tables vehicle --splits 10 --first 100
    EVOTER_DATA=... python benchmarks/development.py --settings '{"soft_targets": 0}' --agreement
    EVOTER_DATA=... python benchmarks/development.py --tables iris wine breast_cancer --splits 10 --first 1000
    EVOTER_DATA=... python benchmarks/development.py --rows 50 --splits 10        learning from few rows
    EVOTER_DATA=... python benchmarks/development.py --tables german_credit --costs 2:1=5 1:2=1

Stratified splits of 70 to 30, or of as many training rows as `--rows` says and all others; their seeds are 0, 1, 2
unless `--first` says otherwise; parameters are the defaults unless `--settings` or `--parameters` do. The tables are
in `$EVOTER_DATA/development`, with the figures of other models in their README. Data sets of the paper can be named as
well. A sum of two features counts as two conditions. With `--agreement` every split is fitted with two seeds, and the
table says on which part of the test rows they decide alike; with `--rules` the first split's rules are printed. With
`--costs`, what mistakes cost is minimised, and the table says what they cost per test row, beside the least that one
answer for all rows costs.
"""

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from evoter import EvoterClassifier
from evoter.datasets import fetch_contraceptive_choice, fetch_credit_approval
from evoter.tables import ColumnWarning

TABLES = (
    "ionosphere", "pima", "vehicle", "titanic", "german_credit", "segment", "tic_tac_toe", "soybean", "yeast",
    "spambase", "splice", "hypothyroid",
)  # fmt: skip
PAPER: dict[str, Callable[..., Any]] = {
    "iris": partial(load_iris, as_frame=True),
    "wine": partial(load_wine, as_frame=True),
    "breast_cancer": partial(load_breast_cancer, as_frame=True),
    "digits": partial(load_digits, as_frame=True),
    "credit_approval": fetch_credit_approval,
    "contraceptive": fetch_contraceptive_choice,
}
SECOND_SEED = 1_000

Costs = dict[tuple[str, str], float]
"""What it costs to take one class for another, by the true and the predicted class."""


class Fit(NamedTuple):
    """What one fit gave."""

    accuracy: float
    conditions: int
    seconds: float
    training_accuracy: float
    balanced_accuracy: float
    agreement: float
    cost: float
    cost_of_one_answer: float
    rules: str


def read_table(name: str) -> tuple[pl.DataFrame, NDArray[Any]]:
    """Return the features and the labels of a development table, or of a data set of the paper."""
    if name in PAPER:
        data = PAPER[name]()
        return pl.from_pandas(data.data), np.asarray(data.target)
    frame = pl.read_parquet(Path(os.environ["EVOTER_DATA"]) / "development" / f"{name}.parquet")
    return frame.drop("target", "split", strict=False), frame["target"].to_numpy()


def read_cost(text: str) -> tuple[tuple[str, str], float]:
    """Return the classes and the cost of a text such as `ill:well=5`: the true class, what is predicted, the cost.

    >>> read_cost("ill:well=5")
    (('ill', 'well'), 5.0)
    """
    classes, _, cost = text.rpartition("=")
    true, _, predicted = classes.partition(":")
    return (true, predicted), float(cost)


def mean_cost(labels: NDArray[Any], predicted: NDArray[Any], costs: Costs) -> float:
    """Return what decisions cost per row; NaN where there are no costs."""
    if not costs:
        return float("nan")
    pairs = zip(labels.tolist(), predicted.tolist(), strict=True)
    return float(np.mean([costs.get(pair, 0.0) for pair in pairs]))


def measure(name: str, split: int, parameters: dict[str, Any], rows: int | None, agreement: bool, costs: Costs) -> Fit:
    """Fit one split of a table, with a second seed if the agreement is wanted; minimise the costs, if there are any."""
    parameters = {**parameters, "metric": costs} if costs else parameters
    X, y = read_table(name)
    size = {"test_size": 0.3} if rows is None else {"train_size": rows}
    train, test = train_test_split(np.arange(len(y)), **size, random_state=split, stratify=y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        begin = time.process_time()
        model = EvoterClassifier(random_state=split, **parameters).fit(X[train], y[train])
        seconds = time.process_time() - begin
        predicted = model.predict(X[test])
        alike = float("nan")
        if agreement:
            other = EvoterClassifier(random_state=split + SECOND_SEED, **parameters).fit(X[train], y[train])
            alike = float((other.predict(X[test]) == predicted).mean())
        right = float((model.predict(X[train]) == y[train]).mean())
    accuracy = float((predicted == y[test]).mean())
    rules = model.ruleset_.to_text(declarations=False)
    balanced = float(balanced_accuracy_score(y[test], predicted))
    cost = mean_cost(y[test], predicted, costs)
    one_answer = min(mean_cost(y[test], np.full(len(test), answer), costs) for answer in np.unique(y))
    return Fit(accuracy, model.ruleset_.n_conditions, seconds, right, balanced, alike, cost, one_answer, rules)


def main() -> None:
    """Measure all tables and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument("--rows", type=int, help="learn from this many rows, and test on all others")
    parser.add_argument("--settings", type=json.loads, default={}, help="settings of the search, as JSON")
    parser.add_argument("--parameters", type=json.loads, default={}, help="parameters of the classifier, as JSON")
    parser.add_argument("--costs", nargs="+", type=read_cost, default=[], metavar="TRUE:PREDICTED=COST")
    parser.add_argument("--agreement", action="store_true", help="fit a second seed and say how far both agree")
    parser.add_argument("--rules", action="store_true", help="print the rules of the first split")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    parameters = {**options.parameters, **({"settings": options.settings} if options.settings else {})}
    costs = dict(options.costs)
    splits = range(options.first, options.first + options.splits)
    tasks = [(table, split) for table in options.tables for split in splits]
    run = joblib.Parallel(n_jobs=options.jobs, return_as="generator")
    fits = run(joblib.delayed(measure)(*task, parameters, options.rows, options.agreement, costs) for task in tasks)
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}\n")
    means = []
    for table in options.tables:
        found = [next(fits) for _ in splits]
        figures = np.array([fit[:-1] for fit in found])
        means.append(figures.mean(axis=0))
        sys.stdout.write(line(table, means[-1]) + "   (" + " ".join(f"{fit.accuracy:.3f}" for fit in found) + ")\n")
        sys.stdout.write(f"{found[0].rules}\n\n" if options.rules else "")
        sys.stdout.flush()
    sys.stdout.write(line("mean", np.mean(means, axis=0)) + f"\nload {os.getloadavg()[0]:.1f}\n")


def line(name: str, means: NDArray[np.float64]) -> str:
    """Return a line of the table."""
    accuracy, conditions, seconds, training, balanced, agreement, cost, one_answer = means
    agreeing = "" if np.isnan(agreement) else f"   seeds agree on {agreement:.3f}"
    figures = f"{accuracy:.3f}  {conditions:5.1f} conditions  {seconds:5.1f} CPU s   training {training:.3f}"
    figures += f"   balanced {balanced:.3f}"
    figures += "" if np.isnan(cost) else f"   cost {cost:.3f}, of one answer for all {one_answer:.3f}"
    return f"{name:<14} {figures}{agreeing}"


if __name__ == "__main__":
    main()
