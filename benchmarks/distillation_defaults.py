"""What the defaults of `evoter.distil` rest on: EVOTER_DATA=... python benchmarks/distillation_defaults.py.

On development tables that `benchmarks/distillation.py` does not have, a forest or boosted trees are imitated with other
shares of probabilities in the targets (0 is classes alone, 1 is probabilities alone) and other prices of a condition,
from the same rows and queries. Stratified splits 70/30, whose seeds begin at 500, so that they are not those of other
benchmarks. A line has means over tables and splits: fidelity on the test rows, its standard error (of the differences
from the best line, paired by split), the mean distance of probabilities, accuracy, conditions and CPU seconds. With
`--front`, twins are chosen from a front as `distil` does by default: the best of four runs at the price of the first.
"""

import argparse
import os
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split

from distillation import TEST_SHARE, with_indicators
from evoter import EvoterClassifier
from evoter.distillation.black_boxes import Answers, read_black_box
from evoter.distillation.distilling import PRICE, asked_evidence, learn_twin

TABLES = ("ionosphere", "pima", "vehicle", "titanic", "tic_tac_toe", "segment")
SHARES = (0.0, 0.5, 1.0)
PRICES = (1.0, 2.0, 4.0, 8.0)
FIRST_SEED = 500
Figures = tuple[float, float, float, float, float]


def read_table(name: str) -> tuple[Any, Any]:
    """Return the features and the classes of a development table."""
    table = pd.read_parquet(Path(os.environ["EVOTER_DATA"]) / "development" / f"{name}.parquet")
    labels = table.pop("target").astype(str).to_numpy()
    return table.drop(columns="split", errors="ignore"), labels


def teach(kind: str, seed: int, X: Any, y: Any) -> Any:
    """Return a fitted model to imitate."""
    if kind == "forest":
        return with_indicators(RandomForestClassifier(300, random_state=seed)).fit(X, y)
    return with_indicators(HistGradientBoostingClassifier(random_state=seed)).fit(X, y)


def measure(name: str, kind: str, seed: int, *, front: bool) -> dict[tuple[float, float], Figures]:
    """Imitate a model on one split of a table with every share and price, or with a front at the default price."""
    X, y = read_table(name)
    train, test = train_test_split(np.arange(len(X)), test_size=TEST_SHARE, random_state=seed, stratify=y)
    teacher = teach(kind, seed, X.iloc[train], y[train])
    seen = asked_evidence(
        read_black_box(teacher),
        X.iloc[train].reset_index(drop=True),
        X.iloc[test],
        test,
        y[test],
        None,
        np.random.default_rng(seed),
        EvoterClassifier(),
    )
    said, unseen = seen.answers, seen.answers_unseen
    assert isinstance(said, Answers)
    assert isinstance(unseen, Answers)
    found: dict[tuple[float, float], Figures] = {}
    for share in SHARES:
        for price in PRICES if not front else (PRICE,):
            begun = time.process_time()
            model = EvoterClassifier(random_state=seed, n_jobs=1)
            if front:
                model = learn_twin(model, seen, softness=share).model
            else:
                model.fit_probabilities(seen.learnt, said.probabilities, said.classes, softness=share, price=price)
            seconds = time.process_time() - begun
            own, gaps = model.predict(seen.unseen), np.abs(model.predict_proba(seen.unseen) - unseen.probabilities)
            found[share, price] = (
                float(np.mean(own == unseen.labels)),
                float(gaps.sum(axis=1).mean() / 2.0),
                float(np.mean(own == y[test])),
                float(model.ruleset_.n_conditions),
                seconds,
            )
    return found


def main() -> None:
    """Measure all shares and prices, and print a table after every data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", default=TABLES)
    parser.add_argument("--teacher", choices=["forest", "boosting"], default="forest")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--front", action="store_true", help="choose twins from a front, at the default price")
    given = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    figures: dict[tuple[float, float], list[Figures]] = defaultdict(list)
    for name in given.tables:
        own: dict[tuple[float, float], list[Figures]] = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + given.splits):
            for choice, each in measure(name, given.teacher, seed, front=given.front).items():
                own[choice].append(each)
                figures[choice].append(each)
        report(f"{name}, {given.teacher}", own)
    report(f"all, {given.teacher}", figures)


def report(name: str, figures: dict[tuple[float, float], list[Figures]]) -> None:
    """Print the means of every share and price."""
    sys.stdout.write(f"{name}\n| probabilities | price | fidelity | ± | distance | accuracy | conditions | CPU s |\n")
    sys.stdout.write("|---:|---:|---:|---:|---:|---:|---:|---:|\n")
    fidelities = {choice: np.array(rows)[:, 0] for choice, rows in figures.items()}
    best = max(fidelities.values(), key=lambda each: float(each.mean()))
    for (share, price), rows in figures.items():
        fidelity, distance, accuracy, size, seconds = np.mean(rows, axis=0)
        spread = np.std(best - fidelities[share, price], ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else np.nan
        sys.stdout.write(
            f"| {share:g} | {price:g} | {fidelity:.4f} | {spread:.4f} | {distance:.3f} | {accuracy:.3f} | {size:.1f} | "
            f"{seconds:.1f} |\n"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
