"""Downloads over HTTP: with a progress bar for big files, in full or not at all."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evoter.datasets.dataset import DatasetError, load_library

if TYPE_CHECKING:
    from rich.progress import Progress

TIMEOUT = 60.0
"""Seconds without a single byte after which a server is taken to be unreachable."""

SHOWN_BYTES = 2_000_000
"""Smaller downloads are over before a progress bar would help."""

MAX_BYTES = 2**29
"""No published archive is larger; a server that sends more does not send what it should."""

_CHUNK = 2**18
_HEADERS = {"User-Agent": "evoter", "Accept-Encoding": "identity"}


@contextmanager
def downloaded(url: str, *, title: str, remedy: str) -> Iterator[Path]:
    """Download a file to a temporary path, which is removed after the context.

    Raises
    ------
    DatasetError
        If the server cannot be reached, refuses, sends less than it announced, or more than `MAX_BYTES`; `remedy` says
        what else to do.
    ImportError
        If pooch is not installed.
    """
    with tempfile.TemporaryDirectory(prefix="evoter-") as folder:
        path = Path(folder) / "download"
        _download(url, path, title, remedy)
        yield path


def _download(url: str, path: Path, title: str, remedy: str) -> None:
    pooch, errors = load_library("pooch"), load_library("requests").exceptions
    with closing(_ProgressBar(title, f"{url}: the server sends more than {MAX_BYTES:,} bytes; {remedy}")) as progress:
        download = pooch.HTTPDownloader(progressbar=progress, chunk_size=_CHUNK, timeout=TIMEOUT, headers=_HEADERS)
        try:
            download(url, str(path), None)
            complete = path.stat().st_size >= progress.total
        except errors.HTTPError as error:
            answer = error.response
            raise DatasetError(f"{url}: the server answers {answer.status_code} ({answer.reason}); {remedy}") from error
        except errors.ChunkedEncodingError:
            complete = False
        except errors.RequestException as error:
            raise DatasetError(f"{url}: cannot be downloaded ({_reason(error)}); {remedy}") from error
    if not complete:
        raise DatasetError(f"{url}: the connection ended before all {progress.total:,} bytes had arrived; try again")


def _reason(error: Exception) -> str:
    """Return the last part of a message such as `HTTPConnectionPool(...): ...: [Errno 111] Connection refused`."""
    cause = error.args[0] if error.args else error
    return str(getattr(cause, "reason", None) or cause).rpartition(": ")[2]


class _ProgressBar:
    """The progress bar that pooch updates; it is shown in a terminal, for big files and those of unknown size.

    It also ends a download that has become too large, with the error `too_large`. pooch sets `total` to the announced
    number of bytes, or to 0 where the server does not tell.
    """

    def __init__(self, title: str, too_large: str) -> None:
        self.total = 0
        self._arrived = 0
        self._too_large = too_large
        self._title = title
        self._shown: Progress | None = None
        self._task: Any = None

    def update(self, n_bytes: int) -> None:
        """Count bytes that have arrived."""
        self._arrived += n_bytes
        if max(self._arrived - _CHUNK, self.total) > MAX_BYTES:  # the last chunk counts in full, however short
            raise DatasetError(self._too_large)
        if not sys.stderr.isatty() or 0 < self.total < SHOWN_BYTES:
            return
        if self._shown is None:
            self._start()
        if self._shown is not None:
            self._shown.advance(self._task, n_bytes)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        self._shown = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task = self._shown.add_task(self._title, total=self.total or None)
        self._shown.start()

    def reset(self) -> None:
        """Start counting again, as pooch does at the end of a download."""
        self._arrived = 0
        if self._shown is not None:
            self._shown.update(self._task, completed=0)

    def close(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()
            self._shown = None
