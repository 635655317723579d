"""Tests of `evoter simplify`: smaller, and the same decisions."""

from pathlib import Path

import evoter
from commands import fails, run, run_json

WORDY = """
age > 30 AND age > 50 -> high
age > 95 AND age < 10 -> high
region = north AND region != south -> low
Default -> low
where
  age: numeric [20..90], may be missing
  region: one of north | south | west
  actions: high | low
"""


def test_rules_become_fewer_and_decide_the_same(fitted: Path, tmp_path: Path) -> None:
    wordy = tmp_path / "wordy.rules"
    wordy.write_text(WORDY, encoding="utf-8")
    simple = tmp_path / "simple.json"
    result = run("simplify", str(wordy), "patients.csv", "--output", str(simple))
    assert result.exit_code == 0, result.output
    assert "same decision for 240 of 240 rows" in result.stderr
    assert "3 rules, 6 conditions  ->  1 rule, 1 condition" in result.stderr
    assert evoter.load(simple).n_conditions == 1


def test_the_result_goes_to_a_pipe_as_text(tmp_path: Path) -> None:
    result = run("simplify", "-", stdin=WORDY)
    assert evoter.parse(result.stdout).n_conditions == 1
    described = run_json("simplify", str(_written(tmp_path)))
    assert described["before"]["conditions"] == 6
    assert described["rules"]["format"] == "evoter-ruleset"


def test_pruning_needs_a_table(fitted: Path, tmp_path: Path) -> None:
    assert fails("simplify", "patients.rules.json", "--prune")[0] == "--prune has no effect without a table"
    never = tmp_path / "never.rules"
    never.write_text("age > 1000 -> high; age > 50 -> high; Default -> low", encoding="utf-8")
    pruned = run("simplify", str(never), "patients.csv", "--prune")
    assert len(evoter.parse(pruned.stdout).rules) == 1


LONG = "0.7*age > 38.61 -> high; Default -> low; where age: numeric [20..90], may be missing; actions: high | low"


def test_numbers_are_shortened_on_the_rows_of_a_table_only_when_asked(fitted: Path) -> None:
    plain = run("simplify", "-", stdin=LONG)
    assert plain.stdout.startswith("1. age > 55.15714285714")
    assert "'age' is continuous, so that a shorter number would change some decision" in plain.stderr
    asked = run("simplify", "-", "patients.csv", "--shorten", stdin=LONG)
    assert asked.stdout.startswith(("1. age > 55 ", "1. age >= 56 ")), asked.stdout
    assert "same decision for 240 of 240 rows" in asked.stderr
    assert "decisions are the same on these rows; on others they may differ" in asked.stderr
    assert fails("simplify", "-", "--shorten", stdin=LONG)[0] == "--shorten has no effect without a table"


def test_a_step_makes_numbers_short_with_proof(tmp_path: Path) -> None:
    path = tmp_path / "whole.rules"
    path.write_text(LONG.replace("[20..90]", "[20..90], step 1"), encoding="utf-8")
    described = run_json("simplify", str(path))
    assert (described["guarantee"], described["still_long"]) == ("everywhere", [])
    assert described["rules"]["rules"][0]["conditions"][0]["right"] == 56


def _written(folder: Path) -> Path:
    path = folder / "wordy.rules"
    path.write_text(WORDY, encoding="utf-8")
    return path


def test_proofs_go_beyond_single_rules() -> None:
    rules = "x >= 3 -> a\nx < 5 -> a\ny > 1 -> c\nDefault -> b\n"
    assert "3 rules, 3 conditions" in run("simplify", "-", stdin=rules).stderr
    proved = run("simplify", "-", "--prove", stdin=rules)
    assert proved.stderr.splitlines() == ["3 rules, 3 conditions  ->  0 rules, 0 conditions"]
