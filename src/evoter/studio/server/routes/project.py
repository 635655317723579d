"""Routes about the project: what it is, its table, its file, and events."""

from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from evoter.studio.errors import StudioError
from evoter.studio.project import verify_project
from evoter.studio.server.bodies import MAX_TEXT, CorrectionBody, FavourableBody
from evoter.studio.server.callers import Callers
from evoter.studio.server.downloads import download
from evoter.studio.server.streaming import EventResponse, Streams
from evoter.studio.session.session import Session


def project_router(session: Session, callers: Callers, streams: Streams) -> APIRouter:
    """Return the routes about the project."""
    router = APIRouter(prefix="/api")
    importing = Lock()

    @router.get("/project")
    def project(request: Request) -> dict[str, Any]:
        fixed = callers.settings.user_header is not None
        described = session.describe() | {"author_fixed": fixed}
        return described | {"author": callers.author(request, None)} if fixed else described

    @router.get("/table")
    def table() -> dict[str, Any]:
        return session.describe_table()

    @router.post("/table/corrections")
    def correct(body: CorrectionBody, request: Request) -> dict[str, Any]:
        return session.correct_column(
            body.column,
            body.to,
            revision=body.revision,
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    @router.get("/columns")
    def histogram(
        column: Annotated[str, Query(max_length=2_000)], bins: Annotated[int, Query(ge=2, le=200)] = 40
    ) -> dict[str, Any]:
        return session.histogram(column, bins)

    @router.post("/favourable")
    def favourable(body: FavourableBody, request: Request) -> dict[str, Any]:
        author = callers.author(request, body.author)
        return session.set_favourable(body.favourable, author=author, tab=callers.tab(request))

    @router.post("/import")
    async def import_file(
        request: Request,
        reason: Annotated[str, Query(min_length=1, max_length=MAX_TEXT, pattern=r"\S")],
        author: Annotated[str | None, Query(max_length=MAX_TEXT)] = None,
    ) -> dict[str, Any]:
        who, tab = callers.author(request, author), callers.tab(request)
        if not importing.acquire(blocking=False):
            raise StudioError("too_many", "another file is being imported", "try again when it is done")
        try:
            content = await request.body()
            return await run_in_threadpool(session.import_file, content, reason=reason, author=who, tab=tab)
        finally:
            importing.release()

    @router.get("/export")
    def export() -> Response:
        return download(session.project.export(), session.project.path.name, "application/vnd.sqlite3")

    @router.get("/verify")
    def verify() -> dict[str, Any]:
        found = verify_project(session.project.path)
        return {
            "passed": found.passed,
            "lines": [
                {"state": _STATES[each.passed], "about": each.about, "text": each.message} for each in found.findings
            ],
            "head_hash": session.project.head,
        }

    @router.get("/events")
    async def events() -> Response:
        return EventResponse(streams)

    return router


_STATES = {True: "ok", False: "failed", None: "note"}
