"""The application: pages that anybody may load, and routes that need the token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from evoter.studio.server.callers import Callers
from evoter.studio.server.failures import answer_errors
from evoter.studio.server.pages import page_router
from evoter.studio.server.protection import Protection
from evoter.studio.server.routes.evolution import evolution_router
from evoter.studio.server.routes.guardrails import guardrails_router
from evoter.studio.server.routes.project import project_router
from evoter.studio.server.routes.rows import rows_router
from evoter.studio.server.routes.rules import rules_router
from evoter.studio.server.routes.signing import signing_router
from evoter.studio.server.settings import ServerSettings
from evoter.studio.server.streaming import Streams
from evoter.studio.session.session import Session


def create_app(session: Session, settings: ServerSettings) -> FastAPI:
    """Return the application that answers for a session; run it with `UVICORN_SETTINGS`.

    It does not close the session, nor the project.
    """
    streams = Streams(session, settings.max_streams, settings.heartbeat_seconds)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        streams.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan, redirect_slashes=False)
    callers = Callers(settings)
    for router in (
        page_router(),
        project_router(session, callers, streams),
        rules_router(session, callers),
        guardrails_router(session, callers),
        rows_router(session),
        evolution_router(session, callers),
        signing_router(session, callers),
    ):
        app.include_router(router)
    answer_errors(app)
    app.state.streams = streams
    app.add_middleware(Protection, settings=settings)
    return app
