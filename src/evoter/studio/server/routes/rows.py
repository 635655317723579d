"""Routes about rows: slices, groups, lists of rows, and single cases."""

from typing import Any

from fastapi import APIRouter

from evoter.studio.server.bodies import AuditBody, CaseBody, RowsBody, SliceBody
from evoter.studio.session.session import Session


def rows_router(session: Session) -> APIRouter:
    """Return the routes about rows, all of which only read."""
    router = APIRouter(prefix="/api")

    @router.post("/slice")
    def slice_rows(body: SliceBody) -> dict[str, Any]:
        return session.slice(body.version, body.conditions, body.part)

    @router.post("/audit")
    def audit(body: AuditBody) -> dict[str, Any]:
        return session.audit(body.version, body.part, body.columns, body.favourable, body.bands)

    @router.post("/rows")
    def rows(body: RowsBody) -> dict[str, Any]:
        return session.listed(
            body.version,
            body.conditions,
            body.part,
            rule=body.rule,
            label=body.label,
            decision=body.decision,
            wrong=body.wrong,
            offset=body.offset,
            limit=body.limit,
        )

    @router.post("/case")
    def case(body: CaseBody) -> dict[str, Any]:
        return session.case(
            body.version,
            row=body.row,
            identifier=body.identifier,
            values=body.values,
            to=body.to,
            fixed=body.fixed,
        )

    return router
