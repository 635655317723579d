"""Threads: a kernel over a range of items, cut into pieces that run side by side."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise


class Threads:
    """Runs `kernel(first, last, *arguments)` over ranges; results never depend on the number of threads.

    Kernels release the GIL. Work that is too small to share runs in the calling thread.
    """

    def __init__(self, n_threads: int | None = None) -> None:
        self.n_threads = n_threads if n_threads is not None and n_threads > 0 else os.cpu_count() or 1
        self._pool: ThreadPoolExecutor | None = None

    def run(self, kernel: Callable[..., None], n_items: int, work: float, *arguments: object) -> None:
        """Run a kernel over `n_items` items; `work` estimates the whole in simple operations."""
        pieces = min(self.n_threads, n_items) if work >= WORTH_SHARING else 1
        if pieces <= 1:
            kernel(0, n_items, *arguments)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_threads, thread_name_prefix="evoter")
        bounds = [n_items * k // pieces for k in range(pieces + 1)]
        futures: list[Future[None]] = []
        try:
            for first, last in pairwise(bounds):
                futures.append(self._pool.submit(kernel, first, last, *arguments))
            for future in futures:
                future.result()
        finally:
            wait(futures)  # also after Ctrl-C: the arrays are in use until all threads have ended

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


WORTH_SHARING = 2e5
"""Below this many operations, handing work to other threads costs more than it saves."""
