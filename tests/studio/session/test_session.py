"""A session: edits become versions, nothing is lost when two people edit, and a project is reopened as it was."""

from pathlib import Path

import polars as pl
import pytest

from evoter import parse
from evoter.cli.output import Failure
from evoter.rules.errors import RuleError, SchemaError
from evoter.studio.errors import StudioError
from evoter.studio.project import Project, Setup
from evoter.studio.session.session import Session
from evoter.studio.table.columns import StudioTable
from studios import TARGET, edit, open_session, patients, rules, table


def test_an_edit_becomes_a_version_with_its_reason(own_session: Session) -> None:
    heard: list[str] = []
    own_session.events.listen(lambda event: heard.append(event.name))
    saved = own_session.save(1, [edit("replace", 1, "age > 65 -> high")], reason="guideline", author="Eve", tab="t1")
    version = saved["version"]
    assert (version["id"], version["parent"], version["author"], version["reason"]) == (2, 1, "Eve", "guideline")
    assert "version" in heard
    assert own_session.describe()["head"] == 2
    assert own_session.version(2).effect["validation"]["changed"] == saved["effect"]["validation"]["changed"]


def test_the_second_of_two_edits_is_told_and_nothing_is_lost(own_session: Session) -> None:
    own_session.save(1, [edit("drop", 2)], reason="first", author="Ada")
    with pytest.raises(StudioError) as refused:
        own_session.save(1, [edit("drop", 1)], reason="second", author="Eve")
    conflict = refused.value
    assert conflict.kind == "conflict"
    assert conflict.details["head"]["id"] == 2
    assert conflict.details["rules"]["version"] == 2
    assert own_session.versions()["head"] == 2
    assert own_session.save(2, [edit("drop", 1)], reason="second", author="Eve")["version"]["id"] == 3


def test_undo_redo_and_branches(own_session: Session) -> None:
    own_session.save(1, [edit("drop", 2)], reason="one", author=None)
    back = own_session.move_head(2, 1, reason="", author=None)
    assert back["head"] == 1
    assert back["versions"]["redo"] == 2
    assert own_session.move_head(1, 2, reason="", author=None)["head"] == 2
    own_session.move_head(2, 1, reason="", author=None)
    own_session.save(1, [edit("set_default", "high")], reason="branch", author=None)
    history = own_session.versions()
    assert [each["children"] for each in history["versions"]] == [[2, 3], [], []]
    assert history["undo"] == 1
    with pytest.raises(StudioError, match="current one by now"):
        own_session.move_head(1, 2, reason="", author=None)
    with pytest.raises(StudioError, match="9") as refused:
        own_session.move_head(3, 9, reason="", author=None)
    assert refused.value.kind == "unknown"


def test_two_versions_are_compared_in_text_and_meaning(own_session: Session) -> None:
    own_session.save(1, [edit("replace_condition", 1, 1, "age >= 71")], reason="whole years", author=None)
    own_session.save(2, [edit("drop", 1)], reason="try", author=None)
    found = own_session.compare(1, 3)
    assert found["text"][0]["change"] == "rule 1 removed: age > 70 -> high"
    assert [each["same"] for each in found["sides"][0]] == [False, True, True]
    assert found["proof"]["state"] == "refuted"
    assert found["proof"]["counterexample"]["age"] > 70


def test_the_same_decisions_on_all_rows_are_proved_or_refuted_in_the_background(own_session: Session) -> None:
    """70.5 is no age of the table: rows do not tell the two apart, and a proof does."""
    found = own_session.effect(1, [edit("replace_condition", 1, 1, "age > 70.5")])
    assert found["effect"]["changed"]["rows"] == 0
    asked = own_session.proofs.get(found["proof"]["id"])
    assert asked is not None
    settled = own_session.proofs.wait(asked, 30).to_dict()
    assert settled["state"] == "refuted"
    assert 70 < settled["counterexample"]["age"] <= 70.5
    same = own_session.effect(1, [edit("insert", 2, "age > 75 AND sex = f -> high")])
    asked = own_session.proofs.get(same["proof"]["id"])
    assert asked is not None
    assert own_session.proofs.wait(asked, 30).state == "proved"


def test_a_statement_is_proved_or_refused(own_session: Session) -> None:
    asked = own_session.proofs.get(own_session.prove(None, "age > 80 -> high")["id"])
    assert asked is not None
    assert own_session.proofs.wait(asked, 30).state == "proved"
    for statement in ("age > 80", "height > 3 -> high"):
        with pytest.raises(StudioError) as refused:
            own_session.prove(None, statement)
        assert refused.value.kind == "rule"


def test_a_project_is_reopened_where_it_was_left(tmp_path: Path) -> None:
    with open_session(tmp_path, rules()) as session:
        session.save(1, [edit("switch_off", 2)], reason="try", author=None)
        session.correct_column("ward", "category", revision=1, reason="codes", author=None)
        before = session.rules()
        parts = session.parts
    with Project.open(tmp_path / "patients.evoter") as project:
        again = Session(table(rules()), project)
        assert again.rules() == before
        assert again.parts.test.tolist() == parts.test.tolist()
        assert again.table.corrections == {"ward": "category"}
        again.close()


def test_a_corrected_identifier_does_not_divide_the_rows_otherwise(tmp_path: Path) -> None:
    frame, labels = patients()
    visits = frame.with_columns(patient=pl.Series([f"P{row // 4:04}" for row in range(len(frame))]))
    begun = StudioTable.from_frame(visits, labels, target=TARGET)
    assert begun.plan.identifier == "patient"
    with Project.create(tmp_path / "visits.evoter", Setup(TARGET), rules()) as project:
        session = Session(begun, project)
        session.correct_column("patient", "drop", revision=1, reason="not needed", author=None)
        parts = session.parts
        session.close()
    with Project.open(tmp_path / "visits.evoter") as project:
        again = Session(begun, project)
        assert again.parts.test.tolist() == parts.test.tolist()
        with pytest.raises(StudioError, match="divided already"):
            again.correct_column("ward", "id", revision=1, reason="try", author=None)
        again.close()


def test_another_table_is_refused(tmp_path: Path) -> None:
    with open_session(tmp_path, rules()):
        pass
    frame, labels = patients()
    other = StudioTable.from_frame(frame.with_columns(age=frame["age"] + 1), labels, target=TARGET)
    with Project.open(tmp_path / "patients.evoter") as project, pytest.raises(Failure, match="not the table"):
        Session(other, project)


def test_rules_that_do_not_fit_the_table_are_refused(tmp_path: Path) -> None:
    strange = parse("height > 2 -> high; Default -> low")
    with (
        Project.create(tmp_path / "a.evoter", Setup(TARGET), strange) as project,
        pytest.raises(SchemaError, match="cannot read 'height'"),
    ):
        Session(table(), project)
    with (
        Project.create(tmp_path / "b.evoter", Setup(TARGET), rules()) as project,
        pytest.raises(RuleError, match="no class 'medium'"),
    ):
        Session(table(), project, favourable="medium")


def test_without_rules_there_is_nothing_to_edit(tmp_path: Path) -> None:
    with open_session(tmp_path, protected=()) as session:
        assert session.describe()["head"] is None
        assert session.guardrails.describe()["guardrails"] == []
        with pytest.raises(StudioError, match="no rules yet"):
            session.rules()
        with pytest.raises(StudioError, match="no column is protected"):
            session.audit(None, "validation", None, None, None)


def test_a_column_that_rules_read_is_not_taken_away(own_session: Session) -> None:
    with pytest.raises(StudioError, match="'smoker' is read by rule 2") as refused:
        own_session.correct_column("smoker", "drop", revision=1, reason="doubt", author=None)
    assert refused.value.kind == "in_use"
    found = own_session.correct_column("sugar", "drop", revision=1, reason="follows from the age", author=None)
    assert found["revision"] == 2
    with pytest.raises(StudioError, match="unknown feature 'sugar'"):
        own_session.effect(1, [edit("add", "sugar > 5 -> high")])
    with pytest.raises(StudioError) as refused:
        own_session.correct_column("ward", "category", revision=1, reason="codes", author=None)
    assert refused.value.kind == "conflict"


def test_new_rules_may_read_every_feature_and_decide_only_known_classes(session: Session) -> None:
    assert session.effect(1, [edit("add", "sugar is missing AND ward = 2 -> high")])["rules"]["size"]["rules"] == 3
    text = "age > 1 -> medium; Default -> low\nwhere\n  age: numeric\n  actions: medium | low"
    with pytest.raises(StudioError, match="rules decide high, low"):
        session.effect(1, [edit("rewrite", text)])
