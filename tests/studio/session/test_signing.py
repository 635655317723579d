"""Test rows are opened for a version, logged before anybody sees them, and only then can it be signed."""

import hashlib

import pytest

from evoter.analysis.rule_statistics import measure
from evoter.studio.errors import StudioError
from evoter.studio.session.session import Session
from studios import edit, patients, rules


def test_a_version_is_opened_signed_and_reported(own_session: Session) -> None:
    signing = own_session.signing
    with pytest.raises(StudioError, match="not opened") as refused:
        signing.sign(1, name=None, statement="fit for use")
    assert refused.value.kind == "closed"
    opened = signing.open_test(1, reason="before the committee", author="Ada")
    frame, labels = patients()
    closed = own_session.parts.test.tolist()
    expected = measure(rules(), frame[closed], [labels[row] for row in closed])
    assert opened["open"]["figures"]["accuracy"] == expected.accuracy
    assert len(opened["openings"]) == 1
    assert own_session.project.openings[0].figures == opened["open"]["figures"]
    signed = signing.sign(1, name="Ada", statement="fit for use")
    (entry,) = signed["signoffs"]
    assert (entry["name"], entry["version"], entry["statement"]) == ("Ada", 1, "fit for use")
    report = signing.report(1)
    assert hashlib.sha256(report).hexdigest() == entry["report_sha256"]
    assert b"version 1" in report
    assert all(check["done"] for check in signed["checks"])
    assert own_session.versions()["versions"][0]["signed"]
    with pytest.raises(StudioError, match="signed version 1 already"):
        signing.sign(1, name="Ada", statement="once more")
    with pytest.raises(StudioError, match="no sign-off 2"):
        signing.report(2)


def test_a_later_version_has_to_be_opened_again(own_session: Session) -> None:
    own_session.signing.open_test(1, reason="look", author=None)
    own_session.save(1, [edit("drop", 2)], reason="edited afterwards", author=None)
    with pytest.raises(StudioError, match="version 2 is the current one"):
        own_session.signing.sign(1, name=None, statement="ok")
    with pytest.raises(StudioError, match="not opened for this version"):
        own_session.signing.sign(2, name=None, statement="ok")
    assert own_session.signing.describe()["open"] is None


def test_rules_that_break_a_guardrail_are_not_signed(own_session: Session) -> None:
    own_session.guardrails.replace({"forbidden_features": ["smoker"]}, revision=1, reason="law", author=None)
    own_session.signing.open_test(1, reason="look", author=None)
    with pytest.raises(StudioError) as refused:
        own_session.signing.sign(1, name=None, statement="ok")
    assert refused.value.kind == "guardrails"
    assert "smoker" in refused.value.message
    assert own_session.project.sign_offs == ()
