"""Ctrl-C while rules evolve: the generation under way is finished and the best so far is kept."""

import signal
import threading
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from evoter.evolution.engine import Evolution


class Interruption:
    """A context in which Ctrl-C ends evolution as soon as there is something to keep; also the watcher that ends it.

    Before the first generation, and when pressed again, Ctrl-C does what it always does.
    """

    def __init__(self) -> None:
        self.asked = False
        self._begun = False
        self._before: object = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def __call__(self, evolution: "Evolution", progress: float) -> bool:
        """Tell evolution to end if Ctrl-C was pressed."""
        self._begun = True
        return self.asked

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked or not self._begun:
            raise KeyboardInterrupt
        self.asked = True
