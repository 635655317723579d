"""What every request must pass: the host, the origin, the token, and limits on what is sent and how slowly."""

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evoter.studio.server.json_limits import check_json
from evoter.studio.server.settings import MAX_BODY_BYTES, MAX_IMPORT_BYTES, ServerSettings

_LOG = logging.getLogger("evoter.studio")

TOKEN_HEADER: Final = "x-evoter-token"
API: Final = "/api/"
IMPORT: Final = "/api/import"
"""The one path that takes a file, and not JSON."""

FILE_PATIENCE: Final = 6
"""How many times longer than other requests a file may take to arrive."""

DISCARDED_BYTES: Final = 40_000_000
"""How much of a refused request is still taken in: who hangs up while the other side sends takes the answer back."""

SECURITY_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Refused(Exception):  # noqa: N818 - it names what happens to the request
    """A request that is answered with an error, without a word about the project."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message


class Protection:
    """An ASGI application around another: what it refuses, the other never sees."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings
        self._token = settings.token.encode()
        self._takes_file = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        guarded = self._with_headers(send, api=scope["path"].startswith(API))
        try:
            self._check(scope)
            body = await self._body(scope, receive)
        except Refused as refused:
            await _refuse(guarded, refused, partial(self._discard, receive))
            return
        await self._answer(scope, _replayed(body, receive), guarded)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; whatever goes wrong there is told without details."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:
            # The server stops and waits no longer; the connection has been cut by then, so that nothing is to be said.
            _LOG.info("a request was not answered because the studio stopped")
        except Exception:
            _LOG.exception("a request could not be answered")
            if not begun:
                await _refuse(send, Refused(500, "internal", "the studio made a mistake; its log says more"))

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if headers.getlist("host") and len(headers.getlist("host")) > 1:
            raise Refused(421, "host", "several hosts")
        if headers.get("host", "").lower() not in self.settings.allowed_hosts:
            raise Refused(421, "host", "this is not a host of the studio")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.settings.allowed_origins:
            raise Refused(403, "origin", "requests from other pages are not answered")
        if not scope["path"].startswith(API):
            if scope["method"] not in ("GET", "HEAD"):
                raise Refused(405, "method", "pages are only read")
            return  # also to those who follow a link from elsewhere, such as a notebook
        # Browsers say where a request comes from; the token would stop those from elsewhere as well.
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "origin", "requests from other pages are not answered")
        given = headers.getlist(TOKEN_HEADER)
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), self._token):
            raise Refused(401, "token", "open the studio with the address that it printed when it started")
        kind = "application/vnd.sqlite3" if scope["path"] == IMPORT else "application/json"
        if scope["method"] == "POST" and headers.get("content-type", "").partition(";")[0] != kind:
            raise Refused(415, "type", f"requests are {kind}")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the body of a request that changes something, complete and within all limits."""
        if scope["method"] in ("GET", "HEAD"):
            return b""
        if scope["path"] == IMPORT:
            return await self._file(scope, receive)
        body = await self._received(scope, receive, MAX_BODY_BYTES, self.settings.body_seconds)
        try:
            check_json(body)
        except ValueError as error:
            raise Refused(422, "invalid", str(error)) from None
        return body

    async def _file(self, scope: Scope, receive: Receive) -> bytes:
        """Return a file that somebody uploads; there is one at a time, so that they do not fill the memory."""
        if self._takes_file:
            raise Refused(429, "too_many", "another file is being imported; try again when it is done")
        self._takes_file = True
        try:
            return await self._received(scope, receive, MAX_IMPORT_BYTES, FILE_PATIENCE * self.settings.body_seconds)
        finally:
            self._takes_file = False

    async def _received(self, scope: Scope, receive: Receive, most: int, seconds: float) -> bytes:
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            raise _too_large(most)
        try:
            async with asyncio.timeout(seconds):
                return await _collect(receive, most)
        except TimeoutError:
            raise Refused(408, "slow", "the request took too long to arrive") from None

    async def _discard(self, receive: Receive) -> None:
        """Read on until the request has been sent, within limits, and forget it."""
        with suppress(TimeoutError, Refused):
            async with asyncio.timeout(self.settings.body_seconds):
                await _collect(receive, DISCARDED_BYTES, keep=False)

    def _with_headers(self, send: Send, *, api: bool) -> Send:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers["cache-control"] = "no-store" if api else "no-cache"
            await send(message)

        return guarded


def _too_large(most: int) -> Refused:
    return Refused(413, "too_large", f"a request has at most {most:,} bytes")


async def _collect(receive: Receive, most: int, *, keep: bool = True) -> bytes:
    """Return the body of a request, whatever length it claims, if it is to be kept; end as soon as it is too long."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "invalid", "the request ended before it was complete")
        part = message.get("body", b"")
        size += len(part)
        if keep:
            parts.append(part)
        if size > most:
            raise _too_large(most)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return what hands over a body that has been read already, and then whatever follows."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


async def _refuse(send: Send, refused: Refused, before_end: Callable[[], Awaitable[None]] | None = None) -> None:
    """Send why a request is refused; the answer is complete before `before_end` runs, and ends after it."""
    error = {"kind": refused.kind, "message": refused.message, "hint": ""}
    body = json.dumps({"error": error}).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if before_end is not None:
        await before_end()
    await send({"type": "http.response.body", "body": b""})
