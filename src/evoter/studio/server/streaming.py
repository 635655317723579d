"""Server-sent events: what happens in a session, sent to each page that listens, as long as it keeps up."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from threading import Lock
from typing import Any, Final

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from evoter.studio.errors import StudioError
from evoter.studio.session.events import BYE, Event
from evoter.studio.session.session import Session

MAX_WAITING: Final = 200
"""How many events wait for a page; one that does not read them is cut off, and begins anew when it comes back."""


class Streams:
    """The event streams of a server, of which there are not more than a number."""

    def __init__(self, session: Session, most: int, heartbeat_seconds: float) -> None:
        self._session = session
        self._most = most
        self._heartbeat = heartbeat_seconds
        self._open: set[asyncio.Queue[Event | None]] = set()
        self._reserved = 0
        self._lock = Lock()
        self._closed = False

    @property
    def n_open(self) -> int:
        """The number of streams that are open."""
        return self._reserved

    def reserve(self) -> None:
        """Take a place for a stream; refuse it if all are taken."""
        with self._lock:
            if self._closed or self._reserved >= self._most:
                hint = "close other tabs of the studio"
                raise StudioError("too_many", f"there are {self._most} event streams already", hint)
            self._reserved += 1

    async def stream(self) -> AsyncGenerator[bytes]:
        """Yield events as they happen, for one who has a place."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue(MAX_WAITING)

        def hear(event: Event) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_put, queue, event)

        end = self._session.events.listen(hear)
        self._open.add(queue)
        try:
            yield encoded("hello", 0, self._hello())
            while not self._closed:
                try:
                    event = await asyncio.wait_for(queue.get(), self._heartbeat)
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if event is None:
                    break
                yield encoded(event.name, event.number, event.data)
                if event.name == BYE:
                    break
        finally:
            end()
            self._open.discard(queue)

    def release(self) -> None:
        """Give a place back."""
        with self._lock:
            self._reserved -= 1

    def close(self) -> None:
        """End all streams; call it in the thread of the loop."""
        self._closed = True
        for queue in list(self._open):
            _end(queue)

    def _hello(self) -> dict[str, Any]:
        described = self._session.describe()
        return {name: described[name] for name in ("head", "guardrail_revision", "table_revision", "evolution")}


class EventResponse(StreamingResponse):
    """A stream of events, whose place is given back whatever becomes of the client."""

    def __init__(self, streams: Streams) -> None:
        streams.reserve()
        self._streams = streams
        self._events = streams.stream()
        super().__init__(self._events, media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the client or the server ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()
            self._streams.release()


def encoded(name: str, number: int, data: Any) -> bytes:
    r"""Return an event as it is sent; JSON has no line breaks of its own.

    >>> encoded("version", 3, {"head": 2})
    b'event: version\nid: 3\ndata: {"head": 2}\n\n'
    """
    return f"event: {name}\nid: {number}\ndata: {json.dumps(data, allow_nan=False)}\n\n".encode()


def _put(queue: "asyncio.Queue[Event | None]", event: Event) -> None:
    try:
        queue.put_nowait(event)
    except asyncio.QueueFull:
        _end(queue)


def _end(queue: "asyncio.Queue[Event | None]") -> None:
    while queue.full():
        queue.get_nowait()
    queue.put_nowait(None)
