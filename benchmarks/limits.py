"""Whether limits of time hold for whole commands, and how much memory they take: tables that are wide, long or strange.

    python benchmarks/limits.py              all cases, a few minutes
    python benchmarks/limits.py classes      those whose name contains a text

Each case runs in a process of its own, after the kernels have been loaded by a small fit. A limit is kept if the whole
fit, or for the command line the whole command, takes at most 10 % and a second more.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from evoter import EvoterClassifier, EvoterPrescriptor

SLACK = 1.1, 1.0
"""The part of the limit, and the seconds beyond that, within which it counts as kept."""


@dataclass(frozen=True)
class Case:
    """A fit with a limit of time."""

    name: str
    limit: float
    run: Callable[[float], object]


def _table(n_rows: int, n_columns: int, n_classes: int = 2) -> tuple[pd.DataFrame, "pd.Series[str]"]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n_rows, n_columns)), columns=[f"c{n}" for n in range(n_columns)])
    score = X.iloc[:, 0].to_numpy() + 0.3 * rng.normal(size=n_rows)
    places = np.argsort(np.argsort(score)) * n_classes // n_rows
    return X, pd.Series([f"k{place:04}" for place in places], name="y")


def _classify(n_rows: int, n_columns: int, n_classes: int = 2) -> Callable[[float], object]:
    def run(limit: float) -> object:
        X, y = _table(n_rows, n_columns, n_classes)
        _small_fit()
        begin = time.perf_counter()
        EvoterClassifier(max_seconds=limit, generations=10**6, patience=None, random_state=0).fit(X, y)
        return time.perf_counter() - begin

    return run


def _small_fit() -> None:
    X, y = _table(40, 2)
    EvoterClassifier(generations=1, random_state=0).fit(X, y)


def _prescribe(n_rows: int, n_actions: int) -> Callable[[float], object]:
    def run(limit: float) -> object:
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.normal(size=(n_rows, 5)), columns=list("abcde"))
        actions = [f"a{n}" for n in range(n_actions)]
        taken = rng.choice(actions, n_rows)
        outcome = X["a"].to_numpy() * (taken == "a0") + rng.normal(size=n_rows)
        small = EvoterPrescriptor(generations=1, random_state=0)
        small.fit(X[:60], taken[:60] != "a0", outcome[:60])
        begin = time.perf_counter()
        EvoterPrescriptor(max_seconds=limit, generations=10**6, patience=None, random_state=0).fit(X, taken, outcome)
        return time.perf_counter() - begin

    return run


def _command(n_rows: int, n_columns: int, n_classes: int = 2) -> Callable[[float], object]:
    def run(limit: float) -> object:
        X, y = _table(n_rows, n_columns, n_classes)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            X.round(4).assign(y=y).to_csv(path, index=False)
            begin = time.perf_counter()
            command = [sys.executable, "-m", "evoter", "fit", str(path), "--target", "y", "--time", str(limit), "-y"]
            subprocess.run([*command, "--quiet"], check=True, capture_output=True, cwd=folder)  # where it writes
            return time.perf_counter() - begin

    return run


CASES = (
    Case("2,000 x 10,000 (pandas)", 10, _classify(2_000, 10_000)),
    Case("1,000,000 x 20", 30, _classify(1_000_000, 20)),
    Case("1,000,000 x 50", 60, _classify(1_000_000, 50)),
    Case("20,000 x 10, 300 classes", 10, _classify(20_000, 10, 300)),
    Case("20,000 x 10, 1,000 classes", 10, _classify(20_000, 10, 1_000)),
    Case("50,000 x 10, 5,000 classes", 10, _classify(50_000, 10, 5_000)),
    Case("prescriptor, 5,000 x 5, 200 actions", 10, _prescribe(5_000, 200)),
    Case("command, 500 x 5,000", 10, _command(500, 5_000)),
    Case("command, 20,000 x 10, 50 classes", 10, _command(20_000, 10, 50)),
    Case("command, 300,000 x 20", 15, _command(300_000, 20)),
)


def _run_here(name: str) -> None:
    warnings.simplefilter("ignore")
    case = next(case for case in CASES if case.name == name)
    seconds = case.run(case.limit)
    usage = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    sys.stdout.write(json.dumps({"seconds": seconds, "megabytes": usage / 1024}))


def main() -> None:
    """Run the cases and print a table."""
    if sys.argv[1:2] == ["--one"]:
        _run_here(sys.argv[2])
        return
    chosen = [case for case in CASES if not sys.argv[1:] or sys.argv[1] in case.name]
    sys.stdout.write(f"{'case':<42} {'limit':>7} {'used':>8} {'memory':>10}\n")
    for case in chosen:
        finished = subprocess.run(
            [sys.executable, __file__, "--one", case.name], capture_output=True, text=True, check=False
        )
        if finished.returncode != 0:
            last = (finished.stderr.strip().splitlines() or [f"status {finished.returncode}"])[-1]
            sys.stdout.write(f"{case.name:<42} {case.limit:>5} s  {last[:70]}\n")
            continue
        result = json.loads(finished.stdout)
        kept = result["seconds"] <= SLACK[0] * case.limit + SLACK[1]
        figures = f"{case.limit:>5} s {result['seconds']:>6.1f} s {result['megabytes']:>7,.0f} MB"
        sys.stdout.write(f"{case.name:<42} {figures}  {'' if kept else 'exceeded'}\n")


if __name__ == "__main__":
    main()
