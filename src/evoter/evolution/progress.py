"""A live line in the terminal while evolution runs; silent in pipes."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from evoter.evolution.engine import Evolution


class ProgressDisplay:
    """A watcher that shows generation, best, mean, size, speed and the time left; use it as a context."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn("evolving"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TextColumn("{task.fields[news]}"),
            TimeRemainingColumn(compact=True),
            console=self._console,
            disable=not self._console.is_terminal,
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
        speed = record.evaluations / max(record.seconds, 1e-9)
        news = (
            f"generation {record.generation}  best {record.best:.4f}  mean {record.mean:.4f}  "
            f"{record.n_conditions} conditions  {speed:,.0f} evaluations/s"
        )
        self._progress.update(self._task, completed=progress, news=news)


def announce_compilation(verbose: bool) -> None:
    """Say that kernels are being compiled, where somebody reads along."""
    if verbose or sys.stderr.isatty():
        Console(file=sys.stderr).print("[dim]evoter: compiling kernels for this machine (once, some seconds)…[/dim]")
