"""`evoter fit` on a target of numbers: the task is chosen and named, files are written, and other commands read them."""

import json
from pathlib import Path

import numpy as np
import pytest

from commands import QUICK, fails, run, run_json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("numbers")
    draw = np.random.default_rng(0)
    age, sex = draw.integers(18, 90, 300), draw.choice(["f", "m"], 300)
    weight = np.where(age > 50, 80.0, 60.0) + 10.0 * (sex == "m") + draw.normal(0.0, 1.0, 300)
    lines = [f"{a},{s},{w:.2f}" for a, s, w in zip(age, sex, weight, strict=True)]
    (place / "table.csv").write_text("\n".join(["age,sex,weight", *lines]) + "\n")
    return place


@pytest.fixture(scope="module")
def rules(folder: Path) -> str:
    table = str(folder / "table.csv")
    path = str(folder / "rules.json")
    record = run_json("fit", table, "--target", "weight", "-o", path, "--export", "sql", "--export", "python", *QUICK)
    assert record["task"] == "numbers"
    assert record["figures"]["test"]["figures"]["r2"] > 0.9
    assert {Path(file).name for file in record["files"]} == {
        "rules.json", "rules.txt", "rules.html", "rules.fit.json", "rules.sql", "rules.py",
    }  # fmt: skip
    return path


def test_the_task_is_chosen_and_named(folder: Path) -> None:
    result = run("fit", str(folder / "table.csv"), "-t", "weight", "-o", str(folder / "shown.json"), "-y", *QUICK)
    assert result.exit_code == 0, result.output
    assert "task: predict numbers, 'weight' (it has" in result.stdout
    assert "unseen rows: R2 0.9" in result.stdout
    classes = run(
        "fit", str(folder / "table.csv"), "-t", "weight", "--cut", "70", "-o", str(folder / "c"), "-y", *QUICK
    )
    assert "task: predict classes of 'weight'" in classes.stdout
    few = run("fit", str(folder / "table.csv"), "-t", "age", "--task", "numbers", "-o", str(folder / "n"), "-y", *QUICK)
    assert "task: predict numbers, 'age' (as you said" in few.stdout


def test_other_commands_read_the_rules(rules: str, folder: Path) -> None:
    table = str(folder / "table.csv")
    result = run("predict", rules, table, "--only", "--interval")
    head, first, *_ = result.stdout.splitlines()
    assert head == "prediction,low,high,rule_cases,rule"
    number, low, high = map(float, first.split(",")[:3])
    assert low <= number <= high
    case = run_json("explain", rules, table, "--row", "1")
    assert case["number"] == number
    assert case["interval"] == [low, high]
    assert "R2 0.9" in run("show", rules, table).stdout
    assert "actions: numeric, target weight" in run("show", rules).stdout
    assert run_json("show", rules, table)["figures"]["r2"] > 0.9
    assert run("check", rules, table, "--min-r2", "0.9").exit_code == 0
    assert run("check", rules, table, "--min-r2", "0.9999").exit_code == 1
    assert run("simplify", rules, "-o", str(folder / "simple.json")).exit_code == 0
    assert json.loads((folder / "rules.fit.json").read_text())["target"] == "weight"


def test_what_has_no_meaning_for_numbers_is_refused(rules: str, folder: Path) -> None:
    table = str(folder / "table.csv")
    start = ("fit", table, "--target", "weight")
    for options in (("--balanced",), ("--repeat", "2"), ("--protected", "sex"), ("--monotone", "age=increasing")):
        message, _ = fails(*start, *options)
        assert message == f"{options[0]} is for classes, and numbers are predicted here"
    assert fails(*start, "--metric", "accuracy") == (
        "'accuracy' is no metric of numbers",
        "known: 'squared', 'absolute', 'poisson', 'quantile'",
    )
    assert fails(*start, "--task", "words") == ("there is no task 'words'", "known: auto, classes, numbers")
    assert "--task numbers" in fails(*start, "--task", "classes")[1]
    assert "which is no number" in fails("fit", table, "--target", "sex", "--task", "numbers")[0]
    assert fails("predict", rules, table, "--probability")[1] == "use --interval"
    assert fails("check", rules, table, "--min-accuracy", "0.5")[1] == "use --min-r2"


def test_edits_tell_the_mean_error_and_commands_for_classes_refuse(rules: str, folder: Path) -> None:
    table = str(folder / "table.csv")
    edited = run("edit", rules, table, "--add", "age > 200 -> 5.5", "--dry-run")
    assert edited.exit_code == 0, edited.output
    assert "mean error" in edited.stdout
    assert "accuracy" not in edited.stdout.replace("so the accuracy is optimistic", "")
    assert "predicts numbers, and evoter compare compares classifiers" in fails("compare", rules, table)[0]
    assert "an audit compares rates of classes" in fails("audit", rules, table, "--protected", "sex")[0]
