"""A live line in the terminal while evolution runs; silent in pipes."""

import sys
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from evoter.kernels.machine_code import FOLDER_VARIABLE, cache_folder

if TYPE_CHECKING:
    from evoter.evolution.engine import Evolution


_REST = 76
"""Columns that all but the bar take, with five digits of generations and two of conditions: a terminal has 80."""


class ProgressDisplay:
    """A watcher that shows generation, best, mean, size, speed and the time left; use it as a context."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(file=sys.stderr)
        self._progress = Progress(
            BarColumn(bar_width=max(4, min(24, self._console.width - _REST))),
            TaskProgressColumn(),
            TextColumn("{task.fields[news]}"),
            TimeRemainingColumn(compact=True),
            console=self._console,
            disable=not _can_draw(self._console),
            transient=True,
        )
        self._task = self._progress.add_task("evolving", total=1.0, news="")

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
        record = evolution.history.last
        news = (
            f"gen {record.generation}  best {record.best:.4f}  mean {record.mean:.4f}  "
            f"{record.n_conditions} conditions  {short_number(record.evaluations / max(record.seconds, 1e-9))} eval/s"
        )
        self._progress.update(self._task, completed=progress, news=news)


def _can_draw(console: Console) -> bool:
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
        message = "evoter: compiling kernels for this machine (once, about a minute)…"
        if cache_folder() is None:
            message = f"evoter: compiling kernels (about a minute; set {FOLDER_VARIABLE} to keep them)…"
        Console(file=sys.stderr).print(message, style="dim", highlight=False)
