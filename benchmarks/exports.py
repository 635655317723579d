"""Compare the decisions of exported models with those of the models, on rows that try every border.

What a program cannot run here, because it is not installed, is left out, with the reason.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Printed
from sklearn.datasets import load_breast_cancer, load_iris

from evoter import EvoterClassifier
from evoter.datasets import DatasetError, fetch_credit_approval
from evoter.problems.deciding import decide_columns
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Kind
from evoter.tables import encode
from exported import WAYS
from exported_values import Table, Value

MODES = ("first", "hardmax", "vote")


class Task(NamedTuple):
    """A table to learn from."""

    name: str
    table: pd.DataFrame
    target: Sequence[Any] | NDArray[Any]


def _iris() -> Task:
    data = load_iris(as_frame=True)
    return Task("iris", data.data, data.target_names[data.target])


def _breast_cancer() -> Task:
    data = load_breast_cancer(as_frame=True)
    return Task("breast cancer", data.data, data.target_names[data.target])


def _visits() -> Task:
    """Make a table with categories, truth values and missing values, under names that need quotes."""
    rng = np.random.default_rng(0)
    n = 1_500
    colour = rng.choice(["red", "sea-green", 'the "blue"', "it's grey"], n)
    size, weight = rng.normal(20, 6, n).round(1), rng.normal(50, 15, n).round(2)
    wild = rng.random(n) < 0.4
    target = np.where((colour == "red") & wild, "keep", np.where(size > 0.4 * weight, "send back", "ask"))
    frame = pd.DataFrame({"colour of it": colour, "size (cm)": size, "weight's value": weight, "wild?": wild})
    hidden = rng.random(frame.shape) < 0.1
    return Task("visits", frame.astype({"wild?": object}).mask(hidden), target)


def _credit() -> Task:
    data = fetch_credit_approval(download=False)
    return Task("credit approval", data.data, data.target)


LOADERS: dict[str, Callable[[], Task]] = {
    "iris": _iris,
    "breast cancer": _breast_cancer,
    "visits": _visits,
    "credit approval": _credit,
}
"""The tables, by name."""


def tried_rows(ruleset: RuleSet, table: pd.DataFrame, n_rows: int) -> Table:
    """Draw rows from a table, with borders and their neighbours, infinities, unlisted categories and missing values."""
    rng = Random(0)
    return {
        feature.name: _tried_values(feature, ruleset, table[feature.name].tolist(), n_rows, rng)
        for feature in ruleset.schema.features
    }


def _tried_values(feature: Feature, ruleset: RuleSet, seen: list[Any], n_rows: int, rng: Random) -> list[Value]:
    present = [value for value in seen if not pd.isna(value)]
    odd: list[Value] = [None]
    if feature.kind is Kind.NUMERIC:
        constants = [
            condition.right
            for rule in ruleset.rules
            for condition in rule.conditions
            if condition.left.feature == feature.name and isinstance(condition.right, float)
        ]
        near = [float(np.nextafter(x, side)) for x in constants for side in (-np.inf, np.inf)]
        odd += [float("nan"), float("inf"), -float("inf"), *constants * 3, *near * 3]
        present = [float(value) for value in present]
    elif feature.kind is Kind.CATEGORICAL:
        odd += ["a category that nobody has seen", *feature.categories]
        present = [str(value) for value in present]
    else:
        odd += [True, False]
        present = [bool(value) for value in present]
    return [rng.choice(odd) if rng.random() < 0.3 else rng.choice(present) for _ in range(n_rows)]


def decisions(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide as the model does."""
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in table.items()})
    return [ruleset.schema.actions[action] for action in decide_columns(ruleset, encode(frame, ruleset.schema)).actions]


def learn(task: Task, generations: int) -> list[RuleSet]:
    """Learn rules and let them decide in every mode, as sure as their class is frequent among the rows they decided."""
    # Conditions are free, so that there are many rules and several for each class.
    model = EvoterClassifier(generations=generations, parsimony=0.0, random_state=0)
    model.fit(task.table, task.target)
    columns = {str(label): k for k, label in enumerate(model.classes_)}
    rules = [
        replace(rule, certainty=max(0.01, round(float(shares[columns[rule.action]]), 2)))
        for rule, shares in zip(model.ruleset_.rules, model.rule_probabilities_[:-1], strict=True)
    ]
    return [model.ruleset_.replace(rules=tuple(rules), mode=mode) for mode in MODES]


def check(name: str, ruleset: RuleSet, table: Table, formats: Sequence[str]) -> list[dict[str, Any]]:
    """Export a rule set in each format that can express its mode, and count the rows that are decided otherwise."""
    size = {"rules": len(ruleset.rules), "conditions": ruleset.n_conditions}
    records = []
    for form in formats:
        way = WAYS[form]
        fitted = way.fitting(ruleset, table)
        expected = decisions(ruleset, fitted)
        try:
            taken = way.run(ruleset, fitted)
        except RuleError as error:
            if f"mode {ruleset.mode}" not in str(error):
                raise
            continue
        wrong = sum(one != other for one, other in zip(taken, expected, strict=True))
        what = {"data": name, "mode": ruleset.mode.value, **size, "rows": len(expected)}
        records.append({"format": form, **what, "mismatches": wrong})
    return records


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many rows were checked in each format, and how many decisions differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="rows per model (10000)")
    parser.add_argument("--generations", type=int, default=30, help="generations of evolution per model (30)")
    parser.add_argument("--data", nargs="+", default=list(LOADERS), choices=LOADERS, help="some tables only")
    parser.add_argument("--formats", nargs="*", default=list(WAYS), choices=list(WAYS), help="some formats only")
    parser.add_argument("--json", type=Path, help="also write every count to this file")
    chosen = parser.parse_args(arguments)
    console = Console()
    records: list[dict[str, Any]] = []
    for form in chosen.formats:
        if WAYS[form].lacks:
            console.print(f"left out: {form}; {WAYS[form].lacks}")
    formats = [form for form in chosen.formats if not WAYS[form].lacks]
    for name in chosen.data:
        try:
            task = LOADERS[name]()
        except DatasetError as error:
            console.print(f"left out: {error}")
            continue
        for ruleset in learn(task, chosen.generations):
            records += check(task.name, ruleset, tried_rows(ruleset, task.table, chosen.rows), formats)
            size = f"{len(ruleset.rules)} rules, {ruleset.n_conditions} conditions"
            console.print(f"{task.name}, {size}, deciding by {ruleset.mode}: checked")
    if chosen.json:
        chosen.json.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    printed = Printed("format", "models", "rows", "mismatches", title="exports against the model")
    for name in formats:
        of_format = [record for record in records if record["format"] == name]
        rows, wrong = (sum(record[count] for record in of_format) for count in ("rows", "mismatches"))
        printed.add_row(name, str(len(of_format)), f"{rows:,}", f"{wrong:,}")
    console.print(printed)


if __name__ == "__main__":
    main()
