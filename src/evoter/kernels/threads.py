"""Threads: a kernel over a range of items, cut into pieces that run side by side."""

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from queue import SimpleQueue


class Threads:
    """Runs `kernel(first, last, *arguments)` over ranges; results never depend on the number of threads.

    Kernels release the GIL. The calling thread works too, and work that is too small to share is left to it alone.
    """

    def __init__(self, n_threads: int | None = None) -> None:
        self.n_threads = n_threads if n_threads is not None and n_threads > 0 else os.cpu_count() or 1
        self._helpers: list[_Helper] = []

    def run(self, kernel: Callable[..., None], n_items: int, work: float, *arguments: object) -> None:
        """Run a kernel over `n_items` items; `work` estimates the whole in simple operations."""
        n_threads = min(self.n_threads, n_items)
        if n_threads <= 1 or work < WORTH_SHARING:
            kernel(0, n_items, *arguments)
            return
        while len(self._helpers) < n_threads - 1:
            self._helpers.append(_Helper())
        pieces = _Pieces(kernel, arguments, n_items, max(1, int(n_items * SMALLEST_PIECE / work)), n_threads)
        turns: list[_Turn] = []
        try:
            for thread in range(1, n_threads):
                turns.append(_Turn(pieces, thread))
                self._helpers[thread - 1].take(turns[-1])
            pieces.work_through(0)
        finally:
            pieces.drop_rest()
            for turn in turns:
                turn.wait()  # also after Ctrl-C: the arrays are in use until all threads have ended
        pieces.raise_first_error()

    def close(self) -> None:
        """End the threads."""
        for helper in self._helpers:
            helper.close()
        self._helpers.clear()


WORTH_SHARING = 2e5
"""Below this many operations, handing work to other threads costs more than it saves."""

SMALLEST_PIECE = 2e7
"""Pieces have at least this many operations, several milliseconds: neighbouring items share what is in the cache."""

_LOOKS = 50
"""How often a thread with nothing left to do looks whether the others have ended before it sleeps: waking is slow."""


class _Pieces:
    """The pieces of a task: every thread has a share of them, large ones first, and then takes what others have left.

    A core that is slower, or busy with something else, thus does less. A thread begins with the same share of every
    kernel, because its core has in its cache what it wrote there before; with two threads that is always the case.
    """

    def __init__(
        self, kernel: Callable[..., None], arguments: tuple[object, ...], n_items: int, smallest: int, n_threads: int
    ) -> None:
        self._kernel = kernel
        self._arguments = arguments
        bounds = [n_items * k // n_threads for k in range(n_threads + 1)]
        self._shares = [deque(_cut(first, last, smallest)) for first, last in pairwise(bounds)]
        self._errors: list[tuple[int, BaseException]] = []

    def work_through(self, thread: int) -> None:
        """Do pieces until none is left."""
        while (piece := self._take(thread)) is not None:
            try:
                self._kernel(*piece, *self._arguments)
            except BaseException as error:  # the calling thread raises it, also what would only end a helper
                self._errors.append((piece[0], error))
                self.drop_rest()

    def _take(self, thread: int) -> tuple[int, int] | None:
        """Return the next piece of the own share, or else the last one of another."""
        try:
            return self._shares[thread].popleft()
        except IndexError:
            for share in self._shares:
                try:
                    return share.pop()
                except IndexError:
                    continue
        return None

    def drop_rest(self) -> None:
        """Leave undone what no thread has begun."""
        for share in self._shares:
            share.clear()

    def raise_first_error(self) -> None:
        """Raise what ends a program, such as Ctrl-C, or else the error of the first of the pieces that failed."""
        if self._errors:
            raise min(self._errors, key=lambda each: (isinstance(each[1], Exception), each[0]))[1]


def _cut(first: int, last: int, smallest: int) -> Iterator[tuple[int, int]]:
    """Yield pieces of a range, each half of what is left, but none smaller than `smallest` except the last."""
    while first < last:
        end = min(last, first + max(smallest, (last - first) // 2))
        yield first, end
        first = end


class _Turn:
    """What a helper does of one task; a task that ends before the helper has begun goes on without it."""

    __slots__ = ("_ended", "_open", "_pieces", "_thread")

    def __init__(self, pieces: _Pieces, thread: int) -> None:
        self._pieces = pieces
        self._thread = thread
        self._open = [None]  # either the helper or the thread that waits for it takes this away
        self._ended = threading.Lock()
        self._ended.acquire()

    def work(self) -> None:
        """Do what there is to do."""
        if not self._claim():
            return
        try:
            self._pieces.work_through(self._thread)
        finally:
            self._ended.release()

    def wait(self) -> None:
        """Wait until the turn has ended, unless it has not begun: then it never will."""
        if self._claim():
            return
        for _ in range(_LOOKS):
            if self._ended.acquire(blocking=False):
                return
            time.sleep(0)
        self._ended.acquire()

    def _claim(self) -> bool:
        """Decide whether the turn takes place: only the first who asks is told True."""
        try:
            self._open.pop()
        except IndexError:
            return False
        return True


class _Helper:
    """A thread that takes turns; unlike those of the standard library's pools, it costs little to hand it one."""

    def __init__(self) -> None:
        self._turns: SimpleQueue[_Turn | None] = SimpleQueue()
        self.take = self._turns.put
        self._thread = threading.Thread(target=_take_turns, args=(self._turns,), name="evoter", daemon=True)
        self._thread.start()
        weakref.finalize(self, self._turns.put, None)

    def close(self) -> None:
        """End the thread."""
        self._turns.put(None)
        self._thread.join()


def _take_turns(turns: "SimpleQueue[_Turn | None]") -> None:
    while (turn := turns.get()) is not None:
        turn.work()
        del turn  # it holds arrays
