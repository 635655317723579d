"""What every request must pass: the host, the origin, the token, and limits on what is sent and how slowly."""

import asyncio
import hmac
import json
import logging
from collections.abc import Iterable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evoter.studio.server.json_limits import check_json
from evoter.studio.server.settings import MAX_BODY_BYTES, ServerSettings

_LOG = logging.getLogger("evoter.studio")

TOKEN_HEADER: Final = "x-evoter-token"
API: Final = "/api/"

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        guarded = self._with_headers(self._in_time(send), api=scope["path"].startswith(API))
        try:
            self._check(scope)
            body = await self._body(scope, receive)
        except Refused as refused:
            await _refuse(guarded, refused)
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
        except TimeoutError:
            _LOG.info("a client that did not read its answer was cut off")
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
        if scope["method"] == "POST" and headers.get("content-type", "").partition(";")[0] != "application/json":
            raise Refused(415, "type", "requests are JSON")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the body of a request that changes something, complete and within all limits."""
        if scope["method"] in ("GET", "HEAD"):
            return b""
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            raise _too_large()
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                body = await _collect(receive)
        except TimeoutError:
            raise Refused(408, "slow", "the request took too long to arrive") from None
        try:
            check_json(body)
        except ValueError as error:
            raise Refused(422, "invalid", str(error)) from None
        return body

    def _with_headers(self, send: Send, *, api: bool) -> Send:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers["cache-control"] = "no-store" if api else "no-cache"
            await send(message)

        return guarded

    def _in_time(self, send: Send) -> Send:
        """Return what sends as long as the client accepts what it is sent."""

        async def timed(message: Message) -> None:
            async with asyncio.timeout(self.settings.send_seconds):
                await send(message)

        return timed


def _too_large() -> Refused:
    return Refused(413, "too_large", f"a request has at most {MAX_BODY_BYTES:,} bytes")


async def _collect(receive: Receive) -> bytes:
    """Return the body of a request, whatever length it claims; end as soon as it is too long."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "invalid", "the request ended before it was complete")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY_BYTES:
            raise _too_large()
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return what hands over a body that has been read already, and then whatever follows."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


async def _refuse(send: Send, refused: Refused) -> None:
    error = {"kind": refused.kind, "message": refused.message, "hint": ""}
    body = json.dumps({"error": error}).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})
