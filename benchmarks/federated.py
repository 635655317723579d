"""What it costs that rows stay at three sites: accuracy of federated rules beside those from pooled rows.

`EVOTER_DATA=... python benchmarks/federated.py` prints a table; `--splits 5` says how many stratified random splits of
70 to 30 are averaged, `--sets breast_cancer credit_approval` which sets. Training rows are dealt to three sites at
random, and test rows are the same for all. `EvoterClassifier` learns from all training rows, once as it is and once
without soft targets, which need a model of the rows, and from those of one site alone. Seconds are CPU seconds of all
sites and the coordinator. The number of unequal rule sets of one site with all rows must be 0.
"""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from evoter import EvoterClassifier
from evoter.datasets import fetch_contraceptive_choice, fetch_credit_approval
from evoter.federated import FederatedClassifier, LaplaceNoise, Site
from evoter.rules.schema import Schema
from evoter.tables import ColumnWarning

N_SITES = 3
Table = tuple[pd.DataFrame, pd.Series]


def _breast_cancer() -> Table:
    found = load_breast_cancer(as_frame=True)
    return found.data, found.target


def _published(fetch: Callable[..., Any]) -> Callable[[], Table]:
    def load() -> Table:
        found = fetch(download=False)
        return found.data, pd.Series(np.asarray(found.target))

    return load


SETS: dict[str, Callable[[], Table]] = {
    "breast_cancer": _breast_cancer,
    "credit_approval": _published(fetch_credit_approval),
    "contraceptive": _published(fetch_contraceptive_choice),
}


class Trial(NamedTuple):
    """What a model achieved on the test rows of a split."""

    accuracy: float
    n_conditions: int
    seconds: float


def dealt(rows: np.ndarray, n_sites: int, seed: int) -> list[np.ndarray]:
    """Deal rows to sites at random."""
    return np.array_split(np.random.default_rng(seed).permutation(rows), n_sites)


def pooled(X: pd.DataFrame, y: pd.Series, train: np.ndarray, seed: int, **parameters: Any) -> EvoterClassifier:
    """Fit the usual classifier to some rows."""
    return EvoterClassifier(random_state=seed, **parameters).fit(X.iloc[train], y.iloc[train])


def federated(
    X: pd.DataFrame,
    y: pd.Series,
    parts: Sequence[np.ndarray],
    seed: int,
    least: int,
    *,
    noise: tuple[float, float] | None = None,
    schema: Schema | None = None,
    **parameters: Any,
) -> FederatedClassifier:
    """Fit rules to rows at sites; `noise` is the budget of each site and that of a table."""
    sites = [
        Site(
            X.iloc[part],
            y.iloc[part],
            name=f"site {number}",
            min_cell_count=least,
            noise=None if noise is None else LaplaceNoise(epsilon=noise[0], per_table=noise[1]),
        )
        for number, part in enumerate(parts)
    ]
    return FederatedClassifier(random_state=seed, schema=schema, **parameters).fit(sites)


def trials_of(X: pd.DataFrame, y: pd.Series, seed: int) -> tuple[dict[str, Trial], bool]:
    """Return what each way gives on one split, and whether one site with all rows gave the same rules."""
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=seed, stratify=y)
    parts = dealt(train, N_SITES, seed)
    ways: dict[str, Callable[[], Any]] = {
        "pooled, EvoterClassifier": lambda: pooled(X, y, train, seed),
        "pooled, without soft targets": lambda: pooled(X, y, train, seed, settings={"soft_targets": 0.0}),
        "one site alone, EvoterClassifier": lambda: pooled(X, y, parts[0], seed),
        "three sites": lambda: federated(X, y, parts, seed, 1),
        "three sites, counts below 5 suppressed": lambda: federated(X, y, parts, seed, 5),
    }
    found, models = {}, {}
    for name, fit in ways.items():
        begin = time.process_time()
        models[name] = model = fit()
        seconds = time.process_time() - begin
        accuracy = float(np.mean(model.predict(X.iloc[test]) == y.iloc[test].to_numpy()))
        found[name] = Trial(accuracy, model.ruleset_.n_conditions, seconds)
    whole = federated(X, y, [train], seed, 1)
    return found, whole.ruleset_ == models["three sites"].ruleset_


def noisy_trials(n_rows: int, seeds: Sequence[int]) -> dict[str, list[Trial]]:
    """Return what noise costs on many made-up rows: two informative features of ten, and a tenth of labels wrong."""
    found: dict[str, list[Trial]] = {}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.uniform(0.0, 1.0, (n_rows, 10)).round(4), columns=[f"x{n}" for n in range(10)])
        truth = (X["x0"] > 0.6) | ((X["x1"] > 0.7) & (X["x2"] < 0.5))
        y = (truth ^ (rng.random(n_rows) < 0.1)).map({True: "yes", False: "no"})
        test, parts = np.arange(n_rows // 2), dealt(np.arange(n_rows // 2, n_rows), N_SITES, seed)
        plain = federated(X, y, parts, seed, 1, generations=20, population_size=50)
        settings: dict[str, Any] = {"generations": 20, "population_size": 50, "schema": plain.schema_}
        for epsilon in (None, 100.0, 10.0, 1.0):
            noise = None if epsilon is None else (epsilon, epsilon / 1_200)
            begin = time.process_time()
            model = federated(X, y, parts, seed, 1, noise=noise, **settings)
            accuracy = float(np.mean(model.predict(X.iloc[test]) == truth.map({True: "yes", False: "no"}).iloc[test]))
            trial = Trial(accuracy, model.ruleset_.n_conditions, time.process_time() - begin)
            found.setdefault("none" if epsilon is None else f"epsilon {epsilon:g}", []).append(trial)
    return found


def _print(title: str, rows: dict[str, list[Trial]]) -> None:
    sys.stdout.write(f"\n| {title} | accuracy | conditions | CPU seconds |\n|---|---|---|---|\n")
    for name, trials in rows.items():
        accuracy, size, seconds = np.mean(trials, axis=0)
        sys.stdout.write(f"| {name} | {accuracy:.3f} | {size:.1f} | {seconds:.1f} |\n")
    sys.stdout.flush()


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--noise-rows", type=int, default=60_000, help="rows of the trial with noise; 0 leaves it out")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ColumnWarning)
    for name in options.sets:
        X, y = SETS[name]()
        rows: dict[str, list[Trial]] = {}
        n_unequal = 0
        for seed in range(options.splits):
            found, equal = trials_of(X, y, seed)
            n_unequal += not equal
            for way, trial in found.items():
                rows.setdefault(way, []).append(trial)
        _print(f"{name}, {len(y):,} rows, {options.splits} splits", rows)
        sys.stdout.write(f"\nunequal rule sets of one site with all rows: {n_unequal} of {options.splits}\n")
        sys.stdout.flush()
    if options.noise_rows:
        _print(f"noise, {options.noise_rows // 2:,} rows", noisy_trials(options.noise_rows, range(2)))


if __name__ == "__main__":
    main()
