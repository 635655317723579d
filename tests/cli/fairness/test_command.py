"""`evoter audit` compares groups of a table, and `evoter fit` keeps limits on their differences."""

import json
from pathlib import Path

import pytest

from commands import QUICK, fails, patients, run, run_json, write_rows

RULES, TABLE = "patients.rules.json", "patients.csv"


def test_groups_are_compared_and_rules_named(fitted: Path) -> None:
    result = run(
        "audit", RULES, TABLE, "--protected", "region", "--protected", "age", "--bands", "age=40,60", width=160
    )
    assert result.exit_code == 0, result.output
    for words in ("under 40", "region & age", "what each rule adds", "Proxies"):
        assert words in result.stdout
    assert "errors look rarer than they are" in result.stderr


def test_json_has_everything(fitted: Path) -> None:
    described = run_json("audit", RULES, TABLE, "--protected", "region", "--favourable", "high", "--repair")
    assert described["favourable"] == ["high"]
    assert described["passed"]
    assert sum(group["rows"] for group in described["columns"][0]["groups"]) == described["rows"]
    assert described["repairs"]["options"][0]["way"] == "as it is"
    assert not any("unseen" in note for note in described["repairs"]["notes"])


def test_a_large_difference_fails(fitted: Path) -> None:
    arguments = ("audit", RULES, TABLE, "--protected", "age", "--bands", "age=50")
    assert run(*arguments, "--max-difference", "1").exit_code == 0
    result = run(*arguments, "--max-difference", "0", "--rate", "selection_rate", "--repair")
    assert result.exit_code == 1
    assert "more than 0" in result.stderr
    assert "without rule 1" in result.stdout
    assert "unseen" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--protected", "regoin"], "no column 'regoin'"),
        (["--protected", "region", "--favourable", "hihg"], "there is no decision 'hihg'"),
        (["--protected", "age", "--bands", "age=old"], "--bands age=old is not a list of numbers"),
        (["--protected", "age", "--bands", "region=3"], "--bands"),
        (["--protected", "age", "--repair", "--rate", "selection"], "there is no rate 'selection'"),
        ([], "--protected"),
    ],
)
def test_what_cannot_be_found_is_one_line(arguments: list[str], message: str, fitted: Path) -> None:
    found, hint = fails("audit", RULES, TABLE, *arguments)
    assert message in found
    assert hint


def test_repairs_need_labels(fitted: Path, tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name != "risk"} for row in patients(40)]
    path = write_rows(tmp_path / "unlabelled.csv", rows)
    assert run("audit", RULES, str(path), "--protected", "region").exit_code == 0
    assert "no labels" in fails("audit", RULES, str(path), "--protected", "region", "--repair")[0]


def test_a_fit_keeps_limits_on_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{**row, "sex": "f" if number % 2 else "m"} for number, row in enumerate(patients())]
    write_rows(tmp_path / "p.csv", rows)
    limits = ("--limit", "selection_rate_difference=0.02", "--limit", "recall(high)=0.6")
    result = run("fit", "p.csv", "--target", "risk", "--protected", "sex", "--drop", "sex", *limits, *QUICK)
    assert result.exit_code == 0, result.output
    record = json.loads((tmp_path / "p.rules.fit.json").read_text(encoding="utf-8"))
    assert record["settings"]["constraints"] == {"selection_rate_difference": 0.02, "recall(high)": 0.6}
    assert "Bias audit" in (tmp_path / "p.rules.html").read_text(encoding="utf-8")
    message, hint = fails("fit", "p.csv", "--target", "risk", *limits, *QUICK)
    assert "compares groups of rows" in message
    assert "--protected" in hint
