"""A run in the background can be paused, looked at, resumed and stopped, and a candidate becomes a version."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evoter.studio.errors import StudioError
from evoter.studio.session.events import Event
from evoter.studio.session.evolving import RunSettings, RunState
from evoter.studio.session.session import Session
from studios import open_session

QUICK = {"population": 60, "max_rules": 4}


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Session]:
    """Return a session of a project without rules."""
    with open_session(tmp_path) as opened:
        yield opened


def wait_for(session: Session, *states: RunState) -> None:
    """Wait until a run is in one of some states."""
    until = time.monotonic() + 120
    while session.evolution.state not in states:
        assert time.monotonic() < until, session.evolution.to_dict()["message"]
        time.sleep(0.02)


def test_a_run_is_paused_resumed_and_stopped_and_picked_from(begun: Session) -> None:
    heard: list[Event] = []
    begun.events.listen(heard.append)
    begun.guardrails.replace({"forbidden_features": ["sex"]}, revision=1, reason="law", author=None)
    begun.start_evolution(RunSettings(generations=100_000, **QUICK))  # type: ignore[arg-type]
    with pytest.raises(StudioError, match="already"):
        begun.start_evolution(RunSettings())
    with pytest.raises(StudioError, match="still changing"):
        begun.evolution.candidate(0)
    wait_for(begun, RunState.RUNNING)
    begun.evolution.pause()
    until = time.monotonic() + 30
    while not begun.evolution.to_dict()["can_pick"] and time.monotonic() < until:
        time.sleep(0.02)
    paused = begun.evolution.to_dict()
    assert paused["state"] == "paused"
    assert paused["front"]
    assert paused["can_pick"]
    assert begun.candidate(0)["rules"]["version"] is None
    assert begun.candidate(0)["effect"] is None
    begun.evolution.resume()
    begun.evolution.stop()
    wait_for(begun, RunState.FINISHED)
    found = begun.evolution.to_dict()
    assert found["stop_reason"] == "stopped"
    assert found["generation"] == found["history"][-1]["generation"]
    names = {event.data["state"] for event in heard if event.name == "evolution"}
    assert {"preparing", "paused", "stopping", "finished"} <= names
    picked = begun.pick(0, base=None, reason="the most accurate", author="Eve")
    assert picked["version"]["kind"] == "evolve"
    assert begun.versions()["head"] == 1
    assert "sex" not in begun.rules()["text"]
    again = begun.candidate(len(found["front"]) - 1)
    assert again["effect"]["size"]["rules"][0] == picked["rules"]["size"]["rules"]
    with pytest.raises(StudioError, match="no candidate 99"):
        begun.candidate(99)


def test_a_run_within_limits_starts_from_the_current_rules(own_session: Session) -> None:
    limits = {"selection_rate_difference(high)": 0.3}
    own_session.start_evolution(RunSettings(generations=2, limits=limits, from_head=True, **QUICK))  # type: ignore[arg-type]
    wait_for(own_session, RunState.FINISHED, RunState.FAILED)
    found = own_session.evolution.to_dict()
    assert found["state"] == "finished", found["message"]
    assert all(0 <= each["validation"] <= 1 for each in found["front"])


def test_a_run_that_fails_says_why(own_session: Session) -> None:
    own_session.start_evolution(RunSettings(generations=2, limits={"nonsense": 1.0}))
    wait_for(own_session, RunState.FAILED)
    assert "nonsense" in own_session.evolution.to_dict()["message"]
    with pytest.raises(StudioError, match="the run is failed"):
        own_session.evolution.pause()
