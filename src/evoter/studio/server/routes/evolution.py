"""Routes about evolution: to start, pause, resume and stop a run, and to pick a candidate."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from evoter.studio.server.bodies import EvolutionBody, NothingBody, PickBody, fields_of
from evoter.studio.server.callers import Callers
from evoter.studio.session.evolving import RunSettings
from evoter.studio.session.session import Session


def evolution_router(session: Session, callers: Callers) -> APIRouter:
    """Return the routes about evolution."""
    router = APIRouter(prefix="/api/evolution")
    run = session.evolution

    @router.get("")
    def state() -> dict[str, Any]:
        return run.to_dict()

    @router.post("", status_code=202)
    def start(body: EvolutionBody) -> dict[str, Any]:
        return session.start_evolution(RunSettings(**fields_of(body)))

    @router.post("/pause")
    def pause(body: NothingBody) -> dict[str, Any]:
        run.pause()
        return run.to_dict()

    @router.post("/resume")
    def resume(body: NothingBody) -> dict[str, Any]:
        run.resume()
        return run.to_dict()

    @router.post("/stop")
    def stop(body: NothingBody) -> dict[str, Any]:
        run.stop()
        return run.to_dict()

    @router.get("/candidates/{number}")
    def candidate(number: int) -> dict[str, Any]:
        return session.candidate(number)

    @router.post("/pick", status_code=201)
    def pick(body: PickBody, request: Request) -> dict[str, Any]:
        return session.pick(
            body.number,
            base=body.base,
            reason=body.reason,
            author=callers.author(request, body.author),
            tab=callers.tab(request),
        )

    return router
