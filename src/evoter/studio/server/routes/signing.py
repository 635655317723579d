"""Routes about sign-off: openings of the test rows, signatures, and reports."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from evoter.studio.server.bodies import OpeningBody, SignOffBody
from evoter.studio.server.callers import Callers
from evoter.studio.server.downloads import download
from evoter.studio.session.session import Session


def signing_router(session: Session, callers: Callers) -> APIRouter:
    """Return the routes about sign-off."""
    router = APIRouter(prefix="/api")

    @router.get("/signoff")
    def state() -> dict[str, Any]:
        return session.signing.describe()

    @router.post("/openings", status_code=201)
    def open_test(body: OpeningBody, request: Request) -> dict[str, Any]:
        return session.signing.open_test(
            body.version,
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    @router.post("/signoffs", status_code=201)
    def sign(body: SignOffBody, request: Request) -> dict[str, Any]:
        return session.signing.sign(
            body.version,
            name=callers.author(request, body.name),
            statement=body.statement,
            unproved=body.unproved,
            tab=callers.tab(request),
        )

    @router.get("/signoffs/{number}/report")
    def report(number: int) -> Response:
        return download(session.signing.report(number), f"report-{number}.html", "text/html; charset=utf-8")

    return router
