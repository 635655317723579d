"""The comparison with other classifiers counts, splits and tests as it says, and loses nothing when it is stopped."""

import doctest
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from rich.console import Console
from sklearn.tree import export_text

from evoter import parse
from project import ROOT
from steps import LEVELS, STEPS

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules


import compare
from comparison.catalogue import MODELS, Entry
from comparison.filling import Filled, Truths
from comparison.ordered import OrderedClasses
from comparison.records import Record, Store
from comparison.report import markdown
from comparison.running import Plan, run
from comparison.summary import dominating, summarise
from evoter.experiments.classification.evaluation import corrected_t_test
from evoter.experiments.classification.table_models import (
    decision_tree,
    naive_bayes,
)
from evoter.experiments.classification.task import Labels

BENCHMARKS = ROOT / "benchmarks"
SILENT = Console(quiet=True)
MODULES = sorted(path.stem for path in (BENCHMARKS / "comparison").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module = importlib.import_module(f"comparison.{name}")
    assert doctest.testmod(module).failed == 0


# Counting


def decisions_below(node: Any) -> int:
    return 0 if node is None or node.left is None else 1 + decisions_below(node.left) + decisions_below(node.right)


PRINTED: dict[str, Callable[[Any], int]] = {
    "hstree": lambda model: export_text(model.estimator.estimator_).count("<="),
    "figs": lambda model: sum(map(decisions_below, model.estimator.trees_)),
    "c45": lambda model: sum(
        node.getAttribute("flag") == "l" for node in model.estimator.dom_.getElementsByTagName("*")
    ),
    "boosted": lambda model: len(model.estimator.estimators_),
    "ripper": lambda model: sum(str(rules.learner.ruleset_).count("=") for _, rules in model.parts),
    "brcg": lambda model: sum(
        rule.count(" AND ") + 1 for _, rules in model.parts for rule in rules.learner.explain()["rules"]
    ),
    "rulekit": lambda model: sum(str(rule).partition(" THEN ")[0].count(" = ") for rule in model.learner.model.rules),
}
"""The same number read from what each model shows of itself."""


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.filterwarnings("ignore")
def test_what_is_counted_of_other_packages(name: str) -> None:
    entry = MODELS[name]
    if missing := entry.missing():
        pytest.skip(missing)
    model: Any = entry.make(0)
    model.fit(STEPS, LEVELS)
    assert np.mean(model.predict(STEPS) == LEVELS) >= 0.9
    assert model.complexity() == PRINTED[name](model) >= 2


def test_what_is_missing_is_said() -> None:
    entry = Entry("none", "Nothing", lambda seed: naive_bayes(), "nothing", "no_such_module_anywhere")
    assert entry.missing().startswith("Nothing is left out: nothing does not import here")
    assert MODELS["tree"].missing() == ""


class Below:
    """Rules for one class: the largest value that is below all others' decides."""

    def fit(self, X: pd.DataFrame, is_class: NDArray[np.bool_]) -> None:
        self.cut = X["x"][is_class].max()

    def covers(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        return np.asarray(X["x"] <= self.cut)

    def n_conditions(self) -> int:
        return 1


def test_classes_are_learnt_one_after_the_other_the_rarest_first() -> None:
    rows = STEPS.iloc[:26]
    y = np.repeat(["rare", "some", "most"], [4, 10, 12])
    model = OrderedClasses(Below)
    model.fit(rows, y)
    assert [name for name, _ in model.parts] == ["rare", "some"]
    assert (model.predict(rows) == y).all()
    assert model.complexity() == 2
    assert model.otherwise == "most"


# Preparing


def mixed(n: int = 8) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, 7.0, 8.0][:n],
            "kind": pd.Categorical([*"aabb", None, *"aab"][:n], list("abc")),
            "known": [True, False] * (n // 2),
        }
    )


def test_preparation_is_learnt_from_training_rows() -> None:
    """Rows of the other side change nothing, and their new categories and gaps are taken."""
    train, test = mixed(), mixed(4).assign(kind=pd.Categorical(["c", None, "a", "b"]), size=[100.0, np.nan, 0.0, 1.0])
    assert Filled().fit(train).transform(test)["size"].tolist() == [100, 5, 0, 1]
    assert Filled().fit(train).transform(test)["kind"].tolist() == ["c", "(missing)", "a", "b"]
    truths = Truths().fit(train).transform(test)
    assert set(np.unique(truths)) == {0, 1}
    assert truths.loc[1, "size"].sum() == 0, "a missing number passes no test"
    assert truths[("kind", "==", "a")].tolist() == [0, 0, 1, 0]
    assert truths[("known", "==", "True")].tolist() == [1, 0, 1, 0]


# Keeping


def record(model: str = "tree", seed: int = 0, accuracy: float = 0.5, complexity: int = 3, **more: Any) -> Record:
    known = {"data": "iris", "protocol": "clean", "version": "1", "digest": "d", "n_train": 70, "n_test": 30}
    values = {**known, "model": model, "split": seed, "test_accuracy": accuracy, "complexity": complexity, **more}
    return Record(**values)


def test_records_survive_and_a_broken_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    Store(path).add(record())
    with path.open("a", encoding="utf-8") as file:
        file.write('\n{"data": "iri')
    store = Store(path)
    store.add(record(seed=1))
    again = Store(path)
    assert again.get(record().key) == record()
    assert again.get(record(seed=1).key) == record(seed=1)
    assert again.get(record(version="2").key) is None


def test_a_row_is_the_mean_of_its_splits_beside_evoter() -> None:
    records = [record("evoter", seed, 0.9 + seed / 100, 2) for seed in range(4)]
    records += [record("tree", seed, 0.8 + seed / 50, 7) for seed in range(4)]
    evoter, tree = summarise(records)
    assert (evoter.test_accuracy, evoter.complexity) == pytest.approx((0.915, 2))
    assert evoter.p_value is None
    assert tree.p_value == pytest.approx(corrected_t_test([-0.1 + seed / 100 for seed in range(4)], 70, 30))
    assert summarise(records, one_split=["iris"])[1].p_value is None
    assert dominating([evoter, tree]) == []
    assert "| Iris | **EVOTER** |" in markdown([evoter, tree], ["clean"])


def test_who_is_ahead_is_said() -> None:
    ours, better, same, black_box = summarise(
        [record("evoter"), record("tree3", accuracy=0.6), record("tree5"), record("forest", accuracy=0.9)]
    )
    assert dominating([ours, better, same, black_box]) == [better]
    text = markdown([ours, better, same, black_box], ["clean"])
    assert "tree, depth 3 dominate EVOTER on: Iris." in text


def test_a_failure_is_shown_as_what_it_is() -> None:
    text = markdown(summarise([record("ripper", failure="no result in 5 s")]), ["clean"])
    assert "| Iris | RIPPER | no result in 5 s |" in text


# Running


class Slow:
    """A model that takes a second, or is stopped by its user."""

    def __init__(self, stopped: bool = False) -> None:
        self.stopped = stopped

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        if self.stopped:
            raise KeyboardInterrupt
        time.sleep(0.3)

    def predict(self, X: pd.DataFrame) -> Labels:
        return np.full(len(X), "setosa")

    def complexity(self) -> int:
        return 0

    def rules(self) -> str:
        return ""


def plan(make: Any, limit: float = 60, n_splits: int = 2) -> Plan:
    return Plan("clean", ["iris"], [Entry("tree", "tree", make)], range(n_splits), limit)


def test_what_takes_too_long_fails_once_and_is_tried_again_with_more_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "records.jsonl")
    late = run([plan(lambda seed: Slow(), limit=0.05)], store, SILENT)
    assert [found.failure for found in late] == ["no result in 0 s"], "later splits are not tried"
    done = run([plan(lambda seed: Slow(), limit=5)], store, SILENT)
    assert [found.failure for found in done] == ["", ""]
    assert done[0].test_accuracy == pytest.approx(1 / 3)


def test_a_model_that_ignores_its_seed_has_the_same_result_again(tmp_path: Path) -> None:
    """HSTree and FIGS of imodels draw from NumPy's global generator, whatever seed they are given."""

    class Drawing(Slow):
        def fit(self, X: pd.DataFrame, y: Labels) -> None:
            self.drawn = int(np.random.randint(1_000_000))  # noqa: NPY002

        def complexity(self) -> int:
            return self.drawn

    drawn = [
        [found.complexity for found in run([plan(lambda seed: Drawing())], Store(tmp_path / name), SILENT)]
        for name in ("once", "again")
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1], "another split is another draw"


def test_what_another_package_raises_is_its_result(tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise ValueError("only two classes")

    model = decision_tree(1, 0)
    model.estimator = SimpleNamespace(fit=lambda X, y: fail() if len(X) < 150 else None)
    (found,) = run([plan(lambda seed: model)], Store(tmp_path / "records.jsonl"), SILENT)
    assert found.failure == "ValueError: only two classes"


def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path) -> None:
    store = Store(tmp_path / "records.jsonl")
    n_made = 0

    def make(seed: int) -> Slow:
        nonlocal n_made
        n_made += 1
        return Slow(stopped=n_made == 3)  # the first is for warming up

    assert [found.split for found in run([plan(make)], store, SILENT)] == [0]
    assert [found.split for found in run([plan(lambda seed: Slow())], store, SILENT)] == [0, 1]


def test_the_command_runs_and_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One command makes tables, pictures and rules; the second time nothing is fitted."""
    arguments = ["--data", "iris", "--models", "evoter", "tree", "--splits", "2", "--output", str(tmp_path)]
    arguments += ["--protocol", "clean", "paper", "shuffled"]
    command = [sys.executable, str(BENCHMARKS / "compare.py"), *arguments]
    first = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    kept = (tmp_path / "records.jsonl").read_text(encoding="utf-8")
    assert len(kept.split("\n")) == 1 + 12
    compare.main(arguments)
    assert capsys.readouterr().out == first
    assert (tmp_path / "records.jsonl").read_text(encoding="utf-8") == kept
    rows = json.loads((tmp_path / "comparison.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["protocol"], row["model"]) for row in rows] == [
        (protocol, model) for protocol in ("clean", "paper", "shuffled") for model in ("evoter", "tree")
    ]
    assert all(row["test_accuracy"] > 0.8 for row in rows[:4])
    assert all(f"{row['test_accuracy']:.3f}" in first for row in rows)
    for protocol in ("clean", "paper"):
        assert (tmp_path / f"accuracy-{protocol}.png").stat().st_size > 10_000
    evolved = parse((tmp_path / "rules" / "iris-clean.rules").read_text(encoding="utf-8"))
    assert sum(len(rule.conditions) for rule in evolved.rules) > 0
