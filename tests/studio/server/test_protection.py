"""What a request must pass before it learns anything: host, origin, token, size, depth, and time."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evoter.studio.server.connections import StudioConnection
from evoter.studio.server.protection import SECURITY_HEADERS
from studios import open_session, rules, serve

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def stranger(client: httpx.Client) -> Iterator[httpx.Client]:
    """Return a client without the token."""
    with httpx.Client(base_url=client.base_url, timeout=30) as unknown:
        yield unknown


def kind_of(answer: httpx.Response) -> str:
    """Return the kind of an error."""
    return str(answer.json()["error"]["kind"])


PATHS = [
    "project",
    "table",
    "rules",
    "versions",
    "guardrails",
    "evolution",
    "signoff",
    "export",
    "verify",
    "events",
    "no",
]


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_told(client: httpx.Client, stranger: httpx.Client, path: str) -> None:
    token = client.headers["x-evoter-token"]
    for answer in (
        stranger.get(f"/api/{path}"),
        stranger.get(f"/api/{path}", headers={"x-evoter-token": token[:-1]}),
        stranger.get(f"/api/{path}", headers={"x-evoter-token": ""}),
        stranger.get(f"/api/{path}", headers={"authorization": f"Bearer {token}"}),
        stranger.get(f"/api/{path}", params={"token": token, "x-evoter-token": token}),
        stranger.get(f"/api/{path}", headers=[("x-evoter-token", token), ("x-evoter-token", "x")]),
        stranger.post(f"/api/{path}", json={}),
    ):
        assert answer.status_code == 401
        assert kind_of(answer) == "token"
        assert not {"patients", "risk", "high", "age"} & set(answer.text.split('"'))


def test_other_hosts_and_origins_are_refused_even_with_the_token(client: httpx.Client) -> None:
    for host in ("evil.example", "127.0.0.1", "localhost:1", f"{client.base_url.netloc.decode()}.evil.example", ""):
        answer = client.get("/api/project", headers={"host": host})
        assert answer.status_code in (400, 421), host
        assert client.get("/", headers={"host": host}).status_code in (400, 421)
    for origin in ("http://evil.example", "null", "https://127.0.0.1", f"{client.base_url}x"):
        assert client.get("/api/project", headers={"origin": origin}).status_code == 403, origin
        assert client.post("/api/effect", headers={"origin": origin}, json={}).status_code == 403
    own = str(client.base_url).rstrip("/")
    assert client.get("/api/project", headers={"origin": own}).status_code == 200
    assert client.get("/api/project", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200  # a link in a notebook


def test_a_form_of_another_site_changes_nothing(client: httpx.Client) -> None:
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""):
        answer = client.post("/api/versions", content=b'{"base": 1}', headers={"content-type": kind})
        assert answer.status_code == 415
        assert kind_of(answer) == "type"
    assert client.get("/api/versions").json()["head"] == 1


def test_every_answer_has_the_headers_that_protect_browsers(client: httpx.Client, stranger: httpx.Client) -> None:
    answers = [client.get("/api/project"), stranger.get("/api/project"), stranger.get("/"), stranger.get("/nothing")]
    for answer in [*answers, client.get("/api/nothing"), client.post("/api/effect", json={})]:
        assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_a_body_is_limited_whatever_length_it_claims(client: httpx.Client) -> None:
    huge = b'{"conditions": "' + b"x" * 2_000_000 + b'"}'
    statuses = []
    statuses.append(client.post("/api/slice", content=huge, headers=JSON).status_code)

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(huge), 65_536):
            yield huge[start : start + 65_536]

    statuses.append(client.post("/api/slice", content=pieces(), headers=JSON).status_code)
    assert statuses == [413, 413]
    assert client.get("/api/project").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"nonsense",
        b'{"conditions": NaN}',
        b'{"a":' * 30 + b"1" + b"}" * 30,
        b"[" * 100_000,
        b'{"conditions": "\xff"}',
        b'{"conditions": "age > 1", "more": 1}',
        b'{"conditions": ["age > 1"]}',
        b'{"part": "test"}',
        json.dumps({"conditions": "x" * 30_000}).encode(),
    ],
)
def test_json_that_does_not_fit_is_refused(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/api/slice", content=body, headers=JSON)
    assert answer.status_code == 422
    assert kind_of(answer) == "invalid"


def test_numbers_beyond_all_numbers_are_refused(client: httpx.Client) -> None:
    answer = client.post("/api/case", content=b'{"values": {"age": 1e999}}', headers=JSON)
    assert answer.status_code == 422


def raw(client: httpx.Client) -> socket.socket:
    """Return a connection to the server."""
    return socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=30)


def ended(connection: socket.socket) -> bytes:
    """Return what arrives until the other side ends the connection."""
    received = b""
    while part := connection.recv(65_536):
        received += part
    return received


def test_slow_clients_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StudioConnection, "request_seconds", 0.5)
    limits = {"body_seconds": 0.5}
    with open_session(tmp_path, rules()) as session, serve(session, limits=limits) as client:
        host = client.base_url.netloc.decode()
        with raw(client) as headers_never_end, raw(client) as body_never_ends:
            begun = time.monotonic()
            headers_never_end.sendall(f"GET /api/project HTTP/1.1\r\nHost: {host}\r\nX-A: ".encode())
            token = client.headers["x-evoter-token"]
            head = f"POST /api/slice HTTP/1.1\r\nHost: {host}\r\nX-Evoter-Token: {token}\r\n"
            body_never_ends.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{{".encode())
            assert ended(headers_never_end) == b""
            assert b" 408 " in ended(body_never_ends).splitlines()[0]
            assert time.monotonic() - begun < 10
            assert client.get("/api/project").status_code == 200


def test_the_headers_of_later_requests_may_not_take_for_ever_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StudioConnection, "request_seconds", 0.5)
    with open_session(tmp_path, rules()) as session, serve(session) as client, raw(client) as connection:
        page = f"GET /pages/nothing HTTP/1.1\r\nHost: {client.base_url.netloc.decode()}\r\n"
        for _ in range(2):  # a complete request is answered however many there were
            connection.sendall(f"{page}\r\n".encode())
            assert connection.recv(65_536).startswith(b"HTTP/1.1 404")
        connection.settimeout(10)
        connection.sendall(f"{page}X-A: ".encode())
        assert ended(connection) == b""


def test_paths_lead_nowhere_else(client: httpx.Client) -> None:
    host = client.base_url.netloc.decode()
    for path in ("/pages/../errors.py", "/pages/%2e%2e/errors.py", "/pages/..%2ferrors.py", "/pages//etc/passwd",
                 "/pages/", "/pages/__init__.py", "/pages/....//errors.py", "/pages/%00", "/../../etc/passwd"):  # fmt: skip
        with raw(client) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = ended(connection)
            assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), (path, answer[:100])
            assert b"import" not in answer
            assert b"root:" not in answer
