"""`evoter fit` under guardrails: the options, what is shown and recorded, their price, and `evoter check` afterwards."""

import json
from pathlib import Path

import pytest

from commands import QUICK, fails, patients, run, run_json, shown_and_printed, write_rows
from project import ROOT

FIT = ("fit", "p.csv", "--target", "risk", *QUICK)
RAILS = ("--pin", "age > 85 -> high", "--forbid-feature", "region", "--forbid", "age < 25 -> never high",
         "--monotone", "age=increasing", "--monotone-order", "low,high")  # fmt: skip


@pytest.fixture
def table(folder: Path) -> Path:
    return write_rows(folder / "p.csv", patients())


def test_guardrails_are_kept_shown_recorded_and_checked(folder: Path, table: Path) -> None:
    result = run(*FIT, *RAILS, "--guardrail-price")
    assert result.exit_code == 0, result.output
    assert "kept on every input" in result.stdout
    assert "as age rises, the decision never moves back in the order low, high" in result.stdout
    assert "they cost" in result.stdout
    record = json.loads((folder / "p.rules.fit.json").read_text(encoding="utf-8"))
    assert len(record["guardrails"]["sentences"]) == 4
    assert record["guardrail_price"]["where"] == "on 60 unseen rows"
    assert record["settings"]["forbidden_features"] == ["region"]
    text = (folder / "p.rules.txt").read_text(encoding="utf-8")
    assert text.startswith("1. pinned: age > 85 -> high\n")
    assert "no rule reads region" in (folder / "p.rules.html").read_text(encoding="utf-8")
    checked = run("check", "p.rules.json", "p.csv")
    assert checked.exit_code == 0, checked.output
    assert "guardrails  kept on every input, by the rules alone: rule 1 is fixed" in checked.stdout
    proved = run("prove", "p.rules.json", "--guardrails")
    assert proved.exit_code == 0, proved.output
    assert [line.split(":")[0] for line in proved.stdout.splitlines()] == ["proved"] * 4
    edited = run("edit", "p.rules.json", "--unpin", "1", "--drop", "1", "--dry-run")
    assert "   guardrails broken: rule 1 is not the pinned one" in edited.stdout


def test_an_edit_that_breaks_a_guardrail_fails_the_check(folder: Path, table: Path) -> None:
    assert run(*FIT, *RAILS).exit_code == 0
    edited = folder / "p.rules.txt"
    _, *others = edited.read_text(encoding="utf-8").splitlines()
    edited.write_text("\n".join(others).replace("Default -> low", "Default -> high"), encoding="utf-8")
    found = run_json("check", "p.rules.txt", "p.csv", code=1)["findings"]
    told = [each["message"] for each in found if each["about"] == "guardrails"]
    assert any(message.startswith("rule 1 is not the pinned one: age > 85 -> high") for message in told)
    assert any(message.startswith("the default is high, also where it is forbidden") for message in told)


def test_simplification_keeps_guards_that_training_never_needed(folder: Path, table: Path) -> None:
    assert run(*FIT, "--forbid", "age > 95 -> never high").exit_code == 0
    assert "age <= 95" in (folder / "p.rules.txt").read_text(encoding="utf-8"), "the oldest are 90"
    assert "age <= 95" in run("simplify", "p.rules.json").stdout
    (folder / "p.rules.fit.json").unlink()
    assert "age <= 95" not in run("simplify", "p.rules.json").stdout, "without the record it is not known"


def test_shorter_numbers_must_not_move_a_guard(folder: Path, table: Path) -> None:
    assert run(*FIT, "--forbid", "age > 95.37 -> never high").exit_code == 0
    message, hint = fails("simplify", "p.rules.json", "p.csv", "--shorten")
    assert message.startswith("the simpler rules would break a guardrail: rule 1 may take high where it is forbidden")
    assert hint == "leave out --shorten"


def test_a_record_that_makes_no_sense_is_refused(folder: Path, table: Path) -> None:
    assert run(*FIT, *RAILS).exit_code == 0
    path = folder / "p.rules.fit.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["guardrails"]["monotone"] = {"age": "up"}
    path.write_text(json.dumps(record), encoding="utf-8")
    message, _ = fails("check", "p.rules.json", "p.csv")
    assert "guardrails.monotone.age: must be one of" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--monotone", "age"], "--monotone 'age' is not of the form COLUMN=DIRECTION"),
        (["--monotone", "age=up"], "--monotone: there is no direction 'up'"),
        (["--monotone", "age=increasing", "--monotone", "age=decreasing"], "--monotone names 'age' twice"),
        (["--monotone-order", "low,high"], "--monotone-order has no effect without --monotone"),
        (["--guardrail-price"], "--guardrail-price has no effect without guardrails"),
        (["--forbid-feature", "agee"], "forbidden_features: there is no feature 'agee'"),
        (["--pin", "region = north -> low", "--forbid-feature", "region"], "pinned rule 1"),
    ],
)
def test_what_makes_no_sense_is_refused(table: Path, options: list[str], message: str) -> None:
    told, _ = fails(*FIT, "--yes", *options)
    assert told.startswith(message)


def test_the_page_shows_real_output(folder: Path) -> None:
    shown = shown_and_printed(ROOT / "docs" / "guardrails.md")
    assert len(shown) == 3
    for expected, printed in shown:
        assert printed == expected
