"""The command `evoter studio`: files, options, errors with remedies, Ctrl-C, and kill -9 of a server that is edited."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import polars as pl
import pytest

import evoter
from commands import fails
from evoter.cli.studio import browser
from evoter.cli.studio.demonstration import TARGET, write_demonstration
from evoter.studio.project import Project, Setup, verify_project
from studios import edit, patients


@pytest.fixture
def files(folder: Path) -> Path:
    """Return a folder with a table and rules."""
    frame, labels = patients()
    frame.with_columns(pl.Series("risk", labels)).write_csv(folder / "patients.csv")
    (folder / "patients.rules.txt").write_text("age > 70 -> high; Default -> low\n", encoding="utf-8")
    return folder


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any], httpx.Client]]:
    """Start the command in a process of its own, and give a client of its server."""
    options = ("--port", "0", "--no-browser", "--json")
    command = [sys.executable, "-m", "evoter", "studio", *arguments, *options]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        text = ""
        while line := process.stdout.readline():
            text += line
            if line == "}\n":
                break
        said = json.loads(text) if text else {}
        try:
            if "url" not in said:
                assert process.stderr is not None
                pytest.fail(process.stderr.read())
            base, _, token = said["url"].partition("/#token=")
            with httpx.Client(base_url=base, headers={"X-Evoter-Token": token}, timeout=30) as client:
                yield process, said, client
        finally:
            process.kill()


def edit_until_it_ends(client: httpx.Client, acknowledged: dict[int, str], most: int) -> None:
    """Save edits until the server is gone or has acknowledged enough of them."""
    try:
        head = client.get("/api/versions").json()["head"]
        while len(acknowledged) < most:
            rule = f"age > {40 + head / 100} -> high"
            change = {"base": head, "edits": [edit("replace", 1, rule)], "reason": f"after {head}"}
            answer = client.post("/api/versions", json=change)
            assert answer.status_code == 201, answer.text
            version = answer.json()["version"]
            head = version["id"]
            acknowledged[head] = version["hash"]
    except httpx.TransportError:
        return


def test_no_acknowledged_edit_is_lost_by_kill_and_ctrl_c_ends_it(files: Path) -> None:
    """Kill -9 the server at random moments during 200 edits; the next one continues, and Ctrl-C ends the last."""
    random, acknowledged = Random(9), dict[int, str]()
    names, path = ["patients.rules.txt", "patients.csv", "--target", "risk"], files / "patients.evoter"
    for most in (40, 120):
        with started(files, *names) as (process, said, client):
            assert said["continued"] is (path.stat().st_size > 0 and bool(acknowledged))
            threading.Timer(random.uniform(0.3, 1.0), process.kill).start()
            edit_until_it_ends(client, acknowledged, most)
            process.kill()
        assert acknowledged
        result = verify_project(path)
        assert result.passed
        assert {*acknowledged.values()} <= {record.hash for record in result.records}
        names = ["patients.evoter", "patients.csv"]
    with started(files, *names) as (process, said, client):
        assert said["continued"] is True
        edit_until_it_ends(client, acknowledged, 200)
        streaming = threading.Thread(target=_listen, args=(client,), daemon=True)
        streaming.start()
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert "the studio has ended; all edits are in patients.evoter" in process.stderr.read()
        streaming.join(10)
    assert len(acknowledged) == 200
    with Project.open(path) as project:
        assert acknowledged.items() <= {version.number: version.hash for version in project.versions}.items()
    assert not [each.name for each in files.iterdir() if each.name.endswith(("-wal", "-shm", ".lock"))]


def _listen(client: httpx.Client) -> None:
    """Listen to events until the server ends: an open stream must not keep it from ending."""
    try:
        with client.stream("GET", "/api/events") as answer:
            for _ in answer.iter_bytes():
                pass
    except httpx.TransportError:
        return


def test_a_missing_library_is_named_with_the_remedy(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "uvicorn" else object())
    message, hint = fails("studio", "patients.csv", "--target", "risk")
    assert message == "the studio needs uvicorn"
    assert hint == 'pip install "evoter[studio]"'


def test_a_port_that_is_taken_is_named_with_the_remedy(files: Path) -> None:
    from evoter.studio.running.address import bind

    with bind(port=0).listener as listener:
        port = str(listener.getsockname()[1])
        message, hint = fails("studio", "patients.csv", "--target", "risk", "--port", port)
        assert f"port {port} is taken" in message
        assert "--port 0" in hint
    assert not (files / "patients.evoter").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "takes a table"),
        (["a", "b", "c"], "takes a table"),
        (["risk.evoter"], "which does not hold the rows"),
        (["nothing.evoter", "patients.csv"], "there is no project nothing.evoter"),
        (["risk.evoter", "patients.csv", "--target", "age"], "--target age has no effect"),
        (["risk.evoter", "patients.csv", "--protected", "smoker"], "--protected smoker has no effect"),
        (["patients.rules.txt", "patients.csv", "--project", "risk"], "a project with other rules"),
        (["patients.csv", "--target", "risk", "--protected", "colour"], "colour"),
        (["patients.csv", "--target", "risk", "--id", "number"], "number"),
        (["patients.csv", "--target", "risk", "--host", "0.0.0.0"], "browsers call it by one"),
        (["patients.csv", "--target", "risk", "--public-url", "here"], "no address of a site"),
        (["patients.csv", "--target", "risk", "--favourable", "medium"], "there is no class 'medium'"),
        (["risk.evoter", "patients.csv", "--import", "patients.csv"], "cannot be imported"),
        (["risk.evoter", "other.csv"], "not the table of this project"),
    ],
)
def test_mistakes_are_named(files: Path, arguments: list[str], message: str) -> None:
    from evoter.studio.project import Split, row_hashes

    with Project.create(files / "risk.evoter", Setup("risk", "patients.csv", ("sex",))) as project:
        project.add_version(evoter.parse("age > 50 -> high; Default -> low"), parent=None, reason="a first guess")
        if "other.csv" in arguments:
            other = (files / "patients.csv").read_text(encoding="utf-8").splitlines()
            (files / "other.csv").write_text("\n".join(other[:-1]), encoding="utf-8")
            parts = {"train": [0], "validation": [], "test": []}
            hashes = row_hashes({"a": [1]})
            project.set_split(Split.of(hashes, parts, seed=0, validation=0.25, test=0.25))
    said, hint = fails("studio", *arguments, "--no-browser", "--port", "0")
    assert message in said
    assert hint or "--import" in arguments
    assert not (files / "patients.evoter").exists(), "a project that never began is not left behind"


def test_the_demonstration_has_groups_and_classes(tmp_path: Path) -> None:
    rules, table = write_demonstration(tmp_path)
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    assert header.endswith(TARGET)
    assert len(rows) == 442
    assert {row.rpartition(",")[2] for row in rows} == {"fast", "slow"}
    assert len(evoter.parse(rules.read_text(encoding="utf-8")).rules) == 3


def test_the_token_is_not_on_the_command_line_of_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", lambda url: not opened.append(url))  # type: ignore[func-returns-value]
    with browser.browser_opened("http://127.0.0.1:8765/#token=secret") as tried:
        assert tried
        page = Path(opened[0].removeprefix("file://"))
        assert "secret" not in opened[0]
        assert "http://127.0.0.1:8765/#token=secret" in page.read_text(encoding="utf-8")
        assert page.stat().st_mode & 0o077 == 0
    assert not page.exists()
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform == "linux":
        with browser.browser_opened("http://127.0.0.1:8765/") as tried:
            assert not tried
