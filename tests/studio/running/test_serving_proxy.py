"""The reverse proxy of docs/studio_deployment.md, run in nginx as it is printed there, with a stub identity server."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from evoter.studio.running.address import bind
from evoter.studio.running.serving import Studio
from evoter.studio.session.session import Session
from project import ROOT
from studios import edit, open_session, rules
from studying import CHROMIUM, FLAGS, keep, open_view

HOST = "studio.example.org"
NGINX, OPENSSL = (
    shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"),
    shutil.which("openssl"),
)
pytestmark = pytest.mark.skipif(NGINX is None or OPENSSL is None, reason="nginx or openssl is not installed")

AROUND = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{server}
}}
"""


class Identity(BaseHTTPRequestHandler):
    """Stands for oauth2-proxy: whoever has the cookie is Ada."""

    def do_GET(self) -> None:
        signed_in = "session=ada" in self.headers.get("Cookie", "")
        status = {"/oauth2/auth": 202 if signed_in else 401}.get(self.path.partition("?")[0], 200)
        self.send_response(status)
        if signed_in:
            self.send_header("X-Auth-Request-Email", "ada@example.org")
        self.end_headers()
        if not self.path.startswith("/oauth2/auth"):
            self.wfile.write(b"please sign in")

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def identity_server() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Identity)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def documented(port: int, studio: int, identity: int, folder: Path) -> str:
    """Return the configuration of the page, with other ports and another certificate."""
    page = (ROOT / "docs" / "studio_deployment.md").read_text(encoding="utf-8")
    (server,) = re.findall(r"^```text\n(server {.*?)^```", page, re.DOTALL | re.MULTILINE)
    for printed, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/studio", f"{folder}/studio"),
        ("127.0.0.1:8765", f"127.0.0.1:{studio}"),
        ("127.0.0.1:4180", f"127.0.0.1:{identity}"),
    ):
        assert printed in server
        server = server.replace(printed, here)
    user = "user root;" if os.geteuid() == 0 else ""  # whose folder it is
    return AROUND.format(folder=folder, server=server, user=user)


@contextmanager
def proxy(studio_port: int, folder: Path) -> Iterator[int]:
    """Run nginx with the documented configuration; give its port."""
    assert NGINX is not None
    assert OPENSSL is not None
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={HOST}", "-days", "2"]
    files = ["-keyout", str(folder / "studio.key"), "-out", str(folder / "studio.pem")]
    subprocess.run([OPENSSL, "req", "-x509", *made, *files], check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with identity_server() as identity:
        configuration = folder / "nginx.conf"
        configuration.write_text(documented(port, studio_port, identity, folder), encoding="utf-8")
        command = [NGINX, "-c", str(configuration), "-p", str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                until = time.monotonic() + 30
                while not _answers(port):
                    if process.poll() is not None or time.monotonic() > until:
                        process.kill()
                        pytest.fail(f"nginx did not start: {process.communicate()[0]}")
                    time.sleep(0.05)
                yield port
            finally:
                process.terminate()
                process.wait(30)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_session(tmp_path_factory.mktemp("session"), rules()) as opened:
        yield opened


@pytest.fixture(scope="module")
def proxied(session: Session, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, str]]:
    """Return a client of the proxy that is not signed in, and the token of the studio behind it."""
    address = bind(port=0, public_url=f"https://{HOST}")
    folder = tmp_path_factory.mktemp("nginx")
    with (
        Studio(session, address, user_header="X-Forwarded-User").start() as studio,
        proxy(address.port, folder) as port,
    ):
        assert studio.url.startswith(f"https://{HOST}/#token=")
        with httpx.Client(base_url=f"https://127.0.0.1:{port}", headers={"Host": HOST}, verify=False) as client:
            yield client, studio.token


@pytest.fixture
def stranger(proxied: tuple[httpx.Client, str]) -> httpx.Client:
    return proxied[0]


@pytest.fixture
def ada(proxied: tuple[httpx.Client, str]) -> dict[str, str]:
    """Return the headers of somebody who is signed in and has the token."""
    return {"Cookie": "session=ada", "X-Evoter-Token": proxied[1], "Origin": f"https://{HOST}"}


def test_whoever_is_not_signed_in_gets_nothing(stranger: httpx.Client, ada: dict[str, str]) -> None:
    page = stranger.get("/")
    assert (page.status_code, page.headers["location"]) == (302, f"https://{HOST}/oauth2/start?rd=/")
    assert stranger.get("/oauth2/start").text == "please sign in"
    assert stranger.get("/oauth2/auth").status_code == 404  # for nginx alone
    forged = {"X-Forwarded-User": "ada@example.org", "X-Auth-Request-Email": "ada@example.org"}
    with_token = {"X-Evoter-Token": ada["X-Evoter-Token"]}
    for headers in ({}, forged, with_token, forged | with_token):
        for answer in (
            stranger.get("/api/project", headers=headers),
            stranger.post("/api/versions", headers=headers, json={}),
        ):
            assert answer.status_code == 403
            assert answer.json()["error"]["kind"] == "signed_out"
            assert "patients" not in answer.text


def test_signing_in_is_not_enough_without_the_token(stranger: httpx.Client) -> None:
    assert "<title>" in stranger.get("/", headers={"Cookie": "session=ada"}).text
    answer = stranger.get("/api/project", headers={"Cookie": "session=ada"})
    assert (answer.status_code, answer.json()["error"]["kind"]) == (401, "token")


def test_the_proxy_names_the_author(stranger: httpx.Client, ada: dict[str, str], session: Session) -> None:
    forged = ada | {"X-Forwarded-User": "eve@example.org"}
    project = stranger.get("/api/project", headers=forged).json()
    assert (project["author"], project["author_fixed"]) == ("ada@example.org", True)
    head = project["head"]
    change = {"base": head, "edits": [edit("replace_condition", 1, 1, "age > 71")], "reason": "policy"}
    assert stranger.post("/api/versions", headers=forged, json={**change, "author": "Eve"}).status_code == 403
    assert (
        stranger.post("/api/versions", headers=ada | {"Origin": "https://evil.example"}, json=change).status_code == 403
    )
    assert stranger.post("/api/versions", headers=forged, json=change).status_code == 201
    assert session.project.versions[-1].author == "ada@example.org"


def test_events_arrive_as_they_happen(stranger: httpx.Client, ada: dict[str, str], session: Session) -> None:
    with stranger.stream("GET", "/api/events", headers=ada, timeout=20) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines) == "event: hello"
        for number in range(3):
            began = time.monotonic()
            session.events.tell("note", {"number": number})
            data = next(line for line in lines if line == f"data: {json.dumps({'number': number})}")
            assert data
            assert time.monotonic() - began < 5  # with buffering it would never come


def test_a_project_file_of_megabytes_passes(stranger: httpx.Client, ada: dict[str, str], session: Session) -> None:
    head = session.project.current
    assert head is not None
    megabytes = {"note": "x" * 2_000_000}
    session.project.add_version(head.ruleset, parent=head.number, reason="large", off=[1], effect=megabytes)
    content = session.project.export()
    kind = {"Content-Type": "application/vnd.sqlite3"}
    answer = stranger.post("/api/import?reason=back", headers=ada | kind, content=content, timeout=60)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "same")
    too_long = stranger.post("/api/import?reason=back", headers=ada | kind, content=bytes(34_000_000), timeout=60)
    assert too_long.status_code == 413


def test_a_browser_signs_in_edits_and_hears_of_others(
    browser: Browser, proxied: tuple[httpx.Client, str], session: Session
) -> None:
    client, token = proxied
    resolved = f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{client.base_url.port}"
    with browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, resolved]) as own:
        context = own.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.goto(f"https://{HOST}/#token={token}")
        expect(page.get_by_text("please sign in")).to_be_visible()
        context.add_cookies([{"name": "session", "value": "ada", "domain": HOST, "path": "/", "secure": True}])
        page.goto(f"https://{HOST}/#token={token}")
        open_view(page, "rules")
        before = len(session.project.versions)
        page.get_by_role("button", name="Pin rule 1").click()
        keep(page, "agreed by the committee")
        assert len(session.project.versions) == before + 1
        assert session.project.versions[-1].author == "ada@example.org"
        head = session.project.current
        assert head is not None
        open_view(page, "history")
        expect(page.locator("[data-version]")).to_have_count(before + 1)
        change = {"base": head.number, "edits": [edit("replace_condition", 2, 1, "age > 72")], "reason": "by another"}
        signed_in = {"Cookie": "session=ada", "X-Evoter-Token": token, "Origin": f"https://{HOST}"}
        assert client.post("/api/versions", headers=signed_in, json=change).status_code == 201
        expect(page.locator("[data-version]")).to_have_count(before + 2)  # through server-sent events, without a reload
        context.clear_cookies()  # as when the log-in has expired
        open_view(page, "rules")
        page.get_by_role("button", name="Pin rule 2").click()
        expect(page.get_by_role("alert").filter(has_text="signed")).to_be_visible()
