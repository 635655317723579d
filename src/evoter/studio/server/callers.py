"""Who calls: the author that a reverse proxy vouches for, or the one that the request names, and the tab."""

import re
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from evoter.studio.errors import StudioError
from evoter.studio.server.settings import ServerSettings

TAB_HEADER: Final = "x-evoter-tab"
_TAB: Final = re.compile(r"[A-Za-z0-9_-]{0,40}")
MAX_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Callers:
    """Reads who calls from a request."""

    settings: ServerSettings

    def author(self, request: Request, given: str | None) -> str | None:
        """Return the author of a change; None is the person who started the studio."""
        name = self.settings.user_header
        if name is None:
            return given.strip() or None if given is not None else None
        vouched = request.headers.get(name, "").strip()[:MAX_NAME]
        if not vouched:
            raise StudioError("author", f"the proxy did not say who you are in {name}", "sign in again")
        if given is not None and given.strip() != vouched:
            raise StudioError("author", f"you are signed in as {vouched}", "leave the author out", field="author")
        return vouched

    def tab(self, request: Request) -> str:
        """Return the tab that calls, by which it recognises its own changes."""
        given = request.headers.get(TAB_HEADER, "")
        if not _TAB.fullmatch(given):
            raise StudioError("invalid", f"{TAB_HEADER} has up to 40 letters and digits")
        return given
