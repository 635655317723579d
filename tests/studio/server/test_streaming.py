"""Events reach every page that listens; there are not too many of them, and a lost page gives its place back."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from evoter.studio.server.settings import MAX_STREAMS
from studios import edit, open_session, rules, serve


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[httpx.Client]:
    """Return a client of a server of its own."""
    with open_session(tmp_path, rules()) as session, serve(session) as client:
        yield client


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield events by name with their data."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_a_change_of_one_tab_is_told_to_another(fresh: httpx.Client) -> None:
    with fresh.stream("GET", "/api/events") as stream:
        heard = events(stream.iter_lines())
        assert next(heard)[1]["head"] == 1
        body = {"base": 1, "edits": [edit("replace_condition", 1, 1, "age > 70.5")], "reason": "half"}
        saved = fresh.post("/api/versions", json=body, headers={"X-Evoter-Tab": "tab-7"}).json()
        found: dict[str, Any] = {}
        while len(found) < 2:
            name, data = next(heard)
            found[name] = data
    assert found["version"]["head"] == 2
    assert found["version"]["tab"] == "tab-7"
    assert found["proof"]["id"] == saved["proof"]["id"]
    assert found["proof"]["state"] == "refuted"


def test_there_are_only_so_many_streams_and_places_are_given_back(fresh: httpx.Client) -> None:
    with ExitStack() as opened:
        statuses = [opened.enter_context(fresh.stream("GET", "/api/events")).status_code for _ in range(MAX_STREAMS)]
        assert statuses == [200] * MAX_STREAMS
        for _ in range(20):
            assert fresh.get("/api/events").status_code == 429
        assert fresh.get("/api/project").status_code == 200
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with fresh.stream("GET", "/api/events") as stream:
            if stream.status_code == 200:
                return
        time.sleep(0.1)
    pytest.fail("no place was given back")


def test_the_last_event_says_that_the_server_ends(tmp_path: Path) -> None:
    with open_session(tmp_path, rules()) as session, ExitStack() as opened:
        with serve(session) as client:
            other = opened.enter_context(httpx.Client(base_url=client.base_url, headers=client.headers, timeout=30))
            stream = opened.enter_context(other.stream("GET", "/api/events"))
            heard = events(stream.iter_lines())
            assert next(heard)[0] == "hello"
        assert next(heard)[0] == "bye"


def test_stopping_waits_for_no_reader_and_logs_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A tab that is open, and does not even read its events, when the studio stops."""
    with open_session(tmp_path, rules()) as session, socket.socket() as tab:
        tab.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        with serve(session) as client:
            tab.connect((client.base_url.host, client.base_url.port or 80))
            head = f"Host: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {client.headers['X-Evoter-Token']}\r\n"
            tab.sendall(f"GET /api/events HTTP/1.1\r\n{head}\r\n".encode())
            assert tab.recv(12).split(b" ")[1] == b"200"
            session.events.tell("note", {"note": "x" * 8_000_000})
            began = time.monotonic()
        assert time.monotonic() - began < 10
    assert [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []
    assert "Error" not in capfd.readouterr().err
