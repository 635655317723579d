"""The executor that an estimator is asked for, by name or by what starts it."""

from typing import Protocol, runtime_checkable

from evoter.evolution.executor import Executor, ThreadExecutor
from evoter.kernels.threads import Threads

NAMES = ("threads", "processes", "ray")
"""What can be asked for by name."""


@runtime_checkable
class Startable(Protocol):
    """A description of a place, such as `RayExecutor`, which is copied with an estimator and started for each run."""

    def start(self, threads: Threads) -> Executor:
        """Return an executor that is ready; `threads` are those of this process, which the executor closes."""
        ...


def start_executor(executor: str | Startable, threads: Threads) -> Executor:
    """Start an executor, by name or as its description says.

    >>> start_executor("threads", Threads(2)).n_parallel
    2
    """
    if isinstance(executor, Startable):
        return executor.start(threads)
    if executor == "threads":
        return ThreadExecutor(threads)
    if executor == "processes":
        from evoter.execution.processes import ProcessExecutor

        return ProcessExecutor(threads.n_threads, threads)
    if executor == "ray":
        from evoter.execution.ray_executor import RayExecutor

        return RayExecutor().start(threads)
    raise ValueError(f"there is no executor {executor!r}: use one of {', '.join(NAMES)}, or RayExecutor(address=...)")
