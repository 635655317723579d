"""What the diabetes predictor can be right about: accuracies of several models, by target, stays and columns."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupShuffleSplit, train_test_split

from evoter.datasets import fetch_diabetes
from evoter.experiments.prescription.data import DISCHARGE, diabetes, network

TARGETS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "readmission: none, within 30 days, later": lambda outcomes: outcomes["readmission"],
    "readmission: any or none": lambda outcomes: outcomes["readmission"] == "NO",
    "readmission: within 30 days or not": lambda outcomes: outcomes["readmission"] == "<30",
    "discharge: the five kinds": lambda outcomes: outcomes["discharge"],
    "discharge: the three scores +2, -1, -4": lambda outcomes: outcomes["discharge"].map(DISCHARGE),
    "discharge: home or not": lambda outcomes: outcomes["discharge"] == "home",
}
"""What may be meant by the accuracy of the paper's predictor; its "three categories" fit the first and the fifth."""


class Rows(NamedTuple):
    """Some stays: columns, outcomes, and the patient of each."""

    columns: pd.DataFrame
    outcomes: pd.DataFrame
    patients: NDArray[Any]

    def first_stays(self) -> "Rows":
        """Return the first stay of each patient in the order of the file."""
        _, first = np.unique(self.patients, return_index=True)
        kept = np.sort(first)
        return Rows(self.columns.iloc[kept], self.outcomes.iloc[kept], self.patients[kept])


def chosen_columns() -> Rows:
    """Return the stays with the columns of the experiment."""
    stays = diabetes()
    return Rows(stays.context.join(stays.medications), stays.outcomes, stays.patients)


def all_columns() -> Rows:
    """Return the same stays with every published column but the discharge, diagnoses as codes, and the patient."""
    stays = chosen_columns()
    table = fetch_diabetes().data.loc[stays.outcomes.index].drop(columns="discharge_disposition")
    for name in table.columns:
        if isinstance(table[name].dtype, pd.CategoricalDtype) and len(table[name].cat.categories) > 200:
            table[name] = table[name].cat.codes
    return Rows(table.assign(patient=stays.patients), stays.outcomes, stays.patients)


def boosting() -> Any:
    """Return gradient boosting, which usually predicts tables best."""
    return HistGradientBoostingClassifier(categorical_features="from_dtype", early_stopping=False, random_state=0)


def right(rows: Rows, target: str, model: Any, *, by_patient: bool, seed: int = 0) -> tuple[float, float, float]:
    """Return how often a model is right on a third of the rows, on its own, and how often the most frequent answer."""
    labels = TARGETS[target](rows.outcomes).astype(str).to_numpy()
    numbers = np.arange(len(labels))
    if by_patient:
        splitter = GroupShuffleSplit(1, test_size=1 / 3, random_state=seed)
        train, test = next(splitter.split(numbers, groups=rows.patients))
    else:
        train, test = train_test_split(numbers, test_size=1 / 3, random_state=seed)
    model.fit(rows.columns.iloc[train], labels[train])
    names, counts = np.unique(labels[train], return_counts=True)
    answers = [float(model.score(rows.columns.iloc[part], labels[part])) for part in (test, train)]
    return answers[0], answers[1], float((labels[test] == names[counts.argmax()]).mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the accuracy for every target, stays and columns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=None, help="use so many random stays; all by default")
    parser.add_argument("--boosting-only", action="store_true", help="leave out the experiment's network")
    chosen = parser.parse_args(arguments)
    console = Console(width=150)
    shown = Table("target", "stays", "columns", "split by", "model", "test", "training", "most frequent answer")
    sources = {"the experiment's": chosen_columns(), "all, and the patient's number": all_columns()}
    for columns, source in sources.items():
        for stays, rows in (("all", source), ("first of each patient", source.first_stays())):
            some = _sample(rows, chosen.rows)
            splits = [True, False] if stays == "all" else [True]
            for by_patient in splits:
                for target in TARGETS:
                    models = {"boosting": boosting()}
                    if columns == "the experiment's" and by_patient and not chosen.boosting_only:
                        models["network"] = network(0)
                    for name, model in models.items():
                        found = right(some, target, model, by_patient=by_patient)
                        split = "patient" if by_patient else "row"
                        shown.add_row(target, stays, columns, split, name, *[f"{share:.3f}" for share in found])
                        sys.stderr.write(f"{target}, {stays}, {columns}, {split}, {name}: {found[0]:.3f}\n")
    console.print(shown)


def _sample(rows: Rows, n: int | None) -> Rows:
    if n is None or n >= len(rows.patients):
        return rows
    kept = np.sort(np.random.default_rng(0).choice(len(rows.patients), n, replace=False))
    return Rows(rows.columns.iloc[kept], rows.outcomes.iloc[kept], rows.patients[kept])


if __name__ == "__main__":
    main()
