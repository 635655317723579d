"""A bar that shows how much of the kernels has been compiled, by whichever process."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType

from evoter.cli.output import make_console

_BETWEEN_LOOKS = 0.2


class CompilationBar(AbstractContextManager[None]):
    """Looks into the cache again and again while the context lasts; silent where there is no terminal.

    Between two kernels that are finished, the bar goes on with the time that has passed, up to the next one.
    """

    def __init__(self, needed: Mapping[Callable[..., object], float], *, shown: bool) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = make_console(error=True)
        self._needed = needed
        self._progress = Progress(
            TextColumn("compiling kernels for this machine, once"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not (shown and console.is_terminal),
        )
        self._ended = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        if not self._progress.disable:
            self._progress.start()
            self._watching.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._progress.disable:
            self._ended.set()
            self._watching.join()
            self._progress.stop()

    def _watch(self) -> None:
        from evoter.problems.warming import compiled_share

        task = self._progress.add_task("", total=1.0)
        shown, known, since = 0.0, 0.0, time.monotonic()
        whole, longest = sum(self._needed.values()), max(self._needed.values())
        while not self._ended.wait(_BETWEEN_LOOKS):
            share = compiled_share(self._needed)
            if share > known:
                known, since = share, time.monotonic()
            passed = min(time.monotonic() - since, longest) / whole
            shown = max(shown, min(0.99, known + passed))
            self._progress.update(task, completed=shown)
