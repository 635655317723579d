"""PhysioNet Challenge 2009: windows are chosen among training patients, and all models tested as published."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.model_selection import RepeatedStratifiedKFold

from evoter.experiments.hypotension.patients import ALARM, FOREST, RULES, TREE, Choice, Patients, load
from evoter.experiments.hypotension.window_models import Windowing, try_out
from series_tasks.hypotension_records import Record, show, write

MINUTES = (5, 10, 15, 20, 30, 60, 120)
N_WINDOWS = (1, 2, 5)
SIZES = ((1, 1), (1, 2), (2, 2))
"""Rules and conditions per rule, at most: sixty patients do not pay for more."""
FOLDS: dict[str, Any] = {"n_splits": 5, "n_repeats": 3, "random_state": 0}
COLUMNS = ("accuracy", "TPR", "FPR", "conditions", "seconds")


def windowings() -> Iterator[Windowing]:
    """Yield the windows to choose from: all that fit into the ten hours."""
    for window in MINUTES:
        for n_windows in N_WINDOWS:
            if window * n_windows <= 600:
                yield Windowing(window, n_windows)


def candidates() -> Iterator[Choice]:
    """Yield what there is to choose from, the smaller ones first."""
    for windowing in windowings():
        for size in SIZES:
            yield Choice(RULES, windowing, size)
        yield Choice(TREE, windowing, None)
        yield Choice(FOREST, windowing, None)


def validate(train: Patients, choice: Choice) -> Choice:
    """Return the choice with its accuracy in repeated cross-validation among the training patients."""
    hits = []
    for kept, held in RepeatedStratifiedKFold(**FOLDS).split(train.labels, train.labels):
        model = choice.make(0).fit(train.panel[kept], train.labels[kept])
        hits.append(float(np.mean(model.predict(train.panel[held]) == train.labels[held])))
    return choice._replace(accuracy=float(np.mean(hits)))


def choose(train: Patients, log: Console) -> dict[str, Choice]:
    """Choose windows for each kind of model, and the size of rules, on training patients alone."""
    best: dict[str, Choice] = {}
    for candidate in candidates():
        choice = validate(train, candidate)
        if choice.kind not in best or choice.accuracy > best[choice.kind].accuracy + 1e-9:
            best[choice.kind] = choice
            log.print(f"best so far: {_fact(choice)}", style="dim", highlight=False)
    return best


def run(runs: int, folder: Path, log: Console) -> list[Record]:
    """Choose windows, fit all models with several seeds, test them, and write everything down."""
    train, tests = load()
    chosen = choose(train, log)
    same = chosen[RULES].windowing
    models = {
        RULES: chosen[RULES],
        f"{TREE}, same windows": Choice(TREE, same, None),
        f"{FOREST}, same windows": Choice(FOREST, same, None),
        f"{TREE}, own windows": chosen[TREE],
        f"{FOREST}, own windows": chosen[FOREST],
    }
    records = [
        record
        for name, choice in models.items()
        for seed in range(runs)
        for record in _test(name, choice, seed, train, tests)
    ]
    write(folder, "hypotension-2009", records, COLUMNS, [_fact(choice) for choice in chosen.values()])
    show("PhysioNet 2009, published split", records, COLUMNS)
    return records


def _fact(choice: Choice) -> dict[str, Any]:
    return {
        "model": choice.kind,
        "windows": f"{choice.windowing.n_windows} of {choice.windowing.window} min",
        "rules x conditions": choice.size,
        "cross-validated accuracy": round(choice.accuracy, 4),
    }


def _test(name: str, choice: Choice, seed: int, train: Patients, tests: dict[str, Patients]) -> Iterator[Record]:
    step = (choice.windowing.window, "min")
    for test, trial in try_out(choice.make(seed), train, tests, ALARM, step).items():
        yield Record(test, name, seed, *trial)
