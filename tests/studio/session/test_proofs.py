"""Proofs run one at a time, the urgent first, and what a later edit makes pointless is not begun."""

from threading import Event as Signal

import pytest

from evoter.proofs.result import ProofResult, Status
from evoter.studio.session import proofs
from evoter.studio.session.events import Event, Events
from evoter.studio.session.proofs import EDIT, GUARDRAIL, Proof, ProofQueue

PROVED = ProofResult("it holds", Status.PROVED)


def test_the_most_urgent_comes_first_and_the_superseded_never() -> None:
    queue, started, go = ProofQueue(Events()), Signal(), Signal()
    done: list[str] = []

    def waiting() -> ProofResult:
        started.set()
        go.wait(10)
        return PROVED

    def work(name: str) -> ProofResult:
        done.append(name)
        return PROVED

    queue.ask("first", waiting, key="first", urgency=EDIT)
    assert started.wait(10)
    rail = queue.ask("rail", lambda: work("rail"), key="rail", urgency=GUARDRAIL)
    earlier = queue.ask("earlier", lambda: work("earlier"), key="earlier", urgency=EDIT, slot="edit")
    later = queue.ask("later", lambda: work("later"), key="later", urgency=EDIT, slot="edit")
    assert queue.ask("later", lambda: work("again"), key="later", urgency=EDIT, slot="edit") == later
    go.set()
    assert queue.wait(rail, 10).state == "proved"
    assert done == ["later", "rail"]
    found = queue.get(earlier.number)
    assert found is not None
    assert found.state == "superseded"
    assert "later edit" in found.to_dict()["text"]
    queue.close()


def test_events_tell_the_result() -> None:
    events, told, heard = Events(), Signal(), list[Event]()

    def hear(event: Event) -> None:
        heard.append(event)
        told.set()

    events.listen(hear)
    queue = ProofQueue(events)
    asked = queue.ask("it holds", lambda: PROVED, key=1, urgency=EDIT)
    assert asked.state == "running"
    assert told.wait(10)
    assert heard[0].name == "proof"
    assert heard[0].data["id"] == asked.number
    assert heard[0].data["state"] == "proved"
    queue.close()


def test_old_proofs_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "N_KEPT", 3)
    queue = ProofQueue(Events())
    settled = [queue.settled("it holds", PROVED) for _ in range(5)]
    assert queue.get(settled[0].number) is None
    assert queue.get(settled[-1].number) == settled[-1]


def test_a_counterexample_is_a_sentence_and_values() -> None:
    found = ProofResult("same", Status.REFUTED, {"age": 17.0, "ward": None}, decisions=(("high",), ("low",)))
    described = Proof(1, "same", found).to_dict()
    assert described["text"] == "not so: for age = 17, ward = missing the decisions are high and low"
    assert described["counterexample"] == {"age": 17.0, "ward": None}
