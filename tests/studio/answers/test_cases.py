"""A case is decided as the rules decide it, and the nearest change alters it."""

from typing import Any

import pytest

from evoter.rules.interpreter import decide_now
from evoter.studio.errors import StudioError
from evoter.studio.session.session import Session
from studios import edit


def look(session: Session, **asked: Any) -> dict[str, Any]:
    """Look a case up."""
    defaults: dict[str, Any] = {"row": None, "identifier": None, "values": {}, "to": None, "fixed": []}
    return session.case(None, **defaults | asked)


def test_a_row_is_decided_and_explained(session: Session) -> None:
    row = session.rows.name_row(0)["row"]
    found = look(session, row=row)
    active = session.edited(session.version(None)).active
    assert found["decision"] == found["original_decision"] == decide_now(active, [found["values"]]).action
    assert found["values"] == found["original"]
    assert found["decision"] in found["plain"]
    assert [rule["number"] for rule in found["rules"]] == [1, 2]


def test_other_values_change_the_decision_as_the_nearest_change_says(session: Session) -> None:
    row = session.rows.name_row(0)["row"]
    nearest = look(session, row=row)["nearest"][0]
    changed = look(session, row=row, values={each["feature"]: each["after"] for each in nearest["changes"]})
    assert changed["decision"] == nearest["decision"] != changed["original_decision"]


def test_values_alone_are_a_case_and_missing_ones_are_none(session: Session) -> None:
    found = look(session, values={"age": 80})
    assert found["decision"] == "high"
    assert found["rule"] == 1
    assert found["values"]["pressure"] is None
    fixed = look(session, values={"age": 80}, fixed=["age"])
    assert not any(change["feature"] == "age" for each in fixed["nearest"] for change in each["changes"])


def test_rules_that_are_switched_off_do_not_count(own_session: Session) -> None:
    own_session.save(1, [edit("switch_off", 1)], reason="try", author=None)
    found = look(own_session, values={"age": 80})
    assert (found["decision"], found["rule"]) == ("low", 3)
    assert [rule["number"] for rule in found["rules"]] == [2]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"age": "old"}, "'age' is a number"),
        ({"smoker": "sometimes"}, "no category 'sometimes'"),
        ({"height": 3}, "unknown feature 'height'"),
        ({}, "give a row"),
    ],
)
def test_values_that_do_not_fit_are_refused(session: Session, values: dict[str, Any], message: str) -> None:
    with pytest.raises(StudioError, match=message):
        look(session, values=values)
