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


def test_the_probability_and_its_basis_are_told(fitted: Path) -> None:
    """Explain used to say `certainty 1.0` of every decision."""
    told = run_json("explain", RULES, "patients.csv", "--row", "3")
    assert "certainty" not in told
    assert told["probability"] == told["probabilities"][told["decision"]]
    assert sum(told["probabilities"].values()) == pytest.approx(1.0)
    basis = told["basis"]
    assert 0 < basis["right"] <= basis["cases"]
    text = run("explain", RULES, "patients.csv", "--row", "3").stdout
    assert f"was right on {basis['right']} of {basis['cases']} training rows" in text


def test_rules_without_a_record_have_no_probability(folder: Path) -> None:
    (folder / "plain.rules").write_text("a > 2 -> 0.4*q; Default -> p\nwhere\n decide: hardmax", encoding="utf-8")
    told = run_json("explain", "plain.rules", "a=3")
    assert (told["probability"], told["probabilities"], told["basis"]) == (None, None, None)
    assert told["certainty"] == 0.4, "it influences decisions"


def test_the_nearest_change_is_shown_and_true(fitted: Path) -> None:
    case = ("age=80", "region=south", "smoker=true")
    (change, *_) = run_json("explain", RULES, *case)["changes"]
    values = dict(pair.split("=") for pair in case) | {
        name: str(each["after"]).lower() for name, each in change["features"].items()
    }
    again = run_json("explain", RULES, *(f"{name}={value}" for name, value in values.items()))
    assert again["decision"] == change["decision"] != "high"
    text = run("explain", RULES, *case).stdout
    assert f"it would be {change['decision']}" in text
    assert "it would be" not in run("explain", RULES, *case, "--changes", "0").stdout


def test_fixed_features_and_wanted_decisions(folder: Path) -> None:
    (folder / "loans.rules").write_text(
        "age < 25 AND income <= 30000 -> refuse; Default -> grant\nwhere\n age: numeric [18..90]\n"
        " income: numeric [0..200000]",
        encoding="utf-8",
    )
    case = ("explain", "loans.rules", "age=22", "income=28500")
    assert "with income 30001 instead of 28500" in run(*case).stdout
    assert "with age 25 instead of 22" in run(*case, "--fixed", "income", "--to", "grant").stdout
    assert len(run_json(*case, "--changes", "5")["changes"]) == 2
    nothing = run(*case, "--fixed", "income", "--fixed", "age")
    assert "no change of the features that may change alters the decision" in nothing.stdout
    assert fails(*case, "--fixed", "incom") == ("--fixed: the rules do not read 'incom'", "did you mean 'income'?")
    assert fails(*case, "--to", "refuse") == ("--to: the decision is 'refuse' already", "name another action")
    message, hint = fails(*case, "--to", "grant", "--changes", "0")
    assert (message, hint) == ("--to has no effect with --changes 0", "leave --changes out")
    assert fails(*case, "--to", "grnt") == ("--to: there is no action 'grnt'", "did you mean 'grant'?")


def test_several_rows_are_a_table(fitted: Path) -> None:
    result = run("explain", RULES, "patients.csv", "--row", "2-4")
    assert result.exit_code == 0, result.output
    head, _, *lines = result.stdout.splitlines()
    assert head.split() == ["row", "decision", "rule", "because"]
    assert [line.split()[0] for line in lines if line[:1].isdigit()] == ["2", "3", "4"]
    assert "3 rows of patients.csv" in result.stderr
    told = run_json("explain", RULES, "patients.csv", "--row", "2-4")["rows"]
    single = run_json("explain", RULES, "patients.csv", "--row", "3")
    assert told[1] == {name: single[name] for name in told[1]}
    assert len(run_json("explain", RULES, "patients.csv", "--row", "all")["rows"]) == 240
    assert len(run_json("explain", RULES, "patients.csv", "--row", "region=south")["rows"]) > 1
    message, hint = fails("explain", RULES, "patients.csv", "--row", "2-4", "--to", "low")
    assert (message, hint) == ("--to has no effect on several rows", "name one row: --row N")


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
        (["patients.csv", "--row", "9-2"], "--row 9-2: the first row comes after the last", "write --row 2-9"),
        (["patients.csv", "--row", "9-500"], "patients.csv has no row 500", "its rows are 1 to 240"),
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
