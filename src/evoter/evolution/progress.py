"""A live line in the terminal while evolution runs; silent in pipes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from evoter.kernels.compilation import compiled_before
from evoter.kernels.machine_code import FOLDER_VARIABLE, cache_folder
from evoter.kernels.refinement.refine import refine

if TYPE_CHECKING:
    from rich.console import Console

    from evoter.evolution.engine import Evolution
    from evoter.evolution.stopping import Stopping


_REST = 76
"""Columns that all but the bar take, with five digits of generations and two of conditions: a terminal has 80."""


class _Part(NamedTuple):
    number: int
    n_parts: int


_WHOLE = _Part(0, 1)
_part: ContextVar[_Part] = ContextVar("part", default=_WHOLE)


@contextmanager
def part_of_whole(number: int, n_parts: int) -> Iterator[None]:
    """Let runs in this context be shown as one of several parts of the same work, counted from 0."""
    token = _part.set(_Part(number, n_parts))
    try:
        yield
    finally:
        _part.reset(token)


class ProgressDisplay:
    """A watcher that shows generation, best, mean, size, speed and the time left; use it as a context.

    The bar never goes back. It shows the share of the generations or of the time that is used, whichever is larger; a
    run that stops improving ends earlier. Only if `until` limits neither, the bar shows the largest progress so far.
    """

    def __init__(self, console: "Console | None" = None, until: "Stopping | None" = None) -> None:
        from rich.console import Console  # slow to import
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self._until = until
        self._part = _part.get()
        self._done = 0.0
        self._console = console or Console(file=sys.stderr)
        self._progress = Progress(
            BarColumn(bar_width=max(4, min(24, self._console.width - _REST))),
            TaskProgressColumn(),
            TextColumn("{task.fields[news]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=self._console,
            disable=not _can_draw(self._console),
            transient=True,
        )
        begun = self._part.number / self._part.n_parts
        self._task = self._progress.add_task("evolving", total=1.0, completed=begun, news="")  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, evolution: "Evolution", progress: float) -> None:
        """Show the newest generation; rich decides when to draw."""
        if self._progress.disable:
            return
        lasting = self._until.lasting_progress(evolution.status) if self._until is not None else 0.0
        is_limited = lasting > 0.0 or evolution.generation <= 0
        # At the end the bar is full, also if a run ends because it stopped improving.
        self._done = max(self._done, lasting if is_limited and progress < 1.0 else progress)
        record, part = evolution.history.last, self._part
        speed = f"{short_number(record.evaluations / max(record.seconds, 1e-9))}/s"
        middle = f"mean {record.mean:.4f}" if part.n_parts == 1 else f"run {part.number + 1} of {part.n_parts}"
        news = f"gen {record.generation}  best {record.best:.4f}  {middle}  {record.n_conditions} conditions  {speed}"
        if record.generation == 0 and not compiled_before(refine):
            news = f"gen 0  best {record.best:.4f}  compiling exact moves, once"
        self._progress.update(self._task, completed=(part.number + self._done) / part.n_parts, news=news)


class ReadingProgress:
    """A line in the terminal while a table is read in batches; use it as a context, and call it with counts of rows."""

    def __init__(self, *, shown: bool = True, console: "Console | None" = None) -> None:
        from rich.console import Console  # slow to import
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._console = console or Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn("reading the table"),
            BarColumn(bar_width=24),
            TextColumn("{task.completed:,.0f} rows"),
            TimeRemainingColumn(compact=True),
            console=self._console,
            disable=not shown or not _can_draw(self._console),
            transient=True,
        )
        self._task = self._progress.add_task("reading", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, n_read: int, n_rows: int | None) -> None:
        """Show how many rows have been read, and of how many, if that is known."""
        self._progress.update(self._task, completed=n_read, total=n_rows)


def _can_draw(console: "Console") -> bool:
    return console.is_terminal or (console.is_jupyter and find_spec("ipywidgets") is not None)


def short_number(number: float) -> str:
    """Return a number of at least 0 in five characters or fewer.

    >>> short_number(987.6), short_number(12_345), short_number(2_345_678)
    ('988', '12.3k', '2.35M')
    """
    for unit in ("", "k", "M", "G"):
        if number < 999.5:
            return f"{number:.0f}" if not unit else f"{number:.3g}{unit}"
        number /= 1_000
    return f"{number:.3g}T"


def announce_compilation(verbose: bool) -> None:
    """Say that kernels are being compiled, where somebody reads along."""
    if verbose or sys.stderr.isatty():
        from rich.console import Console

        message = "evoter: compiling kernels for this machine (once, about half a minute)…"
        if cache_folder() is None:
            message = f"evoter: compiling kernels (half a minute; set {FOLDER_VARIABLE} to keep them)…"
        Console(file=sys.stderr).print(message, style="dim", highlight=False)
