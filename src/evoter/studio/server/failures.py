"""Errors as answers: what the studio refuses, with the status that a kind of error has."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from evoter.cli.output import Failure
from evoter.rules.errors import RuleError
from evoter.studio.errors import StudioError

STATUSES: Final = {
    "conflict": 409,
    "closed": 409,
    "in_use": 409,
    "running": 409,
    "no_rules": 409,
    "guardrails": 409,
    "unknown": 404,
    "too_many": 429,
    "author": 403,
}
"""The status of each kind of error; all others are 422."""


def answer_errors(app: FastAPI) -> None:
    """Let an application answer errors as the studio does."""

    @app.exception_handler(StudioError)
    async def refused(request: Request, error: StudioError) -> Response:
        return JSONResponse({"error": error.to_dict()}, STATUSES.get(error.kind, 422))

    @app.exception_handler(RuleError)
    async def wrong(request: Request, error: RuleError) -> Response:
        return JSONResponse({"error": StudioError.about_rule(error).to_dict()}, 422)

    @app.exception_handler(Failure)
    async def failed(request: Request, error: Failure) -> Response:
        return JSONResponse({"error": StudioError("schema", error.message, error.hint).to_dict()}, 422)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first: Any = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
        said = StudioError("invalid", f"{field}: {first['msg']}" if field else str(first["msg"]), field=field[:200])
        return JSONResponse({"error": said.to_dict()}, 422)

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        if not request.url.path.startswith("/api/"):
            return Response(status_code=error.status_code)
        kind = {404: "unknown", 405: "method"}.get(error.status_code, "invalid")
        return JSONResponse({"error": StudioError(kind, str(error.detail)).to_dict()}, error.status_code)
