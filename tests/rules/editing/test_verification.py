"""Tests of `verify`: what it says about a rule file and its log, for each state that they can be in."""

from pathlib import Path

import pytest

import evoter
from evoter.rules.editing.logged_rules import LoggedRules, State, log_path
from evoter.rules.editing.verification import verify
from evoter.rules.errors import RuleError


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rule file with two edits."""
    path = tmp_path / "rules.json"
    evoter.save(evoter.parse("age > 60 -> old; Default -> young"), path)
    for age in (61, 62):
        opened = LoggedRules.open(path)
        edited = evoter.edit(opened.ruleset).replace(1, f"age > {age} -> old").done()
        opened.commit(edited, reason=f"since {age}", author="Ada")
    return path


def messages(path: Path) -> list[str]:
    return [finding.message for finding in verify(path).findings if not finding.passed]


def test_a_logged_file_passes(rules: Path) -> None:
    verification = verify(rules)
    assert verification.passed
    assert verification.state is State.LOGGED
    assert verification.findings[0].message.startswith("3 entries, 2")
    assert verification.findings[1].message.startswith("rules.json is as entry 3 says: SHA-256 ")


def test_what_is_wrong_is_said(rules: Path) -> None:
    log, good, file = log_path(rules), log_path(rules).read_bytes(), rules.read_bytes()
    log.write_bytes(good.replace(b"since 61", b"since 16"))
    assert messages(rules)[0].startswith("rules.json.log is broken at line 2: entry 2 was changed: ")
    assert messages(rules)[0].endswith("; entry 1 before it is whole")
    log.unlink()
    assert messages(rules) == ["there is no rules.json.log: nothing is known about edits of these rules"]
    log.write_bytes(good)
    rules.write_bytes(file.replace(b": ", b":  "))
    assert messages(rules) == ["rules.json was written anew outside the log, with the same rules"]
    rules.write_bytes(file.replace(b"62", b"99"))
    assert messages(rules) == [
        "rules.json was changed outside the log, since entry 3",
        "rule 1: age > 62 -> old becomes age > 99 -> old",
    ]
    rules.write_bytes(b"{")
    assert messages(rules)[0].startswith("rules.json was changed outside the log, and cannot be read: not valid JSON")


def test_an_edit_that_was_not_written(rules: Path) -> None:
    before = rules.read_bytes()
    opened = LoggedRules.open(rules)
    opened.commit(evoter.edit(opened.ruleset).set_default("old").done(), reason="x")
    rules.write_bytes(before)
    assert verify(rules).state is State.UNWRITTEN
    assert messages(rules)[0].startswith("rules.json is as entry 3 says, and entry 4 is in the log")


def test_an_end_cut_off_with_its_edit_is_found_by_a_hash_noted_elsewhere(rules: Path) -> None:
    head = verify(rules).log.head
    assert verify(rules, head[:12].upper()).passed
    log = log_path(rules)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    evoter.save(evoter.parse("age > 61 -> old; Default -> young"), rules)
    assert verify(rules).passed
    assert not verify(rules, head).passed
    assert verify(rules, head).findings[-1].message.endswith("was written anew, cut, or is another one")
    first = verify(rules).log.entries[0].hash
    assert verify(rules, first).findings[-1].message.endswith("is entry 1 of the chain, with 1 after it")
    with pytest.raises(RuleError, match="fewer than 12 digits"):
        verify(rules, head[:5])
