"""The effect of an edit equals what the analysis of edits says about the same rows."""

import numpy as np

import evoter
from evoter.analysis.edit_effects import EditEffect, judge
from evoter.studio.session.session import Session
from studios import edit, rules


def test_an_effect_equals_that_of_the_analysis(session: Session) -> None:
    found = session.effect(1, [edit("replace_condition", 1, 1, "age > 62")])["effect"]
    rows = session.rows.rows
    before = session.edited(session.version(1)).active
    after = evoter.edit(before).replace_condition(1, 1, "age > 62").done()
    for part in ("training", "validation"):
        chosen = np.flatnonzero(session.rows.masks[part]).tolist()
        labels = [rows.classes[code] for code in rows.labels[chosen]]
        frame = rows.frame[chosen]
        expected = EditEffect(judge(before, frame, labels), judge(after, frame, labels))
        said = expected.to_dict()
        assert [found[part][when]["accuracy"] for when in ("before", "after")] == said["accuracy"]
        assert found[part]["changed"] == said["decided_otherwise"]
        assert said["accuracy"][0] is not None
        if part == "validation":
            assert [line["text"] for line in found["lines"]] == [line.text for line in expected.lines()]


def test_changed_rows_are_listed_with_both_decisions(session: Session) -> None:
    changed = session.effect(1, [edit("drop", 1)])["effect"]["changed"]
    assert changed["rows"] == sum(n for *_, n in changed["flows"]) > 0
    first = changed["shown"][0]
    assert first["before"] != first["after"]
    assert first["part"] in ("training", "validation")
    frame = session.table.source.frame
    assert frame["age"][first["row"] - 1] > 70


def test_an_edit_that_decides_nothing_changes_no_row(session: Session) -> None:
    found = session.effect(1, [edit("pin", 1), edit("rename", 2, "pressure")])
    assert found["effect"]["changed"]["rows"] == 0
    assert found["proof"]["state"] == "proved"
    assert session.versions()["head"] == 1
    assert str(session.version(None).ruleset) == str(rules())
