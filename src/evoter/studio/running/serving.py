"""The server of the studio in a thread of its own, from its start until it is stopped."""

import asyncio
import html
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from evoter.studio.project import Project
from evoter.studio.running.address import Address

if TYPE_CHECKING:
    from evoter.rules.model import RuleSet
    from evoter.studio.session.session import Session

INSTALL = 'pip install "evoter[studio]"'
"""What to do where the libraries of the studio are missing."""

_START_SECONDS = 60.0
_STOP_SECONDS = 10.0


class Studio:
    """A studio that is running: `url` is where to open it, and `stop` ends it.

    `note` is shown beside the link in a notebook, and `limits` are fields of `ServerSettings`, such as `max_streams`.
    The address has a token after `#`, which browsers send nowhere by themselves; whoever has it may do everything.
    """

    def __init__(
        self,
        session: "Session",
        address: Address,
        *,
        user_header: str | None = None,
        note: str = "",
        limits: Mapping[str, Any] | None = None,
    ) -> None:
        import uvicorn

        from evoter.studio.server import UVICORN_SETTINGS, ServerSettings, create_app

        self.session = session
        self.token = secrets.token_urlsafe(32)
        self._address = address
        self._note = note
        settings = ServerSettings(
            token=self.token,
            hosts=address.hosts,
            origins=address.origins,
            user_header=user_header,
            **(limits or {}),
        )
        self._app = create_app(session, settings)
        self._server = uvicorn.Server(uvicorn.Config(self._app, **UVICORN_SETTINGS))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._serve, name="studio", daemon=True)
        self._resources = ExitStack()

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        return f"{self._address.base}/#token={self.token}"

    @property
    def project(self) -> Project:
        """The project that is worked on."""
        project: Project = self.session.project
        return project

    @property
    def ruleset(self) -> "RuleSet | None":
        """The rules as they are now, without those that are switched off."""
        current = self.project.current
        return None if current is None else current.active

    def start(self) -> Self:
        """Start the server and return when it answers."""
        self._thread.start()
        until = time.monotonic() + _START_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > until:
                self.stop()
                raise RuntimeError("the server of the studio did not start")
            time.sleep(0.01)
        return self

    def wait(self) -> None:
        """Wait until the server ends."""
        while self._thread.is_alive():
            self._thread.join(1.0)  # with a time limit, so that Ctrl-C is noticed on every system

    def stop(self) -> None:
        """End the server and everything that runs in it; calling it again does nothing."""
        self.session.close()
        self._server.should_exit = True
        if self._thread.is_alive():
            if self._loop is not None:
                with suppress(RuntimeError):  # the server has just ended by itself
                    # The server would wait for streams of events, which do not end by themselves.
                    self._loop.call_soon_threadsafe(self._app.state.streams.close)
            self._thread.join(_STOP_SECONDS)
            self._server.force_exit = True
            self._thread.join(_STOP_SECONDS)
        self._address.listener.close()
        self._resources.close()

    def at_end(self, resources: ExitStack) -> Self:
        """Let go of these resources when the studio stops."""
        self._resources.push(resources)
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "running" if self._thread.is_alive() else "stopped"
        return f"<evoter studio, {state}, {self.url}>"

    def _repr_html_(self) -> str:
        """Return a link for notebooks."""
        if not self._thread.is_alive():
            return "<p>The studio has been stopped.</p>"
        link = f'<a href="{html.escape(self.url)}" target="_blank" rel="noopener noreferrer">Open the studio</a>'
        return f"<p>{link} {html.escape(self._note)}</p>"

    def _serve(self) -> None:
        asyncio.run(self._served())

    async def _served(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._address.listener])
