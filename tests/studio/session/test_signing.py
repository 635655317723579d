"""Test rows are opened for a version, logged before anybody sees them, and only then can it be signed."""

import hashlib
import threading

import pytest

from evoter.analysis.rule_statistics import measure
from evoter.proofs.result import ProofResult, Status
from evoter.rules.editing.verification import LogFinding
from evoter.studio.errors import StudioError
from evoter.studio.project import verify_project
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


@pytest.fixture
def unsettled(own_session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session with a guardrail whose proof runs out of time."""
    unknown = ProofResult("age < 18 -> never high", Status.UNKNOWN, reason="the time was over")
    monkeypatch.setattr("evoter.studio.session.guardrails.prove_guardrails", lambda *_, **__: [unknown])
    own_session.guardrails.replace({"forbidden": ["age < 18 -> never high"]}, revision=1, reason="law", author=None)
    own_session.signing.open_test(1, reason="look", author=None)
    _settle(own_session)
    return own_session


def _settle(session: Session) -> None:
    for each in session.guardrails.describe()["guardrails"]:
        proof = session.proofs.get(each["proof"]["id"])
        assert proof is not None
        session.proofs.wait(proof, 30)


def test_a_guardrail_without_a_proof_is_accepted_by_name_or_not_signed(unsettled: Session) -> None:
    signing, sentence = unsettled.signing, "age < 18 -> never high"
    described = signing.describe()
    assert described["guardrails"] == [{"sentence": sentence, "state": "unknown", "reason": "the time was over"}]
    assert described["checks"][1] == {"text": "not every guardrail is proved (1 not settled of 1)", "done": False}
    with pytest.raises(StudioError, match="neither proved nor broken: age < 18") as refused:
        signing.sign(1, name="Ada", statement="ok")
    assert (refused.value.kind, refused.value.details["unproved"]) == ("guardrails", [sentence])
    with pytest.raises(StudioError, match="no guardrail without a proof says"):
        signing.sign(1, name="Ada", statement="ok", unproved=[sentence, "something else"])
    assert [*unsettled.project.sign_offs] == []
    signing.sign(1, name="Ada", statement="ok", unproved=[sentence])
    (signed,) = unsettled.project.sign_offs
    assert (signed.proved, signed.unproved) == ((), (sentence,))
    assert b"ot proved when this version was signed: age" in signing.report(1)
    assert any(f"although this is not proved: {sentence}" in each.message for each in verified(unsettled))


def verified(session: Session) -> tuple[LogFinding, ...]:
    result = verify_project(session.project.path)
    assert result.passed
    return result.findings


def test_a_proof_that_is_still_running_is_waited_for(own_session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(*_: object, **__: object) -> list[ProofResult]:
        go_on.wait(30)
        return [ProofResult("x", Status.PROVED)]

    monkeypatch.setattr("evoter.studio.session.guardrails.prove_guardrails", slow)
    own_session.guardrails.replace({"forbidden": ["age < 18 -> never high"]}, revision=1, reason="law", author=None)
    own_session.signing.open_test(1, reason="look", author=None)
    with pytest.raises(StudioError, match="still being proved"):
        own_session.signing.sign(1, name="Ada", statement="ok", unproved=["age < 18 -> never high"])
    go_on.set()
    _settle(own_session)
    own_session.signing.sign(1, name="Ada", statement="ok")
    assert own_session.project.sign_offs[0].proved == ("age < 18 -> never high",)


def test_a_report_that_would_be_another_one_is_not_handed_out(own_session: Session) -> None:
    own_session.signing.open_test(1, reason="look", author=None)
    own_session.signing.sign(1, name="Ada", statement="ok")
    own_session.set_favourable("low", author=None)  # does not matter: the report has what was favourable then
    assert own_session.signing.report(1)
    own_session.correct_column("ward", "drop", revision=1, reason="codes", author=None)
    with pytest.raises(StudioError, match="cannot be written again as it was signed"):
        own_session.signing.report(1)
