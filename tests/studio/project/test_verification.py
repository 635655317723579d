"""Verification names whatever was changed in a project file."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evoter
from evoter.rules.errors import RuleError
from evoter.studio.project import Project, Setup, verify_project
from evoter.studio.project.database import lines_in, serialized
from evoter.studio.project.records import Record, parse_chain

RULES = evoter.parse("age > 60 -> high; bmi > 30 -> high; Default -> low")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("project") / "risk.evoter"
    with Project.create(path, Setup("risk"), RULES, author="Ada") as project:
        editor = evoter.edit(RULES).replace(1, "age > 65 -> high")
        project.add_version(editor.done(), parent=1, reason="pensions", author="Ada", steps=editor.steps)
        project.add_version(editor.done(), parent=2, reason="is it needed?", author="Bob", off=[2])
        opening = project.open_test({"accuracy": 0.7}, version=3, reason="the report", author="Bob")
        project.sign_off(version=3, author="Bob", statement="I vouch for it.", opening=opening.number)
    return path


def test_a_whole_project_passes(signed: Path) -> None:
    result = verify_project(signed)
    assert result.passed
    assert [finding.about for finding in result.findings] == ["chain", "versions", "test rows", "sign-off"]
    assert result.findings[1].message == "3 versions, the current one is 3"
    assert result.findings[2].message == "opened once, for version 3"
    assert result.findings[3].message == "version 3 was signed by Bob, after opening 1 of 1 of the test rows"


def test_it_passes_while_the_project_is_open_and_after_a_crash(signed: Path, tmp_path: Path) -> None:
    path = tmp_path / "risk.evoter"
    shutil.copy(signed, path)
    with Project.open(path) as project:
        project.go_to(1)
        assert verify_project(path).head == project.head
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for name in ("risk.evoter", "risk.evoter-wal"):
            shutil.copy(tmp_path / name, crashed / name)
        assert verify_project(crashed / "risk.evoter").head == project.head


def test_a_hash_that_was_noted_is_found(signed: Path) -> None:
    with Project.open(signed) as project:
        early, late = project.records[1].hash, project.head
    assert verify_project(signed, late).passed
    finding = verify_project(signed, early[:12]).findings[-1]
    assert finding.passed
    assert finding.message.endswith("is entry 2 of the chain, with 4 after it")
    assert not verify_project(signed, "0" * 64).passed
    with pytest.raises(RuleError, match="fewer than 12 digits"):
        verify_project(signed, "0" * 11)


def test_a_rule_file_is_recognised(signed: Path, tmp_path: Path) -> None:
    with Project.open(signed) as project:
        files = {number: project.rule_file(number) for number in (2, 3)}
    path = tmp_path / "rules.json"
    path.write_bytes(files[3])
    assert verify_project(signed, rules=path).findings[-1].message == "rules.json is version 3, signed by Bob"
    evoter.save(evoter.load(path), path)
    finding = verify_project(signed, rules=path).findings[-1]
    assert finding.passed
    assert "written differently" in finding.message
    path.write_bytes(files[2])
    assert verify_project(signed, rules=path).findings[-1].message == "rules.json is version 2, which nobody signed"
    path.write_bytes(files[3].replace(b"65", b"66"))
    finding = verify_project(signed, rules=path).findings[-1]
    assert not finding.passed
    assert finding.message == "rules.json is no version of this project"


def changed(path: Path, to: Path, change: Callable[[sqlite3.Connection], object]) -> Path:
    """Copy a project and change the copy as somebody would who can write to the file, with triggers in place again."""
    shutil.copy(path, to)
    with closing(sqlite3.connect(to)) as connection:
        triggers = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
        for name in ("no_update", "no_delete"):
            connection.execute(f"DROP TRIGGER {name}")
        change(connection)
        for trigger in triggers:
            connection.execute(trigger)
        connection.commit()
    return to


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE records SET record = replace(record, 'pensions', 'whim') WHERE number = 3", "was changed"),
        ("DELETE FROM records WHERE number = 5", "entry 5 should be here, and entry 6 is"),
        ("UPDATE records SET record = record || ' '", "not in the form in which records are written"),
        ("UPDATE records SET record = CAST(record || ' ' AS BLOB) WHERE number = 2", "entry 2 was written anew"),
        ("DELETE FROM records", "the file was emptied"),
        ("UPDATE records SET record = x'ff' WHERE number = 4", "not valid UTF-8"),
        ("CREATE TABLE other (x)", "other tables than a project"),
        ("PRAGMA application_id = 7", "a SQLite file of another program"),
    ],
)
def test_what_was_changed_is_named(signed: Path, tmp_path: Path, statement: str, message: str) -> None:
    path = changed(signed, tmp_path / "forged.evoter", lambda connection: connection.execute(statement))
    if "replace" in statement:  # SQLite turns bytes into text
        path = changed(
            path,
            tmp_path / "bytes.evoter",
            lambda connection: connection.execute("UPDATE records SET record = CAST(record AS BLOB)"),
        )
    result = verify_project(path)
    assert not result.passed
    assert message in " ".join(finding.message for finding in result.findings)


def rewritten(path: Path, to: Path, change: Callable[[list[Record]], object]) -> Path:
    """Write a project anew with records changed and all hashes made good."""
    records = list(parse_chain(lines_in(path)).records)
    change(records)
    head = "0" * 64
    for index, record in enumerate(records):
        records[index] = record.chained(head)
        head = records[index].hash
    to.write_bytes(serialized(records))
    return to


def test_a_file_that_was_written_anew_passes_unless_a_hash_was_noted(signed: Path, tmp_path: Path) -> None:
    def another_reason(records: list[Record]) -> None:
        fields = json.loads(records[2].line())
        records[2] = Record(3, fields["time"], fields["author"], records[2].kind, "whim", records[2].content)

    noted = verify_project(signed).head
    forged = rewritten(signed, tmp_path / "forged.evoter", another_reason)
    assert verify_project(forged).passed
    assert not verify_project(forged, noted).passed


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (2, {"sha256": "0" * 64}, "version 1 names another hash than its rules have"),
        (2, {"number": 2}, "version 1 should be here"),
        (3, {"parent": 7}, "there is no version 7"),
        (4, {"off": []}, "version 3 decides by other rules than those that are switched on"),
        (4, {"off": [9]}, "there is no rule 9"),
        (5, {"version": 4}, "there is no version 4"),
        (6, {"version": 2}, "the signature names other rules"),
        (6, {"extra": 1}, "unknown key"),
        (1, {"target": 1}, "must be text"),
    ],
)
def test_records_that_make_no_sense_are_named(
    signed: Path, tmp_path: Path, number: int, change: dict[str, object], message: str
) -> None:
    def falsify(records: list[Record]) -> None:
        old = records[number - 1]
        records[number - 1] = Record(number, old.time, old.author, old.kind, old.reason, {**old.content, **change})

    result = verify_project(rewritten(signed, tmp_path / "forged.evoter", falsify))
    assert not result.passed
    assert message in " ".join(finding.message for finding in result.findings)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(data=st.data())
def test_no_byte_can_be_changed_unnoticed(signed: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Whatever byte of the file is changed, verification fails or the records are as they were; it never crashes."""
    content = bytearray(signed.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    forged = tmp_path / "forged.evoter"
    forged.write_bytes(content)
    result = verify_project(forged)
    assert not result.passed or result.records == verify_project(signed).records


def test_what_is_no_project_is_said(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    evoter.save(RULES, path)
    finding = verify_project(path).findings[0]
    assert not finding.passed
    assert "not a project file" in finding.message
    with pytest.raises(FileNotFoundError):
        verify_project(tmp_path / "nothing.evoter")
