"""Connections that do not wait for ever: a client that sends or reads too slowly is cut off."""

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10.0
"""How long the first line and the headers of a request may take to arrive."""

READ_SECONDS: Final = 30.0
READ_BYTES: Final = 65_536
"""How long a client that is sent more than 64 kB may take to read this much of it; a whole file may take longer."""

END_SECONDS: Final = 1.0
"""How long a client has for the end of its answer when the studio stops."""


class StudioConnection(H11Protocol):
    """HTTP as uvicorn speaks it, with time limits for the headers of requests and for reading answers.

    Between requests, uvicorn's own limit for idle connections holds, which ends with the first byte of the next one;
    the body has a limit in `protection`.
    """

    request_seconds: float = REQUEST_SECONDS
    read_seconds: float = READ_SECONDS
    _awaiting_request: asyncio.TimerHandle | None = None
    _awaiting_reader: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; once the headers of a request are complete, the wait for them is over."""
        super().data_received(data)
        if self._is_answering():
            self._request_has_come()
        elif self._awaiting_request is None:
            self._await_request()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read what was sent."""
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        """Stop waiting: the client has read enough."""
        self._answer_was_read()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, also one whose client has not read the end of its last answer."""
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def shutdown(self) -> None:
        """End when the answer under way has ended, and in any case soon."""
        super().shutdown()
        self.loop.call_later(END_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._request_has_come()
        self._answer_was_read()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_request(self) -> None:
        self._awaiting_request = self.loop.call_later(self.request_seconds, self._give_up)

    def _give_up(self) -> None:
        self._awaiting_request = None
        if not self._is_answering() and not self.transport.is_closing():
            self.transport.close()

    def _await_reader(self) -> None:
        n_unread = self.transport.get_write_buffer_size()
        self._awaiting_reader = self.loop.call_later(self.read_seconds, self._expect_reading, n_unread)

    def _expect_reading(self, n_unread: int) -> None:
        if self.transport.get_write_buffer_size() <= n_unread - READ_BYTES:
            self._await_reader()
        else:
            self.transport.abort()  # closing would wait until everything is read

    def _request_has_come(self) -> None:
        if self._awaiting_request is not None:
            self._awaiting_request.cancel()
            self._awaiting_request = None

    def _answer_was_read(self) -> None:
        if self._awaiting_reader is not None:
            self._awaiting_reader.cancel()
            self._awaiting_reader = None
