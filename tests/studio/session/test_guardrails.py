"""Guardrails are stated in words, proved one by one, and kept while rules are evolved and signed."""

import pytest

from evoter.studio.errors import StudioError
from evoter.studio.session.guardrails import Definition
from evoter.studio.session.session import Session

RAILS = {
    "pinned": ["age > 70 -> high"],
    "forbidden_features": ["sex"],
    "forbidden": ["age < 30 -> never high"],
    "monotone": {"age": "increasing"},
    "order": ["low", "high"],
}


def settled(session: Session) -> dict[str, tuple[str, str | None]]:
    """Return the state and the violation of each guardrail when all proofs are done."""
    for each in session.guardrails.describe()["guardrails"]:
        found = session.proofs.get(each["proof"]["id"])
        assert found is not None
        session.proofs.wait(found, 30)
    return {each["kind"]: (each["state"], each["violation"]) for each in session.guardrails.describe()["guardrails"]}


def test_each_guardrail_has_its_state(own_session: Session) -> None:
    own_session.guardrails.replace(RAILS, revision=1, reason="law", author="Ada")
    found = settled(own_session)
    assert found["pinned"][0] == found["forbidden_feature"][0] == found["monotone"][0] == "proved"
    assert found["forbidden"][0] == "broken"  # rule 2 does not look at the age
    broken = own_session.guardrails.describe()["guardrails"][2]
    assert broken["proof"]["counterexample"]["age"] < 30
    assert "forbidden" in str(broken["violation"])
    assert own_session.project.records[-1].author == "Ada"


def test_an_edit_is_told_at_once_what_it_breaks(own_session: Session) -> None:
    own_session.guardrails.replace({"forbidden_features": ["sex"]}, revision=1, reason="law", author=None)
    edit = {"operation": "add", "arguments": ["sex = f -> high"]}
    found = own_session.effect(1, [edit])["guardrails"]
    assert not found["kept"]
    assert "sex" in found["violations"][0]


def test_a_change_based_on_older_guardrails_is_a_conflict(own_session: Session) -> None:
    own_session.guardrails.replace({"forbidden_features": ["sex"]}, revision=1, reason="law", author=None)
    with pytest.raises(StudioError) as refused:
        own_session.guardrails.replace({}, revision=1, reason="law", author=None)
    assert refused.value.kind == "conflict"
    assert refused.value.details["revision"] == 2


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ({"forbidden_features": ["height"]}, "unknown feature 'height'"),
        ({"forbidden": ["age < 30 -> high"]}, "never"),
        ({"monotone": {"age": "sideways"}}, "increasing"),
        ({"pinned": ["age > -> high"]}, "expected"),
    ],
)
def test_guardrails_that_make_no_sense_are_refused(
    session: Session, definition: dict[str, object], message: str
) -> None:
    with pytest.raises(StudioError, match=message):
        session.guardrails.replace(definition, revision=1, reason="law", author=None)


def test_an_order_is_for_monotone_features_only() -> None:
    assert "monotone_order" not in Definition(order=("low", "high"), pinned=("a > 1 -> low",)).parameters()
    assert Definition.of({}).parameters() == {}
