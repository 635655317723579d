"""The Ray cluster that a search runs on: the terminal says which one it is, and how many workers it has."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from evoter.cli.output import say

if TYPE_CHECKING:
    from evoter.execution.ray_executor import RayEvaluation
    from evoter.kernels.threads import Threads


@dataclass(frozen=True)
class AnnouncedCluster:
    """A Ray cluster to search on; a command that searches several times names it once."""

    address: str
    progress: bool

    def start(self, threads: "Threads") -> "RayEvaluation":
        """Connect, start the workers, and say so if messages are wanted."""
        from evoter.execution import RayExecutor

        executor = RayExecutor(self.address).start(threads)
        if self.progress:
            _announce(executor.n_hosted, executor.address)
        return executor


@cache
def _announce(n_workers: int, address: str) -> None:
    say(f"evaluating on the Ray cluster at {address}: {n_workers} worker{'s' if n_workers > 1 else ''}", "dim")
