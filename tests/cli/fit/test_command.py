"""Tests of `evoter fit`: what it writes, what it says, and how it ends."""

import gzip
import hashlib
import json
import os
import random
import re
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer

import evoter
from commands import QUICK, Terminal, fails, patients, process, run, run_json, write_rows
from evoter.cli.output import ExitCode


def test_it_shows_what_the_columns_are(fitted: Path) -> None:
    output = (fitted / "output.txt").read_text(encoding="utf-8")
    for line in (
        "patient    identifier",
        "age        number",
        "region     category",
        "smoker     yes/no",
        "4 whole numbers; codes? --category",
        "left out: always the same",
        "left out: dates; --dates reads parts of them",
        "risk       target",
    ):
        assert line in output


def test_it_ends_with_rules_accuracy_and_files(fitted: Path) -> None:
    output = (fitted / "output.txt").read_text(encoding="utf-8")
    assert "coverage" in output
    assert "precision" in output
    assert "of 60 unseen rows (95% interval" in output
    assert "always predicting" in output
    for suffix in ("json", "txt", "html", "fit.json"):
        assert f"patients.rules.{suffix}" in output
        assert (fitted / f"patients.rules.{suffix}").stat().st_size > 100


def test_text_and_json_are_the_same_rules(fitted: Path) -> None:
    rules = evoter.load("patients.rules.json")
    assert evoter.parse((fitted / "patients.rules.txt").read_text(encoding="utf-8")) == rules
    assert "age" in rules.features_used


def test_the_record_tells_how_it_was_made(fitted: Path) -> None:
    record = json.loads((fitted / "patients.rules.fit.json").read_text(encoding="utf-8"))
    assert record["data"]["sha256"] == hashlib.sha256((fitted / "patients.csv").read_bytes()).hexdigest()
    assert record["rules"]["sha256"] == hashlib.sha256((fitted / "patients.rules.json").read_bytes()).hexdigest()
    assert record["target"] == "risk"
    assert record["split"]["train_rows"] == 180
    assert record["split"]["test_rows"] == 60
    assert record["settings"]["random_state"] == 0
    figures = record["figures"]["test"]
    assert figures["interval"][0] < figures["accuracy"] < figures["interval"][1]
    assert figures["accuracy"] > figures["baseline"]
    assert sum(rule["decided"] for rule in figures["rules"]) == 60
    parts = {column["name"]: column["part"] for column in record["columns"]}
    assert parts == {
        "patient": "left out",
        "age": "feature",
        "region": "feature",
        "smoker": "feature",
        "ward": "feature",
        "clinic": "left out",
        "admitted": "left out",
        "risk": "target",
    }


def test_the_same_seed_gives_the_same_rules(fitted: Path, tmp_path: Path) -> None:
    again = run_json("fit", "patients.csv", "-t", "risk", "-o", str(tmp_path / "again"), *QUICK)
    assert again["files"][0] == str(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (fitted / "patients.rules.json").read_bytes()


@pytest.mark.parametrize("kind", ["tsv", "semicolon", "gz", "parquet", "xlsx", "stdin"])
def test_every_kind_of_table_gives_the_same_rules(kind: str, fitted: Path, tmp_path: Path) -> None:
    frame = pl.read_csv("patients.csv", null_values="NA")
    stdin = None
    path = tmp_path / f"patients.{kind}"
    if kind == "tsv":
        frame.write_csv(path, separator="\t")
    elif kind == "semicolon":
        frame.write_csv(path, separator=";")
    elif kind == "gz":
        path.write_bytes(gzip.compress((fitted / "patients.csv").read_bytes()))
    elif kind == "parquet":
        frame.write_parquet(path)
    elif kind == "xlsx":
        frame.write_excel(path)
    else:
        stdin = (fitted / "patients.csv").read_bytes()
    table = "-" if kind == "stdin" else str(path)
    result = run("fit", table, "-t", "risk", "-o", str(tmp_path / "same.json"), *QUICK, stdin=stdin)
    assert result.exit_code == 0, result.output
    ours, theirs = (evoter.load(each) for each in (tmp_path / "same.json", fitted / "patients.rules.json"))
    assert ours == theirs
    assert ours.records == theirs.records
    assert ours.counts is not None
    assert theirs.counts is not None
    assert ours.counts == replace(theirs.counts, data=ours.counts.data), "only the name of the table differs"


def test_the_users_word_about_columns_counts(fitted: Path, tmp_path: Path) -> None:
    record = run_json(
        "fit", "patients.csv", "-t", "risk", "-o", str(tmp_path / "m"), "--category", "ward", "--drop", "smoker",
        "--id", "patient", "--numeric", "age", *QUICK,
    )  # fmt: skip
    kinds = {column["name"]: (column["part"], column["kind"]) for column in record["columns"]}
    assert kinds["ward"] == ("feature", "category")
    assert kinds["smoker"][0] == "left out"
    assert kinds["patient"][0] == "id"
    assert record["id"] == "patient"


def test_rows_of_one_person_say_less_than_rows_of_many(folder: Path) -> None:
    visits = [{"who": f"P{n // 4}", "x": f"{n // 4}.5", "y": "late" if n % 8 >= 4 else "soon"} for n in range(160)]
    write_rows(folder / "visits.csv", visits)
    result = run("fit", "visits.csv", "-t", "y", "--id", "who", *QUICK)
    assert result.exit_code == 0, result.output
    assert "rows with the same 'who' are alike: for new ones the interval is wider" in result.stdout


def test_rules_are_exported_too(fitted: Path, tmp_path: Path) -> None:
    exports = ("--export", "sql", "--export", "html")
    result = run("fit", "patients.csv", "-t", "risk", "-o", str(tmp_path / "m"), *exports, *QUICK)
    assert result.exit_code == 0, result.output
    report, rules = (tmp_path / name for name in ("m.html", "m.export.html"))
    assert "Decisions explained" in report.read_text(encoding="utf-8")
    assert "Decisions explained" not in rules.read_text(encoding="utf-8")
    assert "CASE" in (tmp_path / "m.sql").read_text(encoding="utf-8")
    assert "m.sql" in result.stdout


@pytest.mark.parametrize(
    ("table", "options"),
    [("data.txt", ("-o", "data.json")), ("data.txt", ("-o", "data")), ("data.sql", ("-o", "data", "--export", "sql"))],
)
def test_the_table_is_never_replaced(table: str, options: tuple[str, ...], folder: Path) -> None:
    path = write_rows(folder / table, patients(60))
    content = path.read_bytes()
    message, hint = fails("fit", table, "--target", "risk", *QUICK, *options)
    assert message == f"{table!r} is the table, which would be replaced"
    assert hint == "choose another name with --output"
    assert [each.name for each in folder.iterdir()] == [table]
    assert path.read_bytes() == content


def test_quiet_says_nothing(fitted: Path, tmp_path: Path) -> None:
    result = run("fit", "patients.csv", "-t", "risk", "-o", str(tmp_path / "m"), "--quiet", *QUICK)
    assert (result.exit_code, result.output) == (0, "")


def test_all_rows_can_be_learnt_from(fitted: Path, tmp_path: Path) -> None:
    result = run("fit", "patients.csv", "-t", "risk", "-o", str(tmp_path / "m"), "--test", "0", *QUICK)
    assert "no rows were held out" in result.stdout


def test_limits_on_groups_are_shown_with_what_was_reached(fitted: Path, tmp_path: Path) -> None:
    result = run(
        "fit", "patients.csv", "--target", "risk", "--protected", "region", "--drop", "region",
        "--limit", "selection_rate_ratio=0.1", "--limit", "recall(high)=0.5", "--pin", "age > 85 -> high",
        "--output", str(tmp_path / "limited.json"), "--yes", *QUICK,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for name, limit in (("selection_rate_ratio", "0.1"), ("recall(high)", "0.5")):
        pattern = rf"^{re.escape(name)} is 0\.\d\d\d on the training rows, at least {limit} was asked for$"
        assert re.search(pattern, result.stdout, re.MULTILINE), result.stdout


def test_objectives_limits_and_settings_reach_evolution(fitted: Path, tmp_path: Path) -> None:
    place = str(tmp_path / "m")
    record = run_json(
        "fit", "patients.csv", "-t", "risk", "-o", place, "--objective", "accuracy", "--objective", "complexity",
        "--limit", "complexity=3", "--setting", "soft_targets=0", "--max-conditions", "2", "--time", "20", *QUICK,
    )  # fmt: skip
    assert record["settings"]["objectives"] == ["accuracy", "complexity"]
    assert record["settings"]["constraints"] == {"complexity": 3.0}
    assert record["settings"]["settings"] == {"soft_targets": 0}
    assert record["rules"]["conditions"] <= 3


def test_a_target_of_numbers_is_cut_into_classes(fitted: Path, tmp_path: Path) -> None:
    record = run_json("fit", "patients.csv", "-t", "age", "--cut", "55", "-o", str(tmp_path / "m"), *QUICK)
    assert set(record["classes"]) == {"<= 55", "> 55"}
    assert record["rows_without_label"] > 0


def test_units_are_part_of_the_rules(fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = ("--unit", "age=years", "--numeric", "ward", "--unit", "ward=no.", "-o", str(path))
    record = run_json("fit", "patients.csv", "-t", "risk", *options, *QUICK)
    assert record["units"] == {"age": "years", "ward": "no."}
    assert "years -> " in str(evoter.load(path)) or "years AND" in str(evoter.load(path))
    assert run("compare", str(path), "patients.csv", "--model", "none").exit_code == 0  # reads the record's units


def test_classes_have_the_names_that_are_given(fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    names = ("--label", "high=in danger", "--label", "low=safe")
    record = run_json("fit", "patients.csv", "-t", "risk", *names, "-o", str(path), *QUICK)
    assert set(record["classes"]) == {"in danger", "safe"}
    assert record["labels"] == {"high": "in danger", "low": "safe"}
    assert evoter.load(path).schema.actions == ("in danger", "safe")
    assert "in danger" in path.with_suffix(".html").read_text(encoding="utf-8")
    predicted = run("predict", str(path), "patients.csv").stdout
    assert ",in danger," in predicted
    plain = run_json("check", str(fitted / "patients.rules.json"), "patients.csv")
    named = run_json("check", str(path), "patients.csv")
    assert named["accuracy"] == plain["accuracy"]


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (
            ["patients.csv", "-t", "risk", "--label", "hig=x"],
            "--label: there is no class 'hig'",
            "did you mean 'high'?",
        ),
        (["patients.csv", "-t", "risk", "--label", "high=low"], "gives 2 classes the name 'low'", "different names"),
        (["patients.csv", "-t", "risk", "--label", "high"], "is not of the form NAME=VALUE", "NAME=VALUE"),
        (["patients.csv", "-t", "risk", "--label", "high="], "has nothing after '='", "--label high=NAME"),
        (["patients.csv", "-t", "risk", "--unit", "ag=years"], "there is no column 'ag'", "did you mean 'age'?"),
        (["patients.csv", "-t", "risk", "--unit", "region=km"], "'region' is not a numeric column", "--numeric region"),
        (["patients.csv", "-t", "risk", "--unit", "age=a", "--unit", "age=b"], "names 'age' twice", "give it once"),
        (["patientz.csv", "-t", "risk"], "there is no file 'patientz.csv'", "did you mean 'patients.csv'?"),
        (["patients.csv"], "no column to predict was given", "name it with --target"),
        (["patients.csv", "-t", "Risk"], "patients.csv has no column 'Risk'", "did you mean 'risk'?"),
        (["patients.csv", "-t", "clinic"], "the target 'clinic' is always 'main'", "nothing to predict"),
        (["patients.csv", "-t", "patient"], "the target 'patient' has 240 different values", "a few classes"),
        (["patients.csv", "-t", "age", "--task", "classes"], "looks like an amount", "--cut 5"),
        (["patients.csv", "-t", "risk", "--drop", "wards"], "no column 'wards'", "did you mean 'ward'?"),
        (["patients.csv", "-t", "risk", "--drop", "risk"], "'risk' was given two roles", "a column is"),
        (["patients.csv", "-t", "risk", "--numeric", "region"], "'region' has no numbers, such as", "--drop"),
        (["patients.csv", "-t", "risk", "--metric", "acuracy"], "unknown metric 'acuracy'", "did you mean 'accuracy'"),
        (["patients.csv", "-t", "risk", "--preset", "papr"], "there is no preset 'papr'", "did you mean 'paper'?"),
        (["patients.csv", "-t", "risk", "--limit", "conditions=3"], "cannot limit 'conditions'", ""),
        (["patients.csv", "-t", "risk", "--limit", "complexity"], "is not of the form NAME=VALUE", "NAME=VALUE"),
        (
            ["patients.csv", "-t", "risk", "--setting", "soft_target=1"],
            "unknown setting 'soft_target'",
            "'soft_targets'",
        ),
        (["patients.csv", "-t", "risk", "--time", "0"], "--time 0 is not a positive number", "--time 60"),
        (["patients.csv", "-t", "risk", "--test", "2"], "--test 2 is out of range", "--test 0.25"),
        (["patients.csv", "-t", "risk", "--export", "word"], "unknown format 'word'", "known: text"),
        (["patients.csv", "-t", "risk", "-o", "nowhere/m"], "there is no directory 'nowhere'", "mkdir -p nowhere"),
        (["patients.csv", "-t", "risk", "--seed", "-1"], "Invalid value for '--seed'", "evoter fit --help"),
        (["patients.csv", "-t", "risk", "--tset", "1"], "No such option", "evoter fit --help"),
        (["--target", "risk"], "Missing argument 'TABLE'", "evoter fit --help"),
    ],
)
def test_wrong_use_gives_one_line_and_a_hint(arguments: list[str], message: str, hint: str, fitted: Path) -> None:
    said, hinted = fails("fit", *arguments)
    assert message in said
    assert hint in hinted


def test_errors_are_json_too(fitted: Path) -> None:
    described = run_json("fit", "patients.csv", code=2)
    assert described["error"] == "no column to predict was given"
    assert described["exit_code"] == 2


def test_a_leak_is_pointed_out(folder: Path) -> None:
    rows = [row | {"outcome_code": "7" if row["risk"] == "high" else "3"} for row in patients(120)]
    write_rows(folder / "leaky.csv", rows)
    result = run("fit", "leaky.csv", "-t", "risk", *QUICK)
    finding = "determines risk by itself for 100.0% of the rows: is it known beforehand?"
    assert f"! {finding}" in " ".join(result.stdout.split())
    record = json.loads((folder / "leaky.rules.fit.json").read_text(encoding="utf-8"))
    assert record["warnings"] == [f"'outcome_code' {finding} If not: --drop"]
    assert "determines risk by itself for 100.0% of the rows" in (folder / "leaky.rules.html").read_text("utf-8")


def write_visits(path: Path, separator: str = ",") -> Path:
    """Write breast cancer as visits: each patient comes eight times, with measurements that differ a little."""
    table = load_breast_cancer()
    rng = np.random.default_rng(0)
    who = rng.permutation(np.repeat(rng.choice(len(table.target), 60, replace=False), 8))
    columns = [list(table.feature_names).index(name) for name in ("mean smoothness", "mean symmetry", "texture error")]
    noisy = table.data[who][:, columns] * rng.normal(1, 0.05, (len(who), len(columns)))
    rows = [
        {
            "patient_id": str(3000 + 17 * number),
            "cost": f"${1000 * values[0]:,.2f}".join(['"', '"']),
            "share": f"{100 * values[1]:.1f}%",
            "margin": f"({1000 * values[2]:.0f})",
            "outcome": "benign" if table.target[number] else "malignant",
        }
        for number, values in zip(who.tolist(), noisy, strict=True)
    ]
    return write_rows(path, rows, separator)


def test_patients_with_several_visits_are_on_one_side_and_it_is_said_everywhere(folder: Path) -> None:
    """Rules learnt the numbers of patients, and were right about 92% of visits of patients that they knew."""
    write_visits(folder / "visits.csv")
    result = run("fit", "visits.csv", "-t", "outcome", *QUICK)
    assert result.exit_code == 0, result.output
    said = "'patient_id' looks like an identifier (60 values that repeat, 8 rows each): rules do not read it"
    assert f"! {said}" in result.stdout
    record = json.loads((folder / "visits.rules.fit.json").read_text("utf-8"))
    assert (record["id"], record["id_recognised"], record["split"]["by_id"]) == ("patient_id", True, True)
    assert record["warnings"][0].startswith(said)
    assert "patient_id" not in record["rules"]["features"]
    assert "looks like an identifier (60 values that repeat" in (folder / "visits.rules.html").read_text("utf-8")
    assert re.search(r"Row \d+ \(patient_id \d+\): ", (folder / "visits.rules.html").read_text("utf-8"))
    compared = run("compare", "visits.rules.json", "visits.csv", "--model", "majority")
    assert f"on {record['split']['test_rows']} rows held out when the rules were fitted" in compared.stdout
    known = run_json("fit", "visits.csv", "-t", "outcome", "--numeric", "patient_id", "-o", "known", *QUICK)
    assert known["split"]["by_id"] is False
    assert known["figures"]["test"]["accuracy"] > record["figures"]["test"]["accuracy"] + 0.1, "what the split hides"


def test_cells_with_units_are_numbers_and_predict_reads_them_alike(folder: Path) -> None:
    write_visits(folder / "visits.csv")
    result = run("fit", "visits.csv", "-t", "outcome", *QUICK)
    shown = " ".join(result.stdout.split())
    assert "cost number" in shown
    assert "in $: '$" in shown
    assert "in percent: '" in shown
    table = pl.read_csv("visits.csv", infer_schema=False)
    plain = table.with_columns(
        pl.col("cost").str.replace_all(r"[$,]", ""),
        pl.col("share").str.strip_chars("%"),
        "-" + pl.col("margin").str.strip_chars("()"),
    )
    plain.write_csv("plain.csv")
    decided = run_json("predict", "visits.rules.json", "visits.csv")["predictions"]
    assert run_json("predict", "visits.rules.json", "plain.csv")["predictions"] == decided
    assert run_json("predict", "visits.rules.txt", "visits.csv")["predictions"] == decided
    (folder / "visits.rules.fit.json").unlink()
    assert run_json("predict", "visits.rules.json", "visits.csv")["predictions"] == decided
    assert len({each["prediction"] for each in decided}) == 2


def test_a_leak_of_97_per_cent_is_in_terminal_record_and_report(folder: Path) -> None:
    rng = random.Random(3)
    rows = [
        row | {"code": row["risk"] if rng.random() < 0.97 else {"high": "low", "low": "high"}[row["risk"]]}
        for row in patients(400)
    ]
    for row in rows:
        row["age"] = str(rng.randint(20, 90))
    write_rows(folder / "leaky.csv", rows)
    result = run("fit", "leaky.csv", "-t", "risk", *QUICK)
    assert "nearly determines risk by itself for 97." in " ".join(result.stdout.split())
    (warning,) = json.loads((folder / "leaky.rules.fit.json").read_text("utf-8"))["warnings"]
    assert warning.startswith("'code' nearly determines risk by itself for 97.")
    assert "nearly determines risk by itself for 97." in (folder / "leaky.rules.html").read_text("utf-8")


def fit_in_terminal(folder: Path, *arguments: str) -> Terminal:
    """Fit a table as a person does, who is asked about its columns."""
    write_rows(folder / "patients.csv", patients())
    return Terminal("fit", "patients.csv", "-t", "risk", "-o", "talked.json", *arguments, folder=folder)


def test_a_person_is_asked_and_can_correct(folder: Path) -> None:
    terminal = fit_in_terminal(folder, *QUICK)
    for times, answer in enumerate(["category wrd", "category ward", "y"], start=1):
        terminal.read_until("[Y/n]", times)
        terminal.type(answer)
    assert terminal.end() == ExitCode.OK, terminal.said
    assert "has no column 'wrd': did you mean 'ward'" in terminal.said
    assert terminal.said.count("Are the columns read correctly?") == 3
    record = json.loads((folder / "talked.fit.json").read_text(encoding="utf-8"))
    assert {column["name"]: column["kind"] for column in record["columns"]}["ward"] == "category"


def test_no_means_no(folder: Path) -> None:
    terminal = fit_in_terminal(folder, *QUICK)
    terminal.read_until("[Y/n]")
    terminal.type("n")
    assert terminal.end() == ExitCode.CHECK_FAILED
    assert "nothing was fitted" in terminal.said
    assert not (folder / "talked.json").exists()


def test_ctrl_c_keeps_the_best_rules_so_far(folder: Path) -> None:
    terminal = fit_in_terminal(folder, "--yes", "--time", "120", "--patience", "100000")
    terminal.read_until("best 0.")  # of the line that shows progress
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == ExitCode.INTERRUPTED, terminal.said
    assert "interrupted: keeping the best rules so far" in terminal.said
    assert "of 60 unseen rows" in terminal.said
    assert evoter.load(folder / "talked.json").rules
    assert json.loads((folder / "talked.fit.json").read_text(encoding="utf-8"))["run"]["ended"] == "interrupted"


def test_a_process_writes_only_json_to_standard_output(folder: Path) -> None:
    write_rows(folder / "patients.csv", patients())
    done = process("fit", "patients.csv", "-t", "risk", "--json", *QUICK, folder=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["target"] == "risk"


@pytest.mark.skipif("EVOTER_DATA" not in os.environ, reason="set EVOTER_DATA to a directory that holds published data")
def test_real_tables_are_understood(folder: Path) -> None:
    data = Path(os.environ["EVOTER_DATA"]) / "crx.data"
    record = run_json("fit", str(data), "--no-header", "-t", "column 16", "-o", "credit", *QUICK)
    assert record["classes"] == {"-": 383, "+": 307}
    assert {column["name"] for column in record["columns"] if column["kind"] == "number"} == {
        f"column {place}" for place in (2, 3, 8, 11, 14, 15)
    }
    assert sum(column["missing"] for column in record["columns"]) == 67
    assert record["figures"]["test"]["accuracy"] > 0.8
    message, hint = fails("fit", str(data), "-t", "class")
    assert "columns 9 and 10 are both named 't'" in message
    assert "--no-header" in hint


def test_a_table_without_a_header(folder: Path) -> None:
    rows = [f"{k % 7},t,t,{'+' if k % 7 > 3 else '-'}" for k in range(70)]
    (folder / "nameless.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    message, hint = fails("fit", "nameless.csv", "-t", "class")
    assert "columns 2 and 3 are both named 't'" in message
    assert "--no-header" in hint
    record = run_json("fit", "nameless.csv", "--no-header", "-t", "column 4", *QUICK)
    assert record["classes"] == {"-": 40, "+": 30}


def test_overfitting_is_said_everywhere(folder: Path) -> None:
    rng = random.Random(3)
    rows = [{**{name: f"{rng.random():.4f}" for name in "abcd"}, "y": rng.choice("pq")} for _ in range(160)]
    write_rows(folder / "noise.csv", rows)
    options = (
        "-t",
        "y",
        "--parsimony",
        "0",
        "--setting",
        "soft_targets=0",
        "--population",
        "200",
        "--generations",
        "40",
    )
    result = run("fit", "noise.csv", *options, "--jobs", "1")
    assert result.exit_code == 0, result.output
    record = json.loads((folder / "noise.rules.fit.json").read_text("utf-8"))
    told = record["overfitting"]
    assert told["found"] is True
    assert told["train"]["rows"] == record["split"]["train_rows"]
    assert told["train"]["right"] / told["train"]["rows"] == pytest.approx(record["figures"]["train"]["accuracy"])
    said = " ".join(result.stderr.split())
    assert record["warnings"][-1] in said
    assert "so they are overfitted: try a higher parsimony (it was 0), fewer features, or more rows" in said
    assert "so they are overfitted" in (folder / "noise.rules.html").read_text("utf-8")
    again = run("fit", "noise.csv", *options, "--jobs", "1", "--json")
    assert json.loads(again.stdout)["overfitting"] == told
    assert "so they are overfitted" in again.stderr
    careful = run_json("fit", "noise.csv", "-t", "y", "-o", "careful", *QUICK)
    assert careful["overfitting"]["found"] is False
    assert careful["warnings"] == []
    assert run_json("fit", "noise.csv", "-t", "y", "-o", "all", "--test", "0", *QUICK)["overfitting"] is None


def test_the_winner_of_one_objective_can_be_selected(folder: Path) -> None:
    write_rows(folder / "patients.csv", patients())
    plain = run_json("fit", "patients.csv", "-t", "risk", "-o", "plain", *QUICK)
    chosen = run_json("fit", "patients.csv", "-t", "risk", "-o", "chosen", "--select", "neighbours", *QUICK)
    assert chosen["settings"]["select"] == "neighbours"
    assert chosen["figures"]["train"]["accuracy"] >= plain["figures"]["train"]["accuracy"] - 0.1


def test_it_says_what_was_optimised(folder: Path) -> None:
    """Accuracy has its own lines; of other metrics the terminal and the record have the figures."""
    write_rows(folder / "patients.csv", patients())
    result = run("fit", "patients.csv", "--target", "risk", "--metric", "roc_auc", *QUICK)
    record = json.loads((folder / "patients.rules.fit.json").read_text(encoding="utf-8"))
    optimised = record["optimised"]
    assert optimised["metric"] == "roc_auc"
    assert 0.5 < optimised["test"] <= 1.0
    shown = f"optimised for roc_auc: {optimised['test']:.4g} on unseen rows, {optimised['train']:.4g} on training rows"
    assert shown in result.output
