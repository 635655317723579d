"""The pages of the studio: files of the package, found by name among those that are there, and nothing else."""

from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
}
"""The kinds of files that are served; the package may have others beside them."""

_FOLDER: Final = "pages"


@cache
def page_names() -> frozenset[str]:
    """Return the files that are served, as paths below the folder of pages."""
    root = files("evoter.studio") / _FOLDER
    found = set()
    folders = [("", root)]
    while folders:
        prefix, folder = folders.pop()
        if not folder.is_dir():
            continue
        for each in folder.iterdir():
            if each.is_dir():
                folders.append((f"{prefix}{each.name}/", each))
            elif f".{each.name.rpartition('.')[2]}" in KINDS:
                found.add(f"{prefix}{each.name}")
    return frozenset(found)


def page_router() -> APIRouter:
    """Return the routes of pages; they know nothing of the project."""
    router = APIRouter()

    @router.api_route("/", methods=["GET", "HEAD"])
    def index() -> Response:
        return _page("index.html")

    @router.api_route("/pages/{name:path}", methods=["GET", "HEAD"])
    def page(name: str) -> Response:
        return _page(name)

    return router


def _page(name: str) -> Response:
    if name not in page_names():  # also whatever would lead out of the folder
        return Response(status_code=404)
    content = files("evoter.studio").joinpath(_FOLDER, *name.split("/")).read_bytes()
    return Response(content, media_type=KINDS[f".{name.rpartition('.')[2]}"])
