"""PhysioNet Challenge 2009: will acute hypotension begin within the hour, told from ten hours minute by minute."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from sklearn.model_selection import RepeatedStratifiedKFold

from evoter.datasets import fetch_hypotension_2009
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from series_tasks.hypotension_measures import Labels, score
from series_tasks.hypotension_models import Model, Rules, Windowing, forest, tree
from series_tasks.hypotension_records import Record, show, write

ALARM = "hypotension"
RULES, TREE, FOREST = "EVOTER", "decision tree", "random forest"
MINUTES = (5, 10, 15, 20, 30, 60, 120)
N_WINDOWS = (1, 2, 5)
SIZES = ((1, 1), (1, 2), (2, 2))
"""Rules and conditions per rule, at most: sixty patients do not pay for more."""
FOLDS: dict[str, Any] = {"n_splits": 5, "n_repeats": 3, "random_state": 0}
COLUMNS = ("accuracy", "TPR", "FPR", "conditions", "seconds")


class Patients(NamedTuple):
    """Some of the patients, and whether they had an episode."""

    panel: Panel
    labels: Labels


class Choice(NamedTuple):
    """A kind of model, its windows and, for rules, their size; `accuracy` is that in cross-validation."""

    kind: str
    windowing: Windowing
    size: tuple[int, int] | None
    accuracy: float = 0.0

    def make(self, seed: int) -> Model:
        """Return the model, not yet fitted."""
        if self.kind == RULES:
            assert self.size is not None
            return Rules(self.windowing, seed, max_rules=self.size[0], max_conditions=self.size[1])
        return tree(self.windowing, seed) if self.kind == TREE else forest(self.windowing, seed)


FOUND = Choice(RULES, Windowing(30, 5), (1, 2))
"""What `choose` finds, for whoever does not want to search again."""


def load() -> tuple[Patients, dict[str, Patients]]:
    """Return the training patients, and the Challenge's test sets A and B and both together."""
    data = fetch_hypotension_2009()
    assert data.groups is not None
    assert data.published_test is not None
    panel = read_panel(data.data, channels=data.feature_names, units=data.units)
    in_a = data.published_test & np.char.startswith(data.groups.astype(str), "1")
    tests = {"A": in_a, "B": data.published_test & ~in_a, "A and B": data.published_test}
    train = np.flatnonzero(~data.published_test)
    return Patients(panel[train], data.target[train]), {
        name: Patients(panel[np.flatnonzero(chosen)], data.target[chosen]) for name, chosen in tests.items()
    }


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
    begin = time.perf_counter()
    model = choice.make(seed).fit(*train)
    seconds = time.perf_counter() - begin
    text = ""
    if model.ruleset is not None:
        text = model.ruleset.to_text(declarations=False, time_step=(choice.windowing.window, "min"))
    for test, patients in tests.items():
        scores = score(patients.labels, model.predict(patients.panel), ALARM)
        yield Record(test, name, seed, scores, model.n_conditions, seconds, text)
