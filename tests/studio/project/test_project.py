"""Projects: versions, undo and branches, conflicts, export and import, and processes that are killed."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

import evoter
from evoter.rules.errors import RuleError
from evoter.rules.files.writing import FileInUseError
from evoter.studio.project import EditConflictError, Project, ProjectError, RecordKind, Setup, Split, row_hashes
from evoter.studio.project.database import is_project_file

RULES = evoter.parse("age > 60 -> high; bmi > 30 -> high; sugar > 7 -> high; Default -> low")
SETUP = Setup("risk", "patients.csv", ("sex",), "patient", "Risk of diabetes")
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "risk.evoter", SETUP, RULES, author="Ada", when=NOON) as made:
        yield made


def edited(project: Project, threshold: float, **options: object) -> int:
    current = project.current
    assert current is not None
    editor = evoter.edit(current.ruleset).replace(1, f"age > {threshold} -> high")
    made = project.add_version(
        editor.done(),
        parent=current.number,
        reason=f"{threshold} it is",
        author="Ada",
        steps=editor.steps,
        **options,  # type: ignore[arg-type]
    )
    return made.number


def test_a_project_begins_with_rules(project: Project) -> None:
    assert project.setup == SETUP
    assert [record.kind for record in project.records] == [RecordKind.BEGIN, RecordKind.VERSION]
    assert project.current is not None
    assert (project.current.number, project.current.parent, project.current.origin) == (1, None, "begin")
    assert (project.current.author, project.current.time) == ("Ada", "2026-11-18T12:00:00Z")
    assert project.current.active == RULES
    assert project.undo_target is project.redo_target is None
    assert is_project_file(project.path)


def test_or_without_rules(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.evoter", SETUP) as project:
        assert project.current is None
        with pytest.raises(ProjectError, match="nothing to undo"):
            project.undo()
        with pytest.raises(ProjectError, match="there are no versions yet"):
            project.add_version(RULES, parent=1, reason="found")
        assert project.add_version(RULES, parent=None, reason="found", origin="evolve").origin == "evolve"


def test_a_file_that_is_there_is_not_overwritten(project: Project) -> None:
    project.close()
    with pytest.raises(FileExistsError):
        Project.create(project.path, SETUP)


def test_everything_is_there_when_it_is_opened_again(project: Project) -> None:
    split = Split.of(
        row_hashes({"age": [1, 2, 3]}),
        {"train": [0], "validation": [1], "test": [2]},
        seed=3,
        validation=0.25,
        test=0.25,
    )
    project.set_split(split)
    project.set_columns({"zip": {"role": "ignored"}})
    project.set_guardrails({"forbidden_features": ["sex"]}, reason="the law", author="Bob", changes=["sex is not read"])
    edited(project, 65, effect={"accuracy": [0.7, 0.72]})
    opening = project.open_test({"accuracy": 0.71}, version=2, reason="for the report", author="Ada")
    project.sign_off(version=2, author="Ada", statement="I vouch for it.", opening=opening.number, report=b"<html>")
    edited(project, 66)
    project.undo()
    before = {name: getattr(project, name) for name in ("records", "versions", "current", "split", "columns")}
    before |= {name: getattr(project, name) for name in ("guardrails", "openings", "sign_offs", "redo_target", "head")}
    project.close()
    with Project.open(project.path) as again:
        assert {name: getattr(again, name) for name in before} == before
        assert again.current is not None
        assert again.current.number == 2
        assert again.redo().number == 3
        assert again.sign_offs[0].sha256 == again.version(2).sha256


def test_closing_leaves_one_file(project: Project) -> None:
    edited(project, 65)
    project.close()
    project.close()
    assert [path.name for path in project.path.parent.iterdir()] == ["risk.evoter"]


def test_undo_redo_and_branches(project: Project) -> None:
    for threshold in (61, 62, 63):
        edited(project, threshold)
    assert [project.undo().number for _ in range(3)] == [3, 2, 1]
    assert [project.redo().number for _ in range(2)] == [2, 3]
    assert edited(project, 70) == 5
    assert project.version(5).parent == 3
    assert project.redo_target is None
    project.undo()
    assert project.redo().number == 5
    project.go_to(4, reason="the other one was better")
    project.go_to(1)
    assert [project.redo().number for _ in range(3)] == [2, 3, 4]
    with pytest.raises(ProjectError, match="nothing to redo"):
        project.redo()
    n_records = len(project.records)
    assert project.go_to(4).number == 4
    assert len(project.records) == n_records, "going where one is changes nothing"


def test_the_second_of_two_who_edit_at_once_is_told_and_nothing_is_lost(project: Project) -> None:
    edited(project, 65)
    other = evoter.edit(RULES).drop(2).done()
    with pytest.raises(EditConflictError, match=r"version 2 by Ada \(65 it is\) is the current one by now"):
        project.add_version(other, parent=1, reason="too many")
    with pytest.raises(EditConflictError):
        project.undo(expected=1)
    assert project.add_version(other, parent=1, reason="too many", branch=True).parent == 1
    assert len(project.versions) == 3


def test_threads_make_one_chain(project: Project) -> None:
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        for step in range(5):
            rules = evoter.edit(RULES).replace(1, f"age > {10 * number + step + 70} -> high").done()
            project.add_version(rules, parent=1, reason=f"{number}.{step}", branch=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    project.close()
    with Project.open(project.path) as again:
        assert len(again.versions) == 41
        assert len({version.reason for version in again.versions}) == 41


def test_rules_that_are_switched_off_stay_and_do_not_decide(project: Project) -> None:
    version = project.add_version(RULES, parent=1, reason="is it needed?", off=[2])
    assert version.changes == ("rule 2 is switched off",)
    assert version.ruleset == RULES
    assert version.active == evoter.edit(RULES).drop(2).done()
    assert evoter.loads(project.rule_file(2).decode()) == version.active
    again = project.add_version(RULES, parent=2, reason="it is")
    assert again.changes == ("rule 2 is switched on",)
    assert again.sha256 == project.version(1).sha256
    with pytest.raises(ProjectError, match="there is no rule 4 to switch off; the rules are 1 to 3"):
        project.add_version(RULES, parent=3, reason="?", off=[4])


def test_reasons_names_and_statements_are_needed_and_limited(project: Project) -> None:
    n_records = len(project.records)
    with pytest.raises(RuleError, match="an edit needs a reason"):
        project.add_version(RULES, parent=1, reason="  ")
    with pytest.raises(RuleError, match="the reason has 10,001 characters"):
        project.add_version(RULES, parent=1, reason="x" * 10_001)
    with pytest.raises(RuleError, match="the log needs a statement"):
        project.sign_off(version=1, author="Ada", statement="")
    with pytest.raises(RuleError, match="the log needs an author"):
        project.sign_off(version=1, author=" ", statement="I vouch for it.")
    with pytest.raises(RuleError, match="what JSON cannot"):
        project.open_test({"accuracy": float("nan")}, version=1, reason="curious")
    with pytest.raises(RuleError, match="what JSON cannot"):
        project.add_version(RULES, parent=1, reason="\ud800")
    assert len(project.records) == n_records
    edited(project, 65)


def test_signatures_name_what_is_there(project: Project) -> None:
    edited(project, 65)
    opening = project.open_test({}, version=1, reason="curious")
    with pytest.raises(ProjectError, match="opening 1 of the test rows was not of version 2"):
        project.sign_off(version=2, author="Ada", statement="I vouch for it.", opening=opening.number)
    with pytest.raises(ProjectError, match="it names opening 2 of the test rows, and there were 1"):
        project.sign_off(version=2, author="Ada", statement="I vouch for it.", opening=2)
    with pytest.raises(ProjectError, match="there is no version 3; the versions are 1 to 2"):
        project.sign_off(version=3, author="Ada", statement="I vouch for it.")
    project.sign_off(version=2, author="Ada", statement="I vouch for it.")
    with pytest.raises(ProjectError, match="Ada has signed version 2 already"):
        project.sign_off(version=2, author="Ada", statement="Again.")
    assert project.sign_off(version=2, author="Bob", statement="So do I.").number == 2


def test_rows_are_divided_once(project: Project) -> None:
    split = Split.of(row_hashes({"a": [1]}), {"train": [0]}, seed=0, validation=0, test=0)
    project.set_split(split)
    with pytest.raises(ProjectError, match="begin a new project to divide anew"):
        project.set_split(split)


def test_nobody_else_can_open_it(project: Project) -> None:
    with pytest.raises(FileInUseError, match=r"risk\.evoter is in use by process"):
        Project.open(project.path)
    project.close()
    Project.open(project.path).close()


def test_records_that_another_program_added_are_noticed(project: Project) -> None:
    with closing(sqlite3.connect(project.path)) as connection:
        connection.execute("INSERT INTO records VALUES (3, ?)", (b"{}",))
        connection.commit()
    with pytest.raises(EditConflictError, match="changed by another program"):
        edited(project, 65)


def test_records_cannot_be_changed_by_accident(project: Project) -> None:
    with closing(sqlite3.connect(project.path)) as connection:
        for statement in ("DELETE FROM records", "UPDATE records SET record = x'00'"):
            with pytest.raises(sqlite3.IntegrityError, match="records stay as they are"):
                connection.execute(statement)


def test_an_export_is_the_whole_project(project: Project, tmp_path: Path) -> None:
    edited(project, 65)
    project.export_to(tmp_path / "copy.evoter")
    with Project.open(tmp_path / "copy.evoter") as copy:
        assert copy.records == project.records
        edited(copy, 70)
        continued = copy.export()
    assert project.import_file(project.export(), reason="again") == ("same", None)
    assert project.import_file(continued, reason="from Bob")[0] == "continued"
    assert project.current is not None
    assert project.current.number == 3
    assert project.import_file(continued, reason="again") == ("same", None)


def test_another_history_becomes_a_branch(project: Project, tmp_path: Path) -> None:
    copy = tmp_path / "copy.evoter"
    project.export_to(copy)
    edited(project, 65)
    with Project.open(copy) as other:
        edited(other, 70)
        head = other.head
        outcome, version = project.import_file(other.export(), reason="from Bob")
    assert outcome == "branch"
    assert version is not None
    assert version.changes == ("rule 1: age > 65 -> high becomes age > 70 -> high",)
    assert (version.parent, version.origin, version.effect["source"]["head"]) == (2, "import", head)


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\0", b"SQLite format 3\0" + bytes(9000)])
def test_what_is_no_project_is_not_imported(project: Project, content: bytes) -> None:
    with pytest.raises(ProjectError):
        project.import_file(content, reason="from the internet")


def test_an_import_with_a_broken_chain_is_refused(project: Project) -> None:
    content = project.export()
    forged = content.replace(b"age", b"agf")
    assert forged != content
    with pytest.raises(ProjectError, match=r"broken at line 2: .*was changed"):
        project.import_file(forged, reason="from Eve")


EDITOR = """
import sys
import evoter
from evoter.studio.project import Project

with Project.open(sys.argv[1]) as project:
    print("ready", flush=True)
    for _ in range(50):
        current = project.current
        threshold = len(project.versions) + 60
        rules = evoter.edit(current.ruleset).replace(1, f"age > {threshold} -> high").done()
        made = project.add_version(rules, parent=current.number, reason=f"because of {threshold}")
        print(made.number, made.hash, flush=True)
    sys.stdin.read()
"""


def test_no_acknowledged_edit_is_lost_when_the_process_is_killed(project: Project) -> None:
    """Kill -9 at random moments, until 200 edits have been acknowledged; a process that is not killed edits 50 times."""
    project.close()
    random, acknowledged, n_kills = Random(26), dict[int, str](), 0
    while len(acknowledged) < 200:
        with subprocess.Popen(
            [sys.executable, "-c", EDITOR, str(project.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            # After some edits and a moment, whatever the speed of the machine, so that it happens within an edit.
            n_edits, moment = random.randint(1, 40), random.uniform(0.0, 0.005)
            timer = threading.Timer(moment, process.kill)
            for n_lines, line in enumerate(process.stdout, start=1):
                if line.endswith("\n"):
                    number, digest = line.split()
                    acknowledged[int(number)] = digest
                if n_lines == n_edits:
                    timer.start()
            timer.join()
        n_kills += 1
        with Project.open(project.path) as again:
            known = {version.number: version.hash for version in again.versions}
            assert acknowledged.items() <= known.items()
            assert again.current is not None
            assert again.current.number == len(known)
    assert n_kills >= 4
