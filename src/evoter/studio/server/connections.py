"""Connections that do not wait for ever: a client that does not send a whole request in time is cut off."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10.0
"""How long the first line and the headers of a request may take to arrive."""


class StudioConnection(H11Protocol):
    """HTTP as uvicorn speaks it, with a time limit for the headers of the first request.

    Between requests, uvicorn's own limit for idle connections holds; the body has one in `protection`.
    """

    request_seconds: float = REQUEST_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.request_seconds, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; once a request is complete, the wait is over."""
        super().data_received(data)
        if self.cycle is not None and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        cycle: Any = self.cycle
        if cycle is None and not self.transport.is_closing():
            self.transport.close()
