"""Project files that are uploaded: those of others continue the work, and hostile ones change nothing."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from evoter import parse
from evoter.rules.errors import RuleError
from evoter.studio.project import Project, Setup, verify_project
from evoter.studio.project.database import serialized
from evoter.studio.project.records import Record, RecordKind, parse_chain
from evoter.studio.session.evolving import RunSettings, RunState
from evoter.studio.session.session import Session
from studios import connected, edit, hung_up, open_session, rules, serve

KIND = {"Content-Type": "application/vnd.sqlite3"}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a project about the same patients with some work in it."""
    with open_session(tmp_path_factory.mktemp("theirs"), rules()) as session:
        session.correct_column("ward", "category", revision=1, reason="codes", author="Bob")
        session.set_favourable("low", author="Bob")
        session.guardrails.replace({"forbidden": ["age < 18 -> never high"]}, revision=1, reason="law", author="Bob")
        session.save(1, [edit("replace_condition", 1, 1, "age > 75")], reason="guideline", author="Bob")
        session.signing.open_test(2, reason="committee", author="Bob")
        content = session.project.export()
    time.sleep(1.1)  # two projects that begin alike in the same second would be one
    return content


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with open_session(tmp_path, rules()) as opened:
        yield opened


def imported(session: Session, content: bytes, **headers: str) -> httpx.Response:
    with serve(session) as client:
        return client.post("/api/import?reason=from+Bob", content=content, headers=KIND | headers)


def test_a_project_that_nobody_worked_in_continues_where_the_file_was(session: Session, exported: bytes) -> None:
    answer = imported(session, exported)
    assert answer.json() == {"outcome": "opened", "version": 2}
    assert session.project.export() == exported
    assert [each.author for each in session.project.versions] == [session.project.versions[0].author, "Bob"]
    assert (session.favourable, len(session.project.openings)) == ("low", 1)
    assert {column["name"]: column["kind"] for column in session.describe_table()["columns"]}["ward"] == "category"
    assert session.guardrails.definition.forbidden == ("age < 18 -> never high",)
    saved = session.save(2, [edit("drop", 2)], reason="shorter", author="Ada")
    assert saved["version"]["id"] == 3
    assert verify_project(session.project.path).passed
    assert session.import_file(exported, reason="again", author=None)["outcome"] == "same"


def test_a_file_that_continues_the_project_is_added(session: Session, tmp_path: Path) -> None:
    session.save(1, [edit("drop", 2)], reason="shorter", author="Ada")
    (tmp_path / "copy.evoter").write_bytes(session.project.export())
    with Project.open(tmp_path / "copy.evoter") as copy:
        copy.add_version(parse("age > 71 -> high; Default -> low"), parent=2, reason="guideline", author="Bob")
        content = copy.export()
    assert imported(session, content).json() == {"outcome": "continued", "version": 3}
    assert session.rules()["version"] == 3
    assert verify_project(session.project.path).passed


def test_of_another_history_the_rules_become_a_version(session: Session, exported: bytes) -> None:
    session.save(1, [edit("drop", 2)], reason="shorter", author="Ada")
    assert imported(session, exported).json() == {"outcome": "branch", "version": 3}
    current = session.project.current
    assert current is not None
    assert (current.origin, current.reason) == ("import", "from Bob")
    assert "age > 75" in current.active.to_text()


def test_where_rules_were_evolved_nothing_is_taken_over(session: Session, exported: bytes) -> None:
    """The other project may have divided the rows otherwise, and a candidate has seen what are training rows here."""
    session.start_evolution(RunSettings(generations=1, population=60))
    until = time.monotonic() + 120
    while session.evolution.state is not RunState.FINISHED and time.monotonic() < until:
        time.sleep(0.02)
    parts = session.parts
    assert imported(session, exported).json() == {"outcome": "branch", "version": 2}
    assert session.parts is parts


def changed(content: bytes, *statements: str) -> bytes:
    """Return a project file after some SQL."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(content)
        for statement in statements:
            connection.execute(statement)
        return connection.serialize()


def rechained(content: bytes, change: Any) -> bytes:
    """Return a project file whose records were changed by somebody who can compute hashes."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        lines = [line for (line,) in connection.execute("SELECT record FROM records ORDER BY number")]
    records: list[Record] = []
    for record in parse_chain(lines).records:
        new = change(record)
        records.append(new.chained(records[-1].hash if records else record.previous))
    return serialized(records)


def _replaced(kind: RecordKind, **fields: Any) -> Any:
    def change(record: Record) -> Record:
        return replace(record, content={**record.content, **fields}) if record.kind is kind else record

    return change


def hostile(exported: bytes) -> dict[str, bytes]:
    """Return files that must not be taken in, by what is wrong with them."""
    unguarded = ("DROP TRIGGER no_update", "DROP TRIGGER no_delete")
    forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i), x'00' FROM n"
    return {
        "nothing": b"",
        "text": b"SQLite format 2",
        "a header alone": exported[:100],
        "half of it": exported[: len(exported) // 2],
        "zeros behind the header": exported[:100] + bytes(len(exported) - 100),
        "another program": changed(exported, "PRAGMA application_id = 7"),
        "another table": changed(exported, "CREATE TABLE more (x)"),
        "a view in place of the table": changed(
            exported, *unguarded, "DROP TABLE records", f"CREATE VIEW records (number, record) AS {forever}"
        ),
        "a trigger": changed(
            exported, "CREATE TRIGGER evil AFTER INSERT ON records BEGIN SELECT load_extension('x'); END"
        ),
        "no triggers": changed(exported, *unguarded),
        "text for bytes": changed(exported, "INSERT INTO records VALUES (99, 'text')"),
        "an entry too many": changed(exported, "INSERT INTO records SELECT 99, record FROM records WHERE number = 2"),
        "no entries": changed(exported, *unguarded, "DELETE FROM records"),
        "another hash": rechained(exported, _replaced(RecordKind.VERSION, sha256="0" * 64)),
        "other rules": rechained(exported, _replaced(RecordKind.VERSION, rules={"rules": "age > 1"})),
        "another target": rechained(exported, _replaced(RecordKind.BEGIN, target="salary")),
        "another table's rows": rechained(exported, _replaced(RecordKind.SPLIT, seed=5)),
        "another identifier": rechained(exported, _replaced(RecordKind.BEGIN, identifier="patient")),
        "a protected column that is not there": rechained(exported, _replaced(RecordKind.BEGIN, protected=["race"])),
        "columns without meaning": rechained(exported, _replaced(RecordKind.COLUMNS, columns={"ward": {}})),
        "guardrails without meaning": rechained(exported, _replaced(RecordKind.GUARDRAILS, guardrails={"pinned": 5})),
        "guardrails that cannot be read": rechained(
            exported, _replaced(RecordKind.GUARDRAILS, guardrails={"forbidden": ["what -> ever"]})
        ),
    }


def test_what_a_table_declares_is_refused_before_it_is_evaluated(session: Session, exported: bytes) -> None:
    """A condition on rows would be evaluated for each of them when the pages are checked."""
    declared = "CREATE TABLE records (number INTEGER PRIMARY KEY, record BLOB NOT NULL, CHECK (number < 0))"
    content = changed(
        exported,
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = '{declared}' WHERE name = 'records'",
    )
    with pytest.raises(RuleError, match="holds other tables"):
        session.project.plan_import(content)


def test_hostile_files_are_refused_and_change_nothing(session: Session, exported: bytes) -> None:
    before = session.project.export(), session.describe()
    with serve(session) as client:
        for name, content in hostile(exported).items():
            answer = client.post("/api/import?reason=x", content=content, headers=KIND)
            assert answer.status_code == 422, (name, answer.text)
            assert answer.json()["error"]["message"], name
            assert (session.project.export(), session.describe()) == before, name
    assert [path.name for path in session.project.path.parent.iterdir() if ".evoter" not in path.name] == []


def test_damaged_bytes_are_refused_or_do_not_matter(session: Session, exported: bytes) -> None:
    """Whatever bytes are changed, the file is refused, or its records are the same."""
    random = Random(26)
    session.project.set_columns({}, reason="somebody was here", author="Ada")  # so that nothing is taken over
    before, whole = session.project.export(), session.project.plan_import(exported).records
    for _ in range(60):
        content = bytearray(exported)
        for _ in range(random.choice((1, 4, 40))):
            content[random.randrange(len(content))] = random.randrange(256)
        try:
            records = session.project.plan_import(bytes(content)).records
        except RuleError:
            continue
        assert [each.hash for each in records] == [each.hash for each in whole]
    assert session.project.export() == before


def test_only_the_page_itself_uploads_and_within_limits(session: Session, exported: bytes) -> None:
    before = session.project.export()
    with serve(session) as client:
        path = "/api/import?reason=x"
        for headers, status in (
            ({"X-Evoter-Token": "wrong"}, 401),
            ({"Origin": "http://evil.example"}, 403),
            ({"Host": "evil.example"}, 421),
            ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
            ({"Content-Type": "application/json"}, 415),
        ):
            assert client.post(path, content=exported, headers=KIND | headers).status_code == status
        assert client.post("/api/import", content=exported, headers=KIND).status_code == 422  # no reason
        assert client.post(path, content=bytes(32_000_001), headers=KIND).status_code == 413
        other = client.post("/api/versions", content=exported, headers=KIND)
        assert other.status_code == 415  # files are for one path alone
    assert session.project.export() == before


def test_one_file_is_taken_at_a_time_and_a_slow_one_is_cut_off(session: Session) -> None:
    before = session.project.export()
    with serve(session, limits={"body_seconds": 0.5}) as client:
        path, token = "/api/import?reason=x", client.headers["X-Evoter-Token"]
        with connected(client) as slow:
            head = f"Host: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {token}\r\nContent-Type: {KIND['Content-Type']}"
            slow.sendall(f"POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: 1000\r\n\r\nSQL".encode())
            statuses = (client.post(path, content=b"", headers=KIND).status_code for _ in range(200))
            assert 429 in statuses  # once the server has seen the other one
            assert hung_up(slow, 20).split(b" ")[1] == b"408"
    assert session.project.export() == before


def test_rules_that_do_not_fit_the_table_are_refused(session: Session, tmp_path: Path) -> None:
    session.save(1, [edit("drop", 2)], reason="shorter", author="Ada")
    with Project.create(tmp_path / "other.evoter", Setup("risk"), parse("height > 2 -> high; Default -> low")) as other:
        content = other.export()
    answer = imported(session, content)
    assert answer.status_code == 422
    assert "height" in answer.json()["error"]["message"]
    assert len(session.project.versions) == 2


def test_why_the_rules_of_a_continued_project_do_not_fit_is_said_in_plain_words(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "copy.evoter").write_bytes(session.project.export())
    with Project.open(tmp_path / "copy.evoter") as copy:
        copy.add_version(parse("height > 2 -> high; Default -> low"), parent=1, reason="taller", author="Bob")
        content = copy.export()
    message = imported(session, content).json()["error"]["message"]
    assert "height" in message
    assert "Error(" not in message
    assert len(session.project.versions) == 1
