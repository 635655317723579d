"""Tests of `evoter verify`: its findings and its exit code."""

from pathlib import Path

import pytest

import evoter
from commands import fails, run, run_json
from evoter.studio.project import Project, Setup


@pytest.fixture
def rules(folder: Path) -> Path:
    """Return a rule file with one edit."""
    path = folder / "rules.json"
    evoter.save(evoter.parse("age > 60 -> old; Default -> young"), path)
    run("edit", "rules.json", "--replace", "1: age > 65 -> old", "--reason", "pensions", "--author", "Ada")
    return path


def test_a_whole_log_is_verified(rules: Path) -> None:
    result = run("verify", "rules.json", "--entries")
    assert result.exit_code == 0
    assert "rule 1: age > 60 -> old becomes age > 65 -> old" in result.stdout
    assert "pensions" in result.stdout
    assert result.stdout.splitlines()[-1] == "verified"
    described = run_json("verify", "rules.json")
    assert (described["verified"], described["state"]) == (True, "logged")
    assert described["entries"][1]["steps"] == [["replace", 1, "age > 65 -> old"]]
    assert described["head"] in result.stdout
    assert run("verify", "rules.json", "--head", described["head"][:16]).exit_code == 0


def test_a_broken_log_fails(rules: Path) -> None:
    log = rules.with_name("rules.json.log")
    log.write_bytes(log.read_bytes().replace(b"pensions", b"pension!"))
    result = run("verify", "rules.json")
    assert result.exit_code == 1
    assert "rules.json.log is broken at line 2: entry 2 was changed" in result.stdout
    assert result.stdout.splitlines()[-1] == "verification failed"
    assert run_json("verify", "rules.json", code=1)["verified"] is False


def test_changed_rules_and_other_heads_fail(rules: Path) -> None:
    assert run("verify", "rules.json", "--head", "0123456789ab").exit_code == 1
    assert "fewer than 12 digits" in fails("verify", "rules.json", "--head", "123")[0]
    rules.write_text(rules.read_text(encoding="utf-8").replace("65", "66"), encoding="utf-8")
    result = run("verify", "rules.json")
    assert result.exit_code == 1
    assert "rule 1: age > 65 -> old becomes age > 66 -> old" in result.stdout


def test_rules_without_a_log_and_no_file(folder: Path) -> None:
    evoter.save(evoter.parse("age > 60 -> old; Default -> young"), folder / "plain.json")
    result = run("verify", "plain.json")
    assert result.exit_code == 1
    assert "there is no plain.json.log" in result.stdout
    assert fails("verify", "none.json")[0].startswith("none.json")
    assert fails("verify", "-")[0].startswith("the log of rules stands beside their file")


@pytest.fixture
def project(folder: Path) -> Path:
    """Return a project with a version that is signed and a rule file of it."""
    path = folder / "risk.evoter"
    rules = evoter.parse("age > 60 -> old; Default -> young")
    with Project.create(path, Setup("group"), rules, author="Ada") as made:
        editor = evoter.edit(rules).replace(1, "age > 65 -> old")
        made.add_version(editor.done(), parent=1, reason="pensions", author="Ada", steps=editor.steps)
        made.set_guardrails({}, reason="none are needed", author="Ada", changes=["all were removed"])
        made.undo(author="Ada")
        made.redo(author="Ada")
        made.open_test({"accuracy": 0.7}, version=2, reason="the report", author="Ada")
        made.sign_off(version=2, author="Ada", statement="I vouch for it.", opening=1)
        (folder / "rules.json").write_bytes(made.rule_file(2))
        (folder / "first.json").write_bytes(made.rule_file(1))
    return path


def test_a_project_is_verified(project: Path) -> None:
    result = run("verify", "risk.evoter", "--entries", "--rules", "rules.json")
    assert result.exit_code == 0
    for text in ("rule 1: age > 60 -> old becomes age > 65 -> old", "pensions", "redo: version 2", "I vouch for it."):
        assert text in result.stdout
    assert "rules.json is version 2, signed by Ada" in result.stdout
    assert result.stdout.splitlines()[-1] == "verified"
    described = run_json("verify", "risk.evoter")
    assert described["verified"] is True
    assert [entry["kind"] for entry in described["entries"]][-1] == "sign-off"
    assert run("verify", "risk.evoter", "--head", described["head"]).exit_code == 0
    assert run("verify", "risk.evoter", "--head", "0" * 64).exit_code == 1


def test_rules_of_a_project_that_nobody_signed_fail(project: Path) -> None:
    result = run("verify", "risk.evoter", "--rules", "first.json")
    assert result.exit_code == 1
    assert "first.json is version 1, which nobody signed" in result.stdout


def test_a_changed_project_fails(project: Path) -> None:
    content = project.read_bytes()
    project.write_bytes(content.replace(b"pensions", b"pension!"))
    result = run("verify", "risk.evoter")
    assert result.exit_code == 1
    assert "entry 3 was changed" in result.stdout
    project.write_bytes(b"nothing")
    assert "is not a project file" in run("verify", "risk.evoter").stdout
