"""What it costs that rows stay at three sites: accuracy of federated rules beside those from pooled rows.

`EVOTER_DATA=... python benchmarks/federated.py` prints a table; `--splits 5` says how many stratified random splits of
70 to 30 are averaged, `--sets breast_cancer credit_approval` which sets. Training rows are dealt to three sites at
random, and test rows are the same for all. `EvoterClassifier` learns from all training rows, once as it is and once
without soft targets, which need a model of the rows, and from those of one site alone. Seconds are CPU seconds of all
sites and the coordinator. The number of unequal rule sets of one site with all rows must be 0. `--causes` compares
instead what may explain the difference: pooled runs that lack, one by one, what sites lack, and federated runs that
have more of what they have.
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

from evoter import EvoterClassifier, dumps
from evoter.datasets import fetch_contraceptive_choice, fetch_credit_approval
from evoter.federated import FederatedClassifier, LaplaceNoise, Site
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.targets.soft_targets import hold_out, soften
from evoter.rules.schema import Schema
from evoter.tables import ColumnWarning, encode, infer_schema

N_SITES = 3
SOFTNESS = 0.7
"""What soft targets are by default."""

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
    groups: bool | None = None,
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
            microaggregate=groups,
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
        "three sites, counts below 5 suppressed": lambda: federated(X, y, parts, seed, 5, groups=False),
        "three sites, groups of 5 rows or more": lambda: federated(X, y, parts, seed, 5),
    }
    found, models = {}, {}
    for name, fit in ways.items():
        found[name], models[name] = judged(fit, X, y, test)
    whole = federated(X, y, [train], seed, 1)
    return found, dumps(whole.ruleset_) == dumps(models["three sites"].ruleset_)


def told_by_sites(X: pd.DataFrame, y: pd.Series, parts: Sequence[np.ndarray], seed: int) -> EvoterClassifier:
    """Fit the usual classifier to soft targets that each site makes by models of its own rows."""
    labels = np.unique(y)
    rows = np.concatenate(list(parts))
    targets = []
    for part in parts:
        schema = infer_schema(X.iloc[part], actions=[str(label) for label in labels])
        codes = np.searchsorted(labels, y.iloc[part])
        problem = ClassificationProblem(schema, encode(X.iloc[part], schema), codes, measure="accuracy")
        held_out = hold_out(*problem.lines(np.arange(len(codes))), codes, len(labels), np.ones(len(codes)))
        assert held_out is not None
        targets.append(soften(held_out.probabilities, codes, SOFTNESS))
    model = EvoterClassifier(random_state=seed)
    return model.fit_probabilities(X.iloc[rows], np.concatenate(targets), classes=labels)


def causes_of(X: pd.DataFrame, y: pd.Series, seed: int) -> dict[str, Trial]:
    """Return what each way gives on one split that lacks something, or has more of it."""
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=seed, stratify=y)
    chance = 1.0 / np.sqrt(len(train))
    hard: dict[str, Any] = {"soft_targets": 0.0}
    small = {**hard, "refinement_interval": 5, "refinement_moves": 40}
    ways: dict[str, Callable[[], Any]] = {
        "pooled": lambda: pooled(X, y, train, seed),
        "pooled, soft targets by three sites": lambda: told_by_sites(X, y, dealt(train, N_SITES, seed), seed),
        "pooled, no soft targets": lambda: pooled(X, y, train, seed, settings=hard),
        "and a price of 0.2": lambda: pooled(X, y, train, seed, parsimony=0.2 * chance, settings=hard),
        "and no sums": lambda: pooled(X, y, train, seed, settings={**hard, "sum_rate": 0.0}),
        "and as few generations and moves as federated": lambda: pooled(
            X, y, train, seed, generations=60, patience=30, population_size=200, settings=small
        ),
        "federated": lambda: federated(X, y, [train], seed, 1),
        "federated, a price of 0.2": lambda: federated(X, y, [train], seed, 1, parsimony=0.2 * chance),
        "federated, 512 constants": lambda: federated(X, y, [train], seed, 1, n_cuts=512),
        "federated, three times the moves": lambda: federated(
            X, y, [train], seed, 1, settings={"refinement_moves": 120}
        ),
        "federated, no sums": lambda: federated(X, y, [train], seed, 1, settings={"sum_rate": 0.0}),
    }
    return {name: judged(fit, X, y, test)[0] for name, fit in ways.items()}


def judged(fit: Callable[[], Any], X: pd.DataFrame, y: pd.Series, test: np.ndarray) -> tuple[Trial, Any]:
    """Return what a way of fitting achieves on test rows, and the model."""
    begin = time.process_time()
    model = fit()
    seconds = time.process_time() - begin
    accuracy = float(np.mean(model.predict(X.iloc[test]) == y.iloc[test].to_numpy()))
    return Trial(accuracy, model.ruleset_.n_conditions, seconds), model


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
    parser.add_argument("--first", type=int, default=0, help="the number of the first split, which is its seed")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--noise-rows", type=int, default=60_000, help="rows of the trial with noise; 0 leaves it out")
    parser.add_argument("--causes", action="store_true", help="compare what may explain the difference")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ColumnWarning)
    seeds = range(options.first, options.first + options.splits)
    for name in options.sets:
        X, y = SETS[name]()
        rows: dict[str, list[Trial]] = {}
        n_unequal = 0
        for seed in seeds:
            found, equal = (causes_of(X, y, seed), True) if options.causes else trials_of(X, y, seed)
            n_unequal += not equal
            for way, trial in found.items():
                rows.setdefault(way, []).append(trial)
        _print(f"{name}, {len(y):,} rows, {options.splits} splits", rows)
        if not options.causes:
            sys.stdout.write(f"\nunequal rule sets of one site with all rows: {n_unequal} of {options.splits}\n")
        sys.stdout.flush()
    if options.noise_rows:
        _print(f"noise, {options.noise_rows // 2:,} rows", noisy_trials(options.noise_rows, range(2)))


if __name__ == "__main__":
    main()
