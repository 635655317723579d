"""Routes about rules: versions, edits and their effects."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from evoter.studio.server.bodies import EffectBody, HeadBody, RebaseBody, SaveBody, fields_of
from evoter.studio.server.callers import Callers
from evoter.studio.server.downloads import download
from evoter.studio.session.session import Session

Number = Annotated[int, Query(ge=1, le=10**9)]
"""The number of a version in a query."""


def rules_router(session: Session, callers: Callers) -> APIRouter:
    """Return the routes about rules."""
    router = APIRouter(prefix="/api")

    @router.get("/rules")
    def rules(version: Number | None = None) -> dict[str, Any]:
        return session.rules(version)

    @router.get("/rules/file")
    def rule_file(version: Number | None = None) -> Response:
        return download(session.rule_file(version), "rules.json", "application/json")

    @router.post("/effect")
    def effect(body: EffectBody) -> dict[str, Any]:
        return session.effect(body.base, [fields_of(each) for each in body.edits])

    @router.post("/rebase")
    def rebase(body: RebaseBody) -> dict[str, Any]:
        return session.rebase(body.base, body.onto, [fields_of(each) for each in body.edits])

    @router.get("/versions")
    def versions() -> dict[str, Any]:
        return session.versions()

    @router.post("/versions", status_code=201)
    def save(body: SaveBody, request: Request) -> dict[str, Any]:
        return session.save(
            body.base,
            [fields_of(each) for each in body.edits],
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    @router.post("/head")
    def head(body: HeadBody, request: Request) -> dict[str, Any]:
        return session.move_head(
            body.base,
            body.version,
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    @router.get("/compare")
    def compare(a: Number, b: Number) -> dict[str, Any]:
        return session.compare(a, b)

    return router
