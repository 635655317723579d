"""Attacks on a real server: each is what somebody would try who can reach the port, or lure a user to a page."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import polars as pl
import pytest

import evoter
from evoter.studio.server.connections import StudioConnection
from studios import connected, edit, hung_up, open_session, patients, rules, serve

SECRETS = ("patients", "smoker", "pressure", "Ada", "sugar")
"""What nobody learns without the token: the file, columns, the author."""

ROUTES = ("/api/project", "/api/table", "/api/rules", "/api/versions", "/api/guardrails", "/api/signoff", "/api/export")
CHANGE = {"base": 1, "edits": [edit("drop", 1)], "reason": "because I can"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with open_session(tmp_path_factory.mktemp("attacked"), rules()) as session:
        limits = {"body_seconds": 0.5, "heartbeat_seconds": 0.2}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(StudioConnection, "request_seconds", 0.5)
            with serve(session, limits=limits) as served:
                yield served


@pytest.fixture
def stranger(client: httpx.Client) -> Iterator[httpx.Client]:
    """Return a client of the same server without the token; whatever it does, nothing may change."""
    before = client.get("/api/versions").json()
    with httpx.Client(base_url=client.base_url, timeout=30) as strange:
        yield strange
    assert client.get("/api/versions").json() == before


def says_nothing(answer: httpx.Response) -> None:
    """Check that an answer tells nothing about the project."""
    assert not [secret for secret in SECRETS if secret in answer.text]


def token_of(client: httpx.Client) -> str:
    return client.headers["X-Evoter-Token"]


def raw(client: httpx.Client, request: str) -> bytes:
    """Send a request byte by byte as given, and return the whole answer."""
    with connected(client) as connection:
        connection.sendall(request.encode())
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
        return b"".join(parts)


@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 43, "é" * 43], ids=["none", "empty", "short", "long", "é"])
def test_without_the_token_there_is_nothing(stranger: httpx.Client, token: str | None) -> None:
    for route in (*ROUTES, "/api/events", "/api/nothing"):
        answer = stranger.get(route, headers={} if token is None else {b"X-Evoter-Token": token.encode()})
        assert answer.status_code == 401
        says_nothing(answer)


def test_part_of_the_token_is_not_enough(client: httpx.Client, stranger: httpx.Client) -> None:
    token = token_of(client)
    for wrong in (token[:-1], token + "x", token.swapcase(), f"{token},{token}"):
        assert stranger.get("/api/project", headers={"X-Evoter-Token": wrong}).status_code == 401
    twice = stranger.get("/api/project", headers=[("X-Evoter-Token", token), ("X-Evoter-Token", token)])
    assert twice.status_code == 401


def test_a_token_anywhere_else_is_not_looked_at(client: httpx.Client, stranger: httpx.Client) -> None:
    token = token_of(client)
    for route in ("/api/project", "/api/events", "/api/export"):
        answer = stranger.get(route, params={"token": token, "X-Evoter-Token": token})
        assert answer.status_code == 401
        says_nothing(answer)
    for headers in ({"Cookie": f"token={token}"}, {"Authorization": f"Bearer {token}"}):
        assert stranger.get("/api/project", headers=headers).status_code == 401
    posted = stranger.post("/api/versions", json={**CHANGE, "token": token})
    assert posted.status_code == 401


def test_pages_without_the_token_do_not_even_tell_the_title(stranger: httpx.Client) -> None:
    for path in ("/", "/favicon.ico", "/docs", "/openapi.json", "/redoc", "/api", "/server-status"):
        answer = stranger.get(path)
        assert answer.status_code in (200, 401, 404)
        says_nothing(answer)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.evil.example:{port}", "[::1]:{port}", ""],
)
def test_another_host_is_not_answered(client: httpx.Client, stranger: httpx.Client, host: str) -> None:
    """A page at evil.example whose name leads to 127.0.0.1 by now, as in DNS rebinding."""
    named = host.format(port=client.base_url.port)
    for headers in ({"Host": named}, {"Host": named, "X-Evoter-Token": token_of(client)}):
        answer = stranger.get("/api/project", headers=headers)
        assert answer.status_code == 421
        says_nothing(answer)
        assert stranger.get("/", headers=headers).status_code == 421


def test_two_hosts_or_a_forwarded_one_do_not_help(client: httpx.Client, stranger: httpx.Client) -> None:
    port, token = client.base_url.port, token_of(client)
    lines = f"X-Evoter-Token: {token}\r\nConnection: close\r\n\r\n"
    twice = raw(client, f"GET /api/project HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:{port}\r\n{lines}")
    assert twice.split(b" ")[1] in (b"400", b"421")
    absolute = raw(client, f"GET http://127.0.0.1:{port}/api/project HTTP/1.1\r\nHost: evil.example\r\n{lines}")
    assert absolute.split(b" ")[1] in (b"400", b"404", b"421")
    forwarded = {"Host": "evil.example", "X-Forwarded-Host": f"127.0.0.1:{port}", "X-Evoter-Token": token}
    assert stranger.get("/api/project", headers=forwarded).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "file://"]
)
def test_another_origin_is_refused_even_with_the_token(client: httpx.Client, origin: str) -> None:
    named = origin.format(port=client.base_url.port)
    answer = client.post("/api/versions", json=CHANGE, headers={"Origin": named})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    says_nothing(answer)


def test_a_form_or_a_fetch_of_another_site_changes_nothing(client: httpx.Client, stranger: httpx.Client) -> None:
    """What a page elsewhere can send: forms and simple requests without the header, with cookies if there were any."""
    body = json.dumps(CHANGE)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        form = {"Content-Type": kind, "Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert stranger.post("/api/versions", content=body, headers=form).status_code == 403
        # An old browser that names neither origin nor site; and with the token, the kind of content is still wrong.
        assert stranger.post("/api/versions", content=body, headers={"Content-Type": kind}).status_code == 401
        assert client.post("/api/versions", content=body, headers={"Content-Type": kind}).status_code == 415
    preflight = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    asked = stranger.options("/api/versions", headers=preflight)
    assert asked.status_code >= 400
    assert not [name for name in asked.headers if name.startswith("access-control")]
    same_site = {"Sec-Fetch-Site": "same-site", "X-Evoter-Token": token_of(client)}
    assert stranger.get("/api/project", headers=same_site).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/pages/../server/app.py",
        "/pages/..%2fserver/app.py",
        "/pages/%2e%2e/server/app.py",
        "/pages/....//server/app.py",
        "/pages/..\\server\\app.py",
        "/pages//etc/passwd",
        "/pages/%2fetc%2fpasswd",
        "/pages/../../../../../../etc/passwd",
        "/pages/app.js%00.html",
        "/pages/.",
        "/../../etc/passwd",
        "/pages/__init__.py",
    ],
)
def test_no_path_leads_out_of_the_pages(client: httpx.Client, path: str) -> None:
    head = f"Host: 127.0.0.1:{client.base_url.port}\r\nConnection: close\r\n\r\n"
    answer = raw(client, f"GET {path} HTTP/1.1\r\n{head}")
    assert answer.split(b" ")[1] in (b"400", b"404")
    assert b"root:" not in answer
    assert b"import" not in answer


def test_oversized_bodies_are_refused_before_they_are_read(client: httpx.Client) -> None:
    head = f"POST /api/versions HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {token_of(client)}\r\n"
    head += "Content-Type: application/json\r\n"
    claimed = raw(client, f"{head}Content-Length: 100000000000\r\n\r\n{{")
    assert claimed.split(b" ")[1] == b"413"
    with connected(client) as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk, sent = b"10000\r\n" + b" " * 65_536 + b"\r\n", 0
        try:
            while sent < 50_000_000:
                connection.sendall(chunk)
                sent += 65_536
        except OSError:
            pass  # it has hung up, which is what it should do
    assert sent < 50_000_000
    lying = raw(client, f"{head}Content-Length: 1e9\r\n\r\n")
    assert lying.split(b" ")[1] in (b"400", b"413")


def test_deep_or_strange_json_is_refused(client: httpx.Client) -> None:
    for body in (b"[" * 400_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000, b"NaN", b'{"base": 1' + b"0" * 9_000 + b"}"):
        answer = client.post("/api/versions", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422


def test_a_rule_text_of_ten_megabytes_is_refused(client: httpx.Client) -> None:
    text = "age > 1 AND " * 850_000 + "age > 2 -> high"
    assert len(text) > 10_000_000
    began = time.monotonic()
    body = json.dumps({"base": 1, "edits": [edit("replace", 1, text)]})
    assert client.post("/api/effect", content=body, headers={"Content-Type": "application/json"}).status_code == 413
    for shorter in (text[:900_000], "(" * 900_000, '"' * 400_000):
        assert client.post("/api/effect", json={"base": 1, "edits": [edit("replace", 1, shorter)]}).status_code == 422
    assert time.monotonic() - began < 10
    assert client.get("/api/project").status_code == 200


def test_a_header_without_end_is_refused(client: httpx.Client) -> None:
    with connected(client) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nX-A: ".encode())
        sent = 0
        try:
            while sent < 50_000_000:
                connection.sendall(b"a" * 65_536)
                sent += 65_536
        except OSError:
            pass  # it has hung up, which is what it should do
    assert sent < 50_000_000


def test_clients_that_send_slowly_are_cut_off_and_keep_nobody_waiting(client: httpx.Client) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(client)) for _ in range(60)]
        for connection in slow[:40]:
            connection.sendall(b"GET /api/project HTTP/1.1\r\nHost: ")
        head = f"POST /api/effect HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {token_of(client)}\r\n"
        for connection in slow[40:]:
            connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{".encode())
        began = time.monotonic()
        assert client.get("/api/project").status_code == 200
        assert time.monotonic() - began < 5
        for connection in slow[:40]:
            assert b"200" not in hung_up(connection, 20)
        for connection in slow[40:]:
            assert hung_up(connection, 20).split(b" ")[1] == b"408"


def unread(client: httpx.Client, path: str, buffer: int = 4_096) -> socket.socket:
    """Ask for something with a small buffer, and read nothing of the answer."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.connect((client.base_url.host, client.base_url.port or 80))
    head = f"Host: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {token_of(client)}\r\n\r\n"
    connection.sendall(f"GET {path} HTTP/1.1\r\n{head}".encode())
    return connection


def test_clients_that_do_not_read_are_cut_off_and_keep_nobody_waiting(tmp_path: Path) -> None:
    """Neither an answer nor a stream of events waits for a reader for ever; its place is given back."""
    megabytes = {"note": "x" * 8_000_000}  # more than the system's buffers take
    with open_session(tmp_path, rules()) as session, pytest.MonkeyPatch.context() as patch:
        patch.setattr(StudioConnection, "read_seconds", 0.3)
        session.project.add_version(rules(), parent=1, reason="large", effect=megabytes)
        with serve(session, limits={"max_streams": 1}) as client, ExitStack() as stack:
            listening = stack.enter_context(unread(client, "/api/events"))
            answers = [stack.enter_context(unread(client, "/api/export")) for _ in range(5)]
            assert listening.recv(12).split(b" ")[1] == b"200"
            assert client.get("/api/events").status_code == 429
            session.events.tell("note", megabytes)
            for _ in answers:
                began = time.monotonic()
                assert client.get("/api/project").status_code == 200
                assert time.monotonic() - began < 5
                time.sleep(0.2)
            for connection in (listening, *answers):
                assert len(hung_up(connection, 20)) < 8_000_000
            with client.stream("GET", "/api/events") as stream:
                assert stream.status_code == 200


def test_a_client_that_reads_slowly_gets_everything(tmp_path: Path) -> None:
    """A file may take longer than the limit for reading, as long as some of it is read all the time."""
    megabytes = {"note": "x" * 12_000_000}  # the system's buffers take up to 4, and take more when a third is read
    with open_session(tmp_path, rules()) as session, pytest.MonkeyPatch.context() as patch:
        patch.setattr(StudioConnection, "read_seconds", 2.0)
        session.project.add_version(rules(), parent=1, reason="large", effect=megabytes)
        whole = len(session.project.export())
        with serve(session) as client, unread(client, "/api/export", 65_536) as connection:
            n_received = 0
            while n_received < whole:
                time.sleep(0.02)
                n_read = len(connection.recv(65_536))
                assert n_read > 0, f"cut off after {n_received:,} of {whole:,} bytes"
                n_received += n_read


def test_a_hundred_event_streams_at_once_get_the_places_there_are(client: httpx.Client) -> None:
    head = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nX-Evoter-Token: {token_of(client)}\r\n\r\n"

    def statuses(streams: list[socket.socket]) -> list[bytes]:
        for stream in streams:
            stream.sendall(head.encode())
        return [stream.recv(12).split(b" ")[1] for stream in streams]

    with ExitStack() as stack:
        answers = statuses([stack.enter_context(connected(client)) for _ in range(100)])
        assert (answers.count(b"200"), answers.count(b"429")) == (16, 84)
        assert client.get("/api/project").status_code == 200
    until = time.monotonic() + 30
    while time.monotonic() < until:  # places are free again when the server notices that the clients are gone
        with connected(client) as connection:
            if statuses([connection]) == [b"200"]:
                return
        time.sleep(0.1)
    pytest.fail("no place was given back")


def test_every_answer_forbids_what_pages_do_not_need(client: httpx.Client, stranger: httpx.Client) -> None:
    for answer in (client.get("/api/project"), stranger.get("/"), stranger.get("/api/project"), client.get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
    assert client.get("/api/project").headers["cache-control"] == "no-store"


SCRIPT = "<script>alert(1)</script>"
IMAGE = "\"'><img src=x onerror=alert(1)>"


def test_scripts_in_names_labels_categories_files_and_reasons_stay_text(tmp_path: Path) -> None:
    frame, labels = patients()
    hostile = frame.rename({"age": SCRIPT, "smoker": IMAGE}).with_columns(
        pl.col("sex").replace({"f": SCRIPT, "m": IMAGE})
    )
    classes = {"high": SCRIPT, "low": IMAGE}
    name = "<script>alert(1)<script>.evoter"
    text = f'"{SCRIPT}" > 70 -> "{SCRIPT}"; Default -> "x"'
    first = evoter.parse(text)
    ruleset = first.replace(schema=first.schema.over(first.schema.features))
    ruleset = evoter.RuleSet(
        ruleset.rules, IMAGE, evoter.Schema(ruleset.schema.features, (SCRIPT, IMAGE)), mode=ruleset.mode
    )
    with evoter.studio(
        ruleset,
        hostile,
        [classes[label] for label in labels],
        target=f"{SCRIPT} target",
        protected=["sex"],
        project=tmp_path / name,
        author=IMAGE,
    ) as studio:
        parts = urlsplit(studio.url)
        headers = {"X-Evoter-Token": studio.token}
        with httpx.Client(base_url=f"http://{parts.netloc}", headers=headers, timeout=60) as client:
            change = {"base": 1, "edits": [edit("rename", 1, SCRIPT)], "reason": SCRIPT, "author": IMAGE}
            assert client.post("/api/versions", json=change).status_code == 201
            wrong = client.post("/api/effect", json={"base": 2, "edits": [edit("add", f"{SCRIPT} -> {IMAGE}")]})
            assert wrong.status_code == 422
            opened = client.post("/api/openings", json={"version": 2, "reason": IMAGE})
            assert opened.status_code == 201, opened.text
            signed = client.post("/api/signoffs", json={"version": 2, "name": IMAGE, "statement": SCRIPT})
            assert signed.status_code == 201, signed.text
            answers = [client.get(route) for route in ROUTES if route != "/api/export"]
            for answer in [*answers, wrong, signed, client.post("/api/audit", json={"part": "validation"})]:
                assert answer.headers["content-type"].startswith("application/json"), answer.url
            assert SCRIPT in answers[1].text, "names are shown as they are, as text"
            assert SCRIPT not in client.get("/").text
            report = client.get("/api/signoffs/1/report")
            assert report.headers["content-disposition"].startswith("attachment")
            assert SCRIPT not in report.text
            assert "<img src=x" not in report.text
            for download in ("/api/export", "/api/rules/file"):
                disposition = client.get(download).headers["content-disposition"]
                assert disposition.startswith("attachment")
                assert "<" not in disposition
