"""Who may ask the studio what, and how much of it."""

from dataclasses import dataclass, field
from typing import Any, Final

from evoter.studio.server.connections import StudioConnection

MAX_BODY_BYTES: Final = 1_000_000
MAX_IMPORT_BYTES: Final = 32_000_000
"""The most bytes of a project file that is imported in the browser; `evoter studio --import` takes larger ones."""

MAX_STREAMS: Final = 16
BODY_SECONDS: Final = 10.0
"""How long a request may take to arrive."""

HEARTBEAT_SECONDS: Final = 10.0
"""How often a stream without events says that it is there."""

UVICORN_SETTINGS: Final[dict[str, Any]] = {
    "http": StudioConnection,
    "ws": "none",
    "lifespan": "on",
    "access_log": False,
    "server_header": False,
    "date_header": False,
    "proxy_headers": False,
    "timeout_keep_alive": 15,
    "timeout_graceful_shutdown": 3,
    "limit_concurrency": 200,
    "h11_max_incomplete_event_size": 16_384,
    "log_level": "warning",
}
"""How uvicorn runs the studio: nothing is logged by default, slow clients are cut off, and there are no websockets."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The token, and which hosts and origins may be asked for.

    `hosts` are values of the Host header, with the port if it is not the default one; `origins` those of the Origin
    header, by default the hosts with http. With `user_header`, the author of a change is whom this header names, which
    a reverse proxy must set or remove.
    """

    token: str = field(repr=False)
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    user_header: str | None = None
    max_streams: int = MAX_STREAMS
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    body_seconds: float = BODY_SECONDS

    def __post_init__(self) -> None:
        if len(self.token) < 16:
            raise ValueError("the token has fewer than 16 characters: use secrets.token_urlsafe(32)")
        if not self.hosts:
            raise ValueError("hosts is empty, so that no request would be answered: name one, such as 127.0.0.1:8000")

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The hosts, in lower case."""
        return frozenset(host.lower() for host in self.hosts)

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins, in lower case."""
        return frozenset(origin.lower() for origin in self.origins or [f"http://{host}" for host in self.hosts])
