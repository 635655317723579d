"""A publisher of data sets on this machine: a real HTTP server that serves archives in the published layouts."""

import io
import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evoter.datasets import DATASETS
from evoter.datasets.catalogue import CATALOGUE
from evoter.datasets.dataset import Form


@dataclass
class Publisher:
    """What is served, by path; how many bytes of an answer to withhold; if it tells their number; what was asked for."""

    address: str = ""
    served: dict[str, bytes] = field(default_factory=dict)
    withheld: int = 0
    announces: bool = True
    requests: list[str] = field(default_factory=list)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@contextmanager
def publishing() -> Iterator[Publisher]:
    """Serve a publisher's archives while the context lasts."""
    publisher = Publisher()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            publisher.requests.append(self.path)
            content = publisher.served.get(self.path.removeprefix("/"))
            if content is None:
                self.send_error(404, "Not Found")
                return
            self.send_response(200)
            if publisher.announces:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) - publisher.withheld])

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        publisher.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield publisher
        finally:
            server.shutdown()
            thread.join()


def publish(
    monkeypatch: pytest.MonkeyPatch,
    publisher: Publisher,
    name: str,
    archive: bytes,
    class_counts: Mapping[str, int] | None = None,
    n_groups: int | None = None,
) -> None:
    """Serve an archive as that of a data set; with `class_counts` it stands for a smaller set of other content."""
    info = DATASETS[name]
    file = info.archives[0]
    publisher.served[file] = archive
    info = replace(info, url=f"{publisher.address}/{file}")
    if class_counts is not None:
        info = replace(info, forms=(Form(info.forms[0].files, class_counts, n_groups),), sha256={})
    monkeypatch.setitem(CATALOGUE, name, info)


def real_files(*names: str) -> list[Path]:
    """Return the paths of real files in $EVOTER_DATA; skip the test where they are not at hand."""
    folder = os.environ.get("EVOTER_DATA")
    if not folder:
        pytest.skip("the real data sets are not at hand: set EVOTER_DATA to their directory")
    paths = [Path(folder) / name for name in names]
    for path in paths:
        if not path.is_file():
            pytest.skip(f"EVOTER_DATA holds no {path.name}")
    return paths
