"""Routes about what holds on every input: proofs and guardrails."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from evoter.studio.server.bodies import GuardrailsBody, ProveBody, fields_of
from evoter.studio.server.callers import Callers
from evoter.studio.server.routes.rules import Number
from evoter.studio.session.session import Session


def guardrails_router(session: Session, callers: Callers) -> APIRouter:
    """Return the routes about proofs and guardrails."""
    router = APIRouter(prefix="/api")

    @router.get("/proofs/{number}")
    def proof(number: int) -> dict[str, Any]:
        return session.proof(number)

    @router.post("/prove")
    def prove(body: ProveBody) -> dict[str, Any]:
        return session.prove(body.version, body.statement)

    @router.get("/guardrails")
    def guardrails(version: Number | None = None) -> dict[str, Any]:
        return session.guardrails.describe(version)

    @router.post("/guardrails")
    def set_guardrails(body: GuardrailsBody, request: Request) -> dict[str, Any]:
        return session.guardrails.replace(
            fields_of(body.definition),
            revision=body.revision,
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    return router
