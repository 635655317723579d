"""Tests of `evoter prove`: claims, exit codes, JSON and mistakes."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from commands import fails, run, run_json
from project import ROOT

RULES = """
1. pain > 7 AND age >= 18 -> opioid
2. pain > 3 -> ibuprofen
3. Default -> none
"""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return str(path)


def test_proved_claims_end_with_0_and_refuted_ones_with_1(rules: str) -> None:
    proved = run("prove", rules, "--never", "age < 18 -> opioid", "--always", "3 < pain <= 7 -> ibuprofen")
    assert proved.exit_code == 0
    assert proved.stdout.splitlines() == [
        "proved: never opioid where age < 18",
        "proved: always ibuprofen where pain > 3 and pain <= 7",
    ]
    refuted = run("prove", rules, "--never", "age < 18 -> never opioid", "--never", "pain > 9 -> opioid")
    assert refuted.exit_code == 1
    assert "refuted: never opioid where pain > 9; not for pain = 10, age = 30, decided opioid" in refuted.stdout


def test_monotone_takes_the_order_of_the_actions(rules: str) -> None:
    order = ("--order", "none < ibuprofen < opioid")
    assert run("prove", rules, "--monotone", "pain", *order).exit_code == 0
    assert run("prove", rules, "--decreasing", "pain", *order).exit_code == 1
    assert run("prove", rules, "--decreasing", "pain", "--order", "opioid < ibuprofen < none").exit_code == 0


def test_claims_about_the_rules_themselves(rules: str) -> None:
    found = run_json("prove", rules, "--reachable", "--covered", "--disjoint", code=1)
    assert [(claim["claim"], claim["status"]) for claim in found["claims"]] == [
        ("rule 1 decides for some input", "proved"),
        ("rule 2 decides for some input", "proved"),
        ("some rule always holds", "refuted"),
        ("rules 1 and 2 never hold together", "refuted"),
    ]
    assert found["proved"] is False
    assert run("prove", rules, "--reachable").exit_code == 0
    Path(rules).write_text("x > 1 -> a\nx < 1 -> b\nDefault -> a\n", encoding="utf-8")
    apart = run("prove", rules, "--disjoint")
    assert (apart.exit_code, apart.stdout) == (0, "proved: no two rules with different actions hold together\n")


def test_a_counterexample_comes_with_the_command_that_explains_it(rules: str) -> None:
    Path(rules).write_text('"blood sugar" > 7 AND ward != "B 2" -> high\nDefault -> low\n', encoding="utf-8")
    refuted = run("prove", rules, "--always", '"blood sugar" > 7 -> high')
    command = shlex.split(refuted.stderr.splitlines()[0].removeprefix("  why: "))
    assert command[:2] == ["evoter", "explain"]
    explained = run(*command[1:])
    assert explained.exit_code == 0, explained.output
    assert "the default decided: low" in explained.stdout
    rising = run("prove", rules, "--decreasing", "blood sugar", "--order", "low < high")
    assert rising.stderr.count("  why: evoter explain") == 2
    assert "why" not in run("prove", rules, "--always", '"blood sugar" > 7 -> high', "--quiet").stderr


def test_json_has_the_counterexample(rules: str) -> None:
    found = run_json("prove", rules, "--always", "pain > 7 -> opioid", "--within-ranges", code=1)
    (claim,) = found["claims"]
    assert claim["status"] == "refuted"
    assert claim["counterexample"]["age"] < 18
    assert claim["decisions"] == [["ibuprofen"]]
    assert {"exact", "method", "seconds", "reason", "compared_with"} <= claim.keys()


def test_mistakes_are_told_with_a_remedy(rules: str) -> None:
    assert fails("prove", rules) == (
        "nothing to prove",
        "name a claim, such as --never 'age < 18 -> opioid'; evoter prove --help",
    )
    assert fails("prove", rules, "--never", "agee < 3 -> opioid")[1] == "did you mean 'age'?"
    assert fails("prove", rules, "--never", "age < 3")[1].startswith("write 'conditions -> action'")
    assert fails("prove", rules, "--always", "age < 3 -> never none")[1].startswith("write --never")
    assert "lacks" in fails("prove", rules, "--monotone", "pain", "--order", "none < opioid")[0]


def test_without_the_solver_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    path = tmp_path / "sums.txt"
    path.write_text("a + b > 10 -> high\nDefault -> low\n", encoding="utf-8")
    message, hint = fails("prove", str(path), "--always", "a > 6 AND a < b -> high")
    assert "the solver z3 is not installed" in message
    assert hint == 'pip install "evoter[proofs]"'


def test_the_page_shows_what_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files, commands = ([each for each in blocks if each.startswith("$") is wanted] for wanted in (False, True))
    for name, text in zip(("a.txt", "b.txt"), files, strict=False):
        Path(name).write_text(text, encoding="utf-8")
    assert len(commands) >= 3
    for block in commands:
        command, _, expected = block.partition("\n")
        assert run(*shlex.split(command.removeprefix("$ evoter "))).stdout == expected
