"""Tests of `evoter check`: what it finds, and the exit code that says so."""

from pathlib import Path

from commands import fails, patients, run, run_json, write_rows

RULES = "patients.rules.json"


def test_the_table_of_the_fit_passes(fitted: Path) -> None:
    result = run("check", RULES, "patients.csv", "--min-accuracy", "0.8")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == "check passed"
    assert "accuracy" in result.stdout


def test_names_of_files_are_printed_as_they_are(fitted: Path, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "[red]odd[x].csv", patients(30))
    assert run("check", RULES, str(path)).stdout.splitlines()[0] == f"{RULES} on [red]odd[x].csv"


def test_columns_that_are_not_there_fail(fitted: Path, tmp_path: Path) -> None:
    rows = [{name.title(): value for name, value in row.items()} for row in patients(30)]
    path = write_rows(tmp_path / "other.csv", rows)
    described = run_json("check", RULES, str(path), code=1)
    assert not described["passed"]
    assert {"level": "error", "about": "age", "message": "the table has no such column; did you mean 'Age'?"} in (
        described["findings"]
    )


def test_wrong_kinds_fail_and_drift_warns(fitted: Path, tmp_path: Path) -> None:
    rows = patients(60)
    rows[0]["age"], rows[1]["age"], rows[2]["region"] = "old", "140", "moon"
    path = write_rows(tmp_path / "odd.csv", rows)
    found = {
        (each["level"], each["about"]): each["message"]
        for each in run_json("check", RULES, str(path), code=1)["findings"]
    }
    assert "such as 'old'" in found["error", "age"]
    assert "outside [20..90], such as 140" in found["warning", "age"]
    assert "categories unknown to the rules: 'moon'" in found["warning", "region"]
    rows[0]["age"] = "50"
    write_rows(path, rows)
    assert run("check", RULES, str(path)).exit_code == 0
    assert run("check", RULES, str(path), "--strict").exit_code == 1


def test_idle_and_superfluous_rules_are_named(fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.rules"
    path.write_text(
        "age > 200 -> high; age > 50 AND age > 40 -> high; age > 60 -> high; Default -> low", encoding="utf-8"
    )
    output = run("check", str(path), "patients.csv", "--target", "risk").stdout
    assert "rule 1  never holds on these rows: age > 200 -> high" in output
    assert "rule 3  holds on some of these rows but never decides: age > 60 -> high" in output
    assert "conditions can be removed without changing any decision" in output


def test_too_low_an_accuracy_fails(fitted: Path, tmp_path: Path) -> None:
    assert "is below 99.9%" in run("check", RULES, "patients.csv", "--min-accuracy", "0.999").stdout
    assert run("check", RULES, "patients.csv", "--min-accuracy", "0.999").exit_code == 1
    unlabelled = write_rows(
        tmp_path / "new.csv", [{k: v for k, v in row.items() if k != "risk"} for row in patients(30)]
    )
    result = run("check", RULES, str(unlabelled), "--min-accuracy", "0.5")
    assert result.exit_code == 1
    assert "has no column of labels" in result.stdout


def test_rules_without_a_record_are_told_how_to_measure_accuracy(fitted: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.txt"
    edited.write_text("age > 55 -> high; Default -> low", encoding="utf-8")
    result = run("check", str(edited), "patients.csv")
    assert (
        "note     accuracy  not measured: name the column of correct labels, if there is one, with --target"
        in result.stdout
    )
    assert result.exit_code == 0
    assert "not measured" not in run("check", str(edited), "patients.csv", "--target", "risk").stdout


def test_labels_that_no_rule_can_answer(fitted: Path, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "new.csv", [*patients(30), patients(1)[0] | {"risk": "extreme"}])
    assert "labels  that are not actions of the rules: 'extreme'" in run("check", RULES, str(path)).stdout


def test_quiet_shows_only_what_is_wrong(fitted: Path) -> None:
    assert "ok " not in run("check", RULES, "patients.csv", "--quiet").stdout


def test_wrong_use(fitted: Path) -> None:
    assert fails("check", RULES)[0].startswith("Missing argument")
    assert fails("check", RULES, "patients.csv", "--min-accuracy", "90")[0].startswith("Invalid value")


def test_values_between_the_steps_of_a_feature_are_pointed_out(folder: Path) -> None:
    (folder / "some.rules").write_text(
        "x = 1 AND y > 2 -> a; Default -> b; where x: binary; y: numeric, step 0.1; actions: a | b", encoding="utf-8"
    )
    (folder / "some.csv").write_text("x,y\n0,0.3\n1,2.25\n0.5,1.1\n2,7\n", encoding="utf-8")
    said = run("check", "some.rules", "some.csv").output
    assert "1 row with a value that is not a multiple of the step 1, such as 0.5" in said
    assert "1 row outside [0..1], such as 2" in said
    assert "1 row with a value that is not a multiple of the step 0.1, such as 2.25" in said
