"""Downloads over HTTP: with a progress bar for the big ones, in full or not at all."""

import shutil
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO, Protocol

from evoter.datasets.dataset import DatasetError

TIMEOUT = 60.0
"""Seconds without a single byte after which a server is taken to be gone."""

SHOWN_BYTES = 2_000_000
"""Smaller downloads are over before a progress bar says anything."""

_BLOCK = 2**18


class _Response(Protocol):
    def read(self, amount: int, /) -> bytes: ...


@contextmanager
def downloaded(url: str, *, title: str, remedy: str) -> Iterator[Path]:
    """Download a file to a temporary place, which is gone after the context.

    Raises
    ------
    DatasetError
        If the server cannot be reached, refuses, or sends less than it announced; `remedy` says what else to do.
    """
    folder = Path(tempfile.mkdtemp(prefix="evoter-"))
    path = folder / "download"
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "evoter", "Accept-Encoding": "identity"})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response, path.open("wb") as file:
            announced = response.headers.get("Content-Length")
            total = int(announced) if announced and announced.isdigit() else None
            received = _receive(response, file, title, total)
        if total is not None and received < total:
            raise DatasetError(f"{url}: the connection ended after {received:,} of {total:,} bytes; try again")
        yield path
    except urllib.error.HTTPError as error:
        error.close()
        raise DatasetError(f"{url}: the server answers {error.code} ({error.reason}); {remedy}") from error
    except (urllib.error.URLError, TimeoutError, ConnectionError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise DatasetError(f"{url}: cannot be downloaded ({reason}); {remedy}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _receive(response: _Response, file: BinaryIO, title: str, total: int | None) -> int:
    received = 0
    with _progress_bar(title, total) as advance:
        while block := response.read(_BLOCK):
            file.write(block)
            received += len(block)
            advance(len(block))
    return received


class _Advance(Protocol):
    def __call__(self, n_bytes: int, /) -> None: ...


@contextmanager
def _progress_bar(title: str, total: int | None) -> Iterator[_Advance]:
    """Show the bytes as they come, where somebody reads along and there are many, or nobody knows how many."""
    if not sys.stderr.isatty() or (total is not None and total < SHOWN_BYTES):
        yield lambda n_bytes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda n_bytes: progress.advance(task, n_bytes)
