"""Tests of `evoter explain`: rows by number, by value and by identifier, and values by hand."""

from pathlib import Path

import pytest

from commands import fails, patients, run, run_json, write_rows

RULES = "patients.rules.json"


def test_a_row_is_explained(fitted: Path) -> None:
    result = run("explain", RULES, "patients.csv", "--row", "3")
    assert result.exit_code == 0, result.output
    assert "decided: " in result.stdout
    assert "row 3 of patients.csv" in result.stderr


def test_rows_are_found_by_number_value_and_identifier(fitted: Path) -> None:
    by_number = run_json("explain", RULES, "patients.csv", "--row", "3")
    assert by_number == run_json("explain", RULES, "patients.csv", "--row", "patient=P-0002")
    assert by_number == run_json("explain", RULES, "patients.csv", "--row", "P-0002", "--id", "patient")
    predicted = run_json("predict", RULES, "patients.csv")["predictions"][2]
    assert by_number["decision"] == predicted["prediction"]
    deciding = [rule["number"] for rule in by_number["rules"] if rule["decided"]]
    assert deciding in ([predicted["rule"]], [])


def test_values_by_hand_and_changes_to_a_row(fitted: Path) -> None:
    by_hand = run_json("explain", RULES, "age=80", "region=south", "smoker=true")
    assert by_hand["decision"] == "high"
    assert by_hand["values"] == {"age": 80.0, "region": "south", "smoker": True}
    changed = run_json("explain", RULES, "patients.csv", "-r", "1", "age=20", "smoker=0", "region=north")
    assert changed["decision"] == "low"


def test_all_actions_are_told(folder: Path) -> None:
    (folder / "all.rules").write_text("a > 2 -> q; a > 1 -> s; Default -> p; where decide: all", encoding="utf-8")
    assert run_json("explain", "all.rules", "a=3")["actions"] == ["q", "s"]
    assert run_json("explain", "all.rules", "a=0")["actions"] == ["p"]


def test_an_empty_value_is_missing(fitted: Path) -> None:
    assert run_json("explain", RULES, "age=", "region=south", "smoker=true")["values"]["age"] is None


def test_a_category_that_the_rules_do_not_know_is_pointed_out(fitted: Path) -> None:
    result = run("explain", RULES, "patients.csv", "region=sout")
    assert "warning: 'sout' is not a category of region that the rules know; did you mean 'south'?" in result.stderr
    assert "warning" not in run("explain", RULES, "patients.csv", "region=south").stderr
    assert "warning" not in run("explain", RULES, "patients.csv", "region=").stderr


def test_a_column_without_values_names_no_row(fitted: Path, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "t.csv", [row | {"left": ""} for row in patients(5)])
    assert fails("explain", RULES, str(path), "--row", "left=3") == ("no row of t.csv has left=3", "left has no values")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["patients.csv", "--row", "500"], "patients.csv has no row 500", "its rows are 1 to 240"),
        (["patients.csv", "--row", "x"], "--row 'x' is not the number of a row", "--id COLUMN"),
        (["patients.csv", "--row", "patient=P-9"], "no row of patients.csv has patient=P-9", "its values are P-0000"),
        (["patients.csv", "--row", "patien=P-9"], "no column 'patien'", "did you mean 'patient'?"),
        (["--row", "3"], "--row has no effect without a table", "evoter explain patients.rules.json data.csv --row 1"),
        ([], "there is nothing to explain", "give values"),
        (["age=40"], "the given values lack", "an empty value means missing"),
        (["agee=40"], "the rules do not read 'agee'", "did you mean 'age'?"),
        (["age=old"], "age is numeric and cannot be 'old'", "age=NUMBER"),
        (["patients.csv", "other.csv"], "'patients.csv' and 'other.csv' cannot both be tables", "NAME=VALUE"),
    ],
)
def test_wrong_use_gives_one_line(arguments: list[str], message: str, hint: str, fitted: Path) -> None:
    said, hinted = fails("explain", RULES, *arguments)
    assert message in said
    assert hint in hinted
