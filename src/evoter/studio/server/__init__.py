"""The studio over HTTP: one FastAPI application that answers on behalf of a session."""

from evoter.studio.server.app import create_app
from evoter.studio.server.settings import UVICORN_SETTINGS, ServerSettings

__all__ = ["UVICORN_SETTINGS", "ServerSettings", "create_app"]
